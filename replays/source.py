"""The bytes of a FILE that a command was given: a path, or `-` for stdin; never more than anything needs."""

import sys
from pathlib import Path

from replays.replay import ReplayError

MOST_FILE = 64 << 20  # bytes
STDIN = "-"


def read_source(path: Path, expected: str = "a file with a game") -> bytes:
    """All of a file, or of stdin; `expected` says in the error what it should hold."""
    try:
        if str(path) == STDIN:
            data = sys.stdin.buffer.read(MOST_FILE + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MOST_FILE + 1)
    except OSError as error:
        raise ReplayError(f"{path}: {error.strerror}, expected {expected}") from None
    if len(data) > MOST_FILE:
        raise ReplayError(f"{path}: larger than {MOST_FILE >> 20} MB, expected {expected}")
    return data
