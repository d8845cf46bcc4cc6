"""Reading and writing files.

One reader serves all files with games: a path or `-` for stdin, regular files only, up to a size limit. Files are
written whole or not at all: first under another name, then moved into place. A full disk, Ctrl-C or kill -9 leaves the
file that was there before. The next run that writes into a folder removes drafts of killed processes once they are a
day old.
"""

import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path

from engine.errors import HsctlError, closest
from replays.text import clean

MOST_FILE = 64 << 20  # bytes
STDIN = "-"
MOST_NAMES = 1000  # of a folder that are looked at for a typo


class ReplayError(HsctlError):
    """A file that is not a replay, or a replay whose game doesn't play again as recorded."""


def read_source(path: Path, wanted: str = "a file with a game") -> bytes:
    """All of a file, or of stdin; errors ask for what is `wanted`."""
    try:
        if str(path) == STDIN:
            data = sys.stdin.buffer.read(MOST_FILE + 1)
        else:
            with open(path, "rb", opener=open_at_once) as file:
                data = file.read(MOST_FILE + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError as error:
        hint = suggest_file(path) if isinstance(error, FileNotFoundError) else ""
        raise ReplayError(f"{path}: {error.strerror}{hint or f'; name {wanted}'}") from None
    except ValueError as error:  # a null byte, or half a character: recorded names may have them
        raise ReplayError(f"{str(path)!r}: {error}; name {wanted}") from None
    if data is None:
        raise ReplayError(f"{path}: a device or a pipe; name {wanted}, or pipe it to stdin and name -")
    if len(data) > MOST_FILE:
        raise ReplayError(f"{path}: larger than {MOST_FILE >> 20} MB; name {wanted}")
    return data


def open_at_once(path: str, flags: int) -> int:
    """Don't wait for the other end of a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def suggest_file(path: Path) -> str:
    """A file of the same folder whose name is like that of one that isn't there."""
    try:
        files = {each.stem: each.name for each in islice(path.parent.iterdir(), MOST_NAMES) if each.is_file()}
    except OSError:
        return ""
    found = closest(path.stem, files)
    return "" if found is None else f"; did you mean {clean(files[found])!r}?"


# Writing


DRAFT = re.compile(r"\..+\.hsctl-[0-9a-f]{8}\.tmp(-wal|-shm|-journal)?", re.DOTALL)  # the endings are SQLite's
OLD_S = 86400.0
DEVICES = ("/dev/", "/proc/")  # where files are pipes and terminals, even those that look like others


def draft_of(path: Path) -> Path:
    """A hidden, unique name for a draft of this file, in the same folder so that it can be moved."""
    return path.with_name(f".{path.name[:40]}.hsctl-{secrets.token_hex(4)}.tmp")


@contextmanager
def written_whole(path: Path, with_folder: bool = False) -> Iterator[Path]:
    """Yields the file to write to; it becomes `path` when all is written. A pipe or a device is written to directly.
    `with_folder` makes its folder if need be: a file that the user named goes where they said or nowhere.

    A link is replaced, not followed: where it leads, nothing changes.
    """
    try:
        if with_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        if is_device(path):
            yield path
            return
        remove_drafts(path.parent.absolute())
        draft = draft_of(path)
        try:
            yield draft
            with open(draft, "rb+") as file:
                os.fsync(file.fileno())
            if path.is_file() and not path.is_symlink():
                draft.chmod(stat.S_IMODE(path.stat().st_mode))  # as private as before
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise HsctlError(f"{path}: can't be written: {error.strerror or error}") from None


def write_bytes(path: Path, data: bytes, with_folder: bool = True) -> None:
    with written_whole(path, with_folder) as draft:
        draft.write_bytes(data)


def write_text(path: Path, text: str, with_folder: bool = False) -> None:
    write_bytes(path, text.encode("utf-8"), with_folder)


def is_device(path: Path) -> bool:
    """Whether it can't be replaced by a file: a pipe, a terminal, /dev/stdout wherever that leads."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
    return not is_file or str(path.absolute()).startswith(DEVICES)


@cache
def remove_drafts(folder: Path) -> None:
    """Remove old drafts from a folder, once per process: only those that hsctl named, and nobody else's files."""
    too_old = time.time() - OLD_S
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if DRAFT.fullmatch(entry.name):
                with suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    is_own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
                    if stat.S_ISREG(found.st_mode) and is_own and found.st_mtime < too_old:
                        os.unlink(entry.path)
