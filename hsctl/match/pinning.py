"""Cores for the bots of a game, one for each, and one for the runner with its agents: nobody's threads slow another.

Only where there are enough for all games that are played at once. A core that another hsctl has taken is left alone:
what is taken is marked by a socket's name, which the system forgets with its process.
"""

import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

_shared_out: list[int] | None = None  # to this process; None: all that it may run on


def share_out(cores: Sequence[int]) -> None:
    """From now on bots of this process get only these cores; none: they are not pinned."""
    global _shared_out
    _shared_out = list(cores)


def shares(workers: int) -> list[list[int]]:
    """The cores of this process in equal parts; empty ones if there aren't two for each."""
    cores = own_cores()
    size = len(cores) // workers
    return [cores[at * size : (at + 1) * size] if size > 1 else [] for at in range(workers)]


def own_cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []


@contextmanager
def cores_apart(bots: int) -> Iterator[list[int | None]]:
    """A core for each of so many bots, this thread on another; None for each if there are too few."""
    cores = own_cores()
    allowed = cores if _shared_out is None else [core for core in _shared_out if core in cores]
    with ExitStack() as held:
        taken: list[int] = []
        for core in allowed if bots else []:
            if len(taken) <= bots and (mark := take(core)) is not None:
                taken.append(core)
                held.enter_context(mark)
        if len(taken) <= bots:
            yield [None] * bots
            return
        with suppress(OSError):
            os.sched_setaffinity(0, taken[:1])
        try:
            yield list(taken[1:])
        finally:
            with suppress(OSError):
                os.sched_setaffinity(0, cores)


def take(core: int) -> socket.socket | None:
    """Mark a core as taken; None if another has it."""
    mark = socket.socket(socket.AF_UNIX)
    try:
        mark.bind(f"\0hsctl core {core} of user {os.getuid()}")
    except OSError:
        mark.close()
        return None
    return mark
