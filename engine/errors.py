"""Errors that a user can cause, caught once at the edge of the command line, and numbers that always are one."""

from collections.abc import Iterable

MOST_MS = 86_400_000.0  # of one turn: a day
MOST_NODES = 1_000_000_000  # of one decision: minutes, not hours
MOST_VISION = 100  # cells: more than the board has
FIRST_TURN_MS, TURN_MS = 1000.0, 100.0  # the arena's clock
STARTUP_MS = 5000.0  # for a bot to start, which the arena doesn't grant

CLOSE = 0.6  # how like each other two words are that may be meant for one, of 1


class HsctlError(Exception):
    """Wrong input: the message says what is wrong, where, and what to do. Never a bug of hsctl."""


class EngineError(HsctlError):
    """A position, an action or a text that the game doesn't know."""


def suggest(word: str, known: Iterable[str]) -> str:
    """What to add to an error about a word that is perhaps a typo; empty if nothing known is like it."""
    found = closest(word, known)
    return "" if found is None else f"; did you mean {found!r}?"


def closest(word: str, known: Iterable[str]) -> str | None:
    """The word that is most like another, if any is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1, CLOSE)), None)


def nearest(word: str, known: Iterable[str], count: int = 5) -> list[str]:
    """The words that are most like another, the nearest first."""
    from difflib import get_close_matches

    return get_close_matches(word, list(known), count, 0.0)
