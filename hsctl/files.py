"""Text files that the user names: read whole, or one line that says why not."""

from pathlib import Path

from engine.errors import HsctlError
from replays.source import STDIN, read_source

__all__ = ["STDIN", "read_text"]


def read_text(path: Path, expected: str) -> str:
    """The text of a file, or of stdin; `expected` says in the error what it should hold."""
    try:
        return read_source(path, expected).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise HsctlError(f"{path}: not text, expected {expected}") from None
