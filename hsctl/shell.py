r"""Command lines and their words, as shells split and quote them; on Windows as programs there do.

There a backslash is part of a path (`bots\mybot.exe`) and only double quotes hold words together.
"""

import os
from collections.abc import Iterable

from engine.errors import HsctlError


def split_words(text: str) -> list[str]:
    """ValueError if a quotation has no end."""
    import shlex

    if os.name != "nt":
        return shlex.split(text)
    words = shlex.shlex(text, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.escape, words.quotes = True, "", "", '"'
    return list(words)


def join_words(words: Iterable[str]) -> str:
    """A command line of these words, to be typed or split again."""
    if os.name != "nt":
        import shlex  # not needed for help

        return shlex.join(words)
    return " ".join(f'"{word}"' if not word or any(map(str.isspace, word)) else word for word in words)


def parse_command(command: str) -> list[str]:
    """The words of a bot's command line; at least one."""
    try:
        words = split_words(command)
    except ValueError as error:
        raise HsctlError(f"can't split the command {command!r} into words: {error}") from error
    if not words:
        raise HsctlError("the bot command is empty: write one like './mybot' or 'python bot.py'")
    return words
