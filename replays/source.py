"""The bytes of a FILE that a command was given: a path, or `-` for stdin; never more than a game can need."""

import sys
from pathlib import Path

from replays.replay import ReplayError

MOST_BYTES = 64 * 1024 * 1024
STDIN = "-"


def read_source(path: Path) -> bytes:
    """All of a file, or of stdin."""
    try:
        if str(path) == STDIN:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ReplayError(f"{path}: {error.strerror}, expected a file with a game") from None
    if len(data) > MOST_BYTES:
        raise ReplayError(f"{path}: larger than {MOST_BYTES >> 20} MB, expected a file with a game")
    return data
