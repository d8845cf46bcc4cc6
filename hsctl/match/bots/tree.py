"""The processes below a process, as /proc tells them: found, measured, stopped and killed.

Part of the guardian too, so it needs nothing but the standard library.
"""

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress

HAS_TREE = os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
PAGE = 4096  # at most so much comes with one read, and all but a record of it if there is more
GONE = (FileNotFoundError, ProcessLookupError)


def read_proc(path: str) -> bytes:
    """A file of /proc, empty if the process is gone."""
    try:
        file = os.open(path, os.O_RDONLY)
    except GONE:
        return b""
    try:
        return read_open(file)
    finally:
        os.close(file)


def read_open(file: int) -> bytes:
    """The same of a file that stays open, from its beginning. With few system calls: some are read each turn."""
    data = b""
    try:
        while more := os.pread(file, PAGE, len(data)):
            data += more
            if len(more) < PAGE // 2:
                break
    except GONE:
        return b""
    return data


def threads(pid: int) -> list[str]:
    with suppress(*GONE):
        return os.listdir(f"/proc/{pid}/task")
    return []


def children(pid: int, of_threads: list[str] | None = None) -> list[int]:
    """The children of all threads of a process, or of those given."""
    numbers = threads(pid) if of_threads is None else of_threads
    return [int(child) for thread in numbers for child in read_proc(f"/proc/{pid}/task/{thread}/children").split()]


def descendants(pid: int) -> list[int]:
    found = children(pid)
    for child in found:  # the list grows while it is walked
        found += children(child)
    return found


def read_stat(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat from the third on (the second, a name, may hold anything); none if it is gone."""
    return parse_stat(read_proc(f"/proc/{pid}/stat"))


def parse_stat(data: bytes) -> list[bytes]:
    return data.rpartition(b")")[2].split()


def session_of(stat: list[bytes]) -> int:
    return int(stat[3])


def ticks_of(stat: list[bytes]) -> int:
    """CPU time of a process and of the children it has buried."""
    return sum(map(int, stat[11:15]))


def tasks_of(stat: list[bytes]) -> int:
    """Its threads, of which every process has one at least."""
    return int(stat[17])


def resident_mb(stats: Iterable[list[bytes]]) -> float:
    return sum(int(stat[21]) for stat in stats) * os.sysconf("SC_PAGE_SIZE") / 2**20


def kill(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def freeze(find: Callable[[], Iterable[int]]) -> set[int]:
    """Stop all that are found, until no other is found: so none can fork while the others are dealt with."""
    frozen: set[int] = set()
    while new := set(find()) - frozen:
        for pid in new:
            kill(pid, signal.SIGSTOP)
        frozen |= new
    return frozen
