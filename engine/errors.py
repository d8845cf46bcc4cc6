"""Errors that a user can cause, caught once at the edge of the command line, and numbers that always are one."""

MOST_MS = 86_400_000.0  # of one turn: a day
MOST_NODES = 1_000_000_000  # of one decision: minutes, not hours


class HsctlError(Exception):
    """Says what was wrong, where, and what would be right. Never a bug of ours."""


class EngineError(HsctlError):
    """A position, an action or a text that the game doesn't know."""
