"""The family of errors that a user can cause; caught once, at the edge of the command line."""


class HsctlError(Exception):
    """Says what was wrong, where, and what would be right. Never a bug of ours."""


class EngineError(HsctlError):
    """A position, an action or a text that the game doesn't know."""
