"""The bytes of a FILE that a command was given: a path, or `-` for stdin; never more than anything needs."""

import sys
from itertools import islice
from pathlib import Path

from engine.errors import closest
from replays.replay import ReplayError
from replays.text import clean

MOST_FILE = 64 << 20  # bytes
STDIN = "-"
MOST_NAMES = 1000  # of a folder that are looked at for a typo


def read_source(path: Path, expected: str = "a file with a game") -> bytes:
    """All of a file, or of stdin; `expected` says in the error what it should hold."""
    try:
        if str(path) == STDIN:
            data = sys.stdin.buffer.read(MOST_FILE + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MOST_FILE + 1)
    except OSError as error:
        hint = suggest_file(path) if isinstance(error, FileNotFoundError) else ""
        raise ReplayError(f"{path}: {error.strerror}, expected {expected}{hint}") from None
    if len(data) > MOST_FILE:
        raise ReplayError(f"{path}: larger than {MOST_FILE >> 20} MB, expected {expected}")
    return data


def suggest_file(path: Path) -> str:
    """A file of the same folder whose name is like that of one that isn't there."""
    try:
        files = {each.stem: each.name for each in islice(path.parent.iterdir(), MOST_NAMES) if each.is_file()}
    except OSError:
        return ""
    found = closest(path.stem, files)
    return "" if found is None else f"; did you mean {clean(files[found])!r}?"
