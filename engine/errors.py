"""Errors that a user can cause, caught once by the command line, and the limits of user input."""

from collections.abc import Iterable

MOST_MS = 86_400_000.0  # of one turn: a day
MOST_NODES = 1_000_000_000  # of one decision: minutes, not hours
MOST_VISION = 100  # cells: more than the board has
FIRST_TURN_MS, TURN_MS = 1000.0, 100.0  # the arena's clock
STARTUP_MS = 5000.0  # for a bot to start, which the arena doesn't grant

CLOSE = 0.6  # similarity, of 1, at which one word may be a typo of another


class HsctlError(Exception):
    """Wrong input: the message says what is wrong, where, and what to do. Never a bug of hsctl."""


class EngineError(HsctlError):
    """A position, an action or a text that the game doesn't know."""


def suggest(word: str, known: Iterable[str]) -> str:
    """A suggestion for a word that may be a typo; empty if no known word is similar."""
    found = closest(word, known)
    return "" if found is None else f"; did you mean {found!r}?"


def closest(word: str, known: Iterable[str]) -> str | None:
    """The most similar word, if any."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1, CLOSE)), None)


def nearest(word: str, known: Iterable[str], count: int = 5) -> list[str]:
    """Similar words, the most similar first."""
    from difflib import get_close_matches

    return get_close_matches(word, list(known), count, 0.0)
