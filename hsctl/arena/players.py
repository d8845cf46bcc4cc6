"""Who plays: a built-in agent or the command line of an external bot, told apart by their text."""

import os
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import HsctlError
from search.params import AGENTS, Spec, is_agent, parse_spec

FEWEST, MOST = 2, 4  # players of a game


class PlayerError(HsctlError):
    """A text that is neither an agent nor a program."""


@dataclass(frozen=True)
class PlayerText:
    """A player as written, checked: `spec` for a built-in agent, None for a command line."""

    text: str
    spec: Spec | None


def read_players(texts: Sequence[str]) -> list[PlayerText]:
    """Check all players of a game before anything starts."""
    if not FEWEST <= len(texts) <= MOST:
        raise PlayerError(f"{len(texts)} {'player' if len(texts) == 1 else 'players'}: a game has {FEWEST} to {MOST}")
    return [read_player(text) for text in texts]


def read_player(text: str) -> PlayerText:
    if is_agent(text):
        return PlayerText(text, parse_spec(text))
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise PlayerError(f"{text!r} is no command line: {error}") from None
    if not words or not is_program(words[0]):
        agents = ", ".join(AGENTS)
        raise PlayerError(f"{text!r} is neither an agent nor a program that can be run; the agents are: {agents}")
    return PlayerText(text, None)


def is_program(word: str) -> bool:
    """Whether the word names a program; a file that lacks the right to be run gets an error of its own."""
    if shutil.which(word):
        return True
    if os.path.isfile(word) and os.sep in word:
        hint = f"make it executable (chmod +x {word}) or name its interpreter first, as in 'python {word}'"
        raise PlayerError(f"{word!r} is a file but no program: {hint}")
    return False


def names_of(players: Sequence[PlayerText]) -> list[str]:
    """What to call the players in tables: their texts, numbered where the same plays twice."""
    texts = [player.text for player in players]
    return [f"{text} #{texts[:at].count(text) + 1}" if texts.count(text) > 1 else text for at, text in enumerate(texts)]
