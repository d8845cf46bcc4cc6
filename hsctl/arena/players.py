"""Who plays: a built-in agent or the command line of an external bot, told apart by their text."""

import os
import shlex
import shutil
from dataclasses import dataclass

from engine.errors import HsctlError
from search.params import AGENTS, Spec, is_agent, parse_spec


class PlayerError(HsctlError):
    """A text that is neither an agent nor a program."""


@dataclass(frozen=True)
class PlayerText:
    """A player as written, checked: `spec` for a built-in agent, None for a command line."""

    text: str
    spec: Spec | None


def read_player(text: str) -> PlayerText:
    """Check a player's text before anything starts."""
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
    return shutil.which(word) is not None or os.path.isfile(word)


def names_of(players: list[PlayerText]) -> list[str]:
    """What to call the players in tables: their texts, numbered where the same plays twice."""
    texts = [player.text for player in players]
    return [f"{text} #{texts[:at].count(text) + 1}" if texts.count(text) > 1 else text for at, text in enumerate(texts)]
