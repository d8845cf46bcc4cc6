"""Cores: how many games can be played at once, and a core for each bot of a game.

Players must not share a core while they think. Other programs may want the cores, too. So before games are played on
the wall clock, as many processes as there would be games work for a second. Each counts the turns of 10 ms in which it
had to wait for a core.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from hsctl.match.result import MOST_DELAYED
from replays.replay import WALL

CPUS = Path("/sys/devices/system/cpu")
QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container, in microseconds: allowed, of a period
TURN_S, TURNS = 0.01, 100
LONG_WAIT = 0.2  # of a turn
WORK = """
import sys, time
seconds, turns, long_wait = map(float, sys.argv[1:])
print(flush=True)
input()
delayed = ran = 0
for _ in range(int(turns)):
    began, ran_before = time.perf_counter(), time.thread_time()
    while (wall := time.perf_counter() - began) < seconds:
        pass
    ran += (share := (time.thread_time() - ran_before) / wall)
    delayed += 1 - share > long_wait
print(delayed, ran / turns)
"""


def core_count() -> int:
    """Physical cores that this process may use, siblings (hyper-threads) counted once."""
    try:
        allowed = os.sched_getaffinity(0)
        cores = {(CPUS / f"cpu{cpu}/topology/thread_siblings_list").read_text() for cpu in allowed}
    except (AttributeError, OSError):  # not Linux, or a system that doesn't say
        return os.cpu_count() or 1
    return max(1, min(len(cores), quota()))


def quota() -> int:
    """Whole cores that a container may use; all of them if it isn't limited."""
    try:
        allowed, period = QUOTA.read_text().split()
        return int(allowed) // int(period)
    except (OSError, ValueError):  # no such limit, or "max"
        return len(os.sched_getaffinity(0))


# Games on the wall clock


class Worked(NamedTuple):
    """What a process got of the machine."""

    delayed: float  # share of its turns
    core: float  # share of a core


KILLED = Worked(1.0, 0.0)


class Capacity(NamedTuple):
    """How many games the machine can hold at once; `is_free`: without delays."""

    jobs: int
    is_free: bool


Work = Callable[[int], Sequence[Worked]]  # by so many processes at once
measured: dict[int, Capacity] = {}  # in this process, by how many games there may be


def usual_jobs(clock: str | None, announce: Callable[[str], None], games: int | None = None) -> int:
    """How many games to play at once: one for each core, on the wall clock no more than the machine holds without
    delays, which it measures and reports; no more than there are."""
    most = core_count() if games is None else min(core_count(), games)
    if clock != WALL:
        return most
    if most not in measured:
        measured[most] = find_capacity(most, work)
        announce(describe_capacity(measured[most], most))
    return measured[most].jobs


def find_capacity(most: int, work: Work) -> Capacity:
    """Try as many as there may be, then as many as the cores were worth."""
    jobs = most
    while True:
        worked = work(jobs)
        if fmean(each.delayed for each in worked) <= MOST_DELAYED:
            return Capacity(jobs, True)
        if jobs == 1:
            return Capacity(1, False)
        jobs = max(1, min(jobs - 1, int(sum(each.core for each in worked))))


def describe_capacity(capacity: Capacity, most: int) -> str:
    jobs = capacity.jobs
    at_once = "1 game at a time" if jobs == 1 else f"{jobs} games at once"
    if not capacity.is_free:
        return f"playing {at_once}: this machine is busy and will delay even that"
    why = f"other work on this machine would delay {most}" if jobs < most else "this machine holds that without delays"
    return f"playing {at_once}: {why}"


def work(processes: int, turns: int = TURNS) -> list[Worked]:
    """Let processes work side by side, beginning together."""
    command = [sys.executable, "-I", "-S", "-c", WORK, str(TURN_S), str(turns), str(LONG_WAIT)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    started: list[Any] = [subprocess.Popen(command, **pipes) for _ in range(processes)]
    try:
        for each in started:
            each.stdout.readline()
        for each in started:
            with suppress(BrokenPipeError):  # killed already
                each.stdin.write("\n")
                each.stdin.flush()
        answers = [each.communicate()[0].split() for each in started]
    finally:
        for each in started:
            each.kill()
            each.wait()
    return [Worked(int(each[0]) / turns, float(each[1])) if len(each) == 2 else KILLED for each in answers]


# The bots of a game: a core for each, and one for the runner with its agents, so that no player's threads slow another.
# Only where there are enough cores for all games that are played at once. A core that another hsctl claimed is left
# alone: a claim is the name of a socket, which the system forgets with its process.


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
            if len(taken) <= bots and (mark := claim_core(core)) is not None:
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


def claim_core(core: int) -> socket.socket | None:
    """Claim a core; None if another process has it."""
    mark = socket.socket(socket.AF_UNIX)
    try:
        mark.bind(f"\0hsctl core {core} of user {os.getuid()}")
    except OSError:
        mark.close()
        return None
    return mark
