"""Text files that the user names: read whole, or one line that says why not."""

from pathlib import Path

from engine.errors import HsctlError


def read_text(path: Path, expected: str) -> str:
    """The text of a file; `expected` says in the error what it should hold."""
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not text"
        raise HsctlError(f"{path}: {reason}, expected {expected}") from None
