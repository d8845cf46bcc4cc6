"""Compile the code of players on all cores, before a clock runs, with one line of progress.

compiling beam layers, mcts: 84 functions, 2 of 5 parts done, about 9 s left
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TypeVar

from engine.compile.cache import CACHE, explain_compiling
from search.warm import SECONDS, compile_part, missing_parts

WORTH_WORKERS_S = 6.0  # less than that is compiled here: to start a process and load numba takes a second too

LOOK_AHEAD = 32  # tasks among which one is looked for that can begin

Task = TypeVar("Task")
Show = Callable[["Progress"], AbstractContextManager[object]]


class Progress:
    """How far the compilation of some parts is.

    The time left comes from the speed of this machine: it is unknown before the first part is done, and never climbs.
    """

    def __init__(
        self,
        parts: list[str],
        jobs: int,
        clock: Callable[[], float] = time.monotonic,
        count_kernels: Callable[[], int] = lambda: 0,
    ) -> None:
        self.parts = parts  # in the order in which they are begun
        self.jobs = jobs
        self.clock = clock
        self.count_kernels = count_kernels
        self.kernels_before = count_kernels()
        self.begun = {part: clock() for part in parts[:jobs]}
        self.done: dict[str, float] = {}  # with the seconds that it took
        self.least_left = math.inf

    def finish(self, part: str) -> None:
        """Note that a part is done; its worker goes on with the next."""
        self.done[part] = self.clock() - self.begun.pop(part)
        for following in self.parts:
            if following not in self.done and following not in self.begun:
                self.begun[following] = self.clock()
                break

    @property
    def slowness(self) -> float | None:
        """Seconds that this machine takes for a second of the table of parts; None before it is known."""
        if not self.done:
            return None
        took = sum(self.done.values()) / sum(SECONDS[part] for part in self.done)
        return max([took, *((self.clock() - since) / SECONDS[part] for part, since in self.begun.items())])

    @property
    def seconds_left(self) -> float | None:
        """By the longest part that is being compiled, and by the work of all; never more than it was."""
        if (slowness := self.slowness) is None:
            return None
        now = self.clock()
        running = [max(SECONDS[part] * slowness - (now - since), 0.0) for part, since in self.begun.items()]
        waiting = sum(SECONDS[part] * slowness for part in self.parts if part not in {*self.done, *self.begun})
        self.least_left = min(self.least_left, max([0.0, *running, (sum(running) + waiting) / self.jobs]))
        return self.least_left

    @property
    def announcement(self) -> str:
        """Printed once where progress can't be shown."""
        work, longest = sum(SECONDS[part] for part in self.parts), max(SECONDS[part] for part in self.parts)
        seconds, cores = max(work / self.jobs, longest), "1 core" if self.jobs == 1 else f"{self.jobs} cores"
        about = f"about {max(1, round(seconds))} s on {cores}"
        return f"compiling {', '.join(self.parts)} (once per version, {about}) ..."

    def __str__(self) -> str:
        if not self.begun:
            return f"compiled {', '.join(self.parts)}"
        kernels = self.count_kernels() - self.kernels_before
        counts = [f"{kernels} functions"] if kernels > 0 else []
        counts.append(f"{len(self.done)} of {len(self.parts)} parts done")
        left = self.seconds_left
        if left is not None:
            counts.append("almost done" if left < 1 else f"about {round(left)} s left")
        return f"compiling {', '.join(self.begun)}: {', '.join(counts)}"


def small_part_early(parts: list[str], jobs: int) -> list[str]:
    """The longest parts first, but one core begins with the smallest: it shows how fast this machine is."""
    *rest, smallest = parts
    return [*rest[: jobs - 1], smallest, *rest[jobs - 1 :]]


def count_compiled() -> int:
    """Functions in the cache, of all versions."""
    return sum(1 for _ in CACHE.parent.glob("numba-*/*.nbi"))


def compile_for(agents: Iterable[str], announce: Callable[[str], None], show: Show | None = None) -> None:
    """Compile what isn't compiled yet: announced in a line, or shown for as long as it takes."""
    agents = list(agents)
    parts = missing_parts(agents)
    if not parts:
        return

    from hsctl.match.cores import core_count  # not needed once everything is compiled
    from hsctl.match.pool import run_games

    explain_compiling(announce)
    jobs = min(core_count(), len(parts)) if is_worth_workers(agents) else 1
    parts = small_part_early(parts, jobs)
    progress = Progress(parts, jobs, count_kernels=count_compiled)
    if show is None:
        announce(progress.announcement)
    with nullcontext() if show is None else show(progress):
        results = run_games(parts, jobs, compile_part)
        try:
            for part in results:
                progress.finish(part)
        finally:
            results.close()


def is_worth_workers(agents: Iterable[str]) -> bool:
    """Whether there is so much to be compiled for these agents that several processes should do it."""
    return sum(SECONDS[part] for part in missing_parts(agents)) >= WORTH_WORKERS_S


def ready_first(tasks: Iterable[Task], agents_of: Callable[[Task], list[str]]) -> Iterator[Task]:
    """Tasks in their order, but while agents are compiled those first whose agents are ready by then."""
    tasks = iter(tasks)
    waiting: list[Task] = []
    while waiting := [*waiting, *islice(tasks, LOOK_AHEAD - len(waiting))]:
        ready = [at for at, task in enumerate(waiting) if not missing_parts(agents_of(task))]
        yield waiting.pop(ready[0] if ready else 0)
        if len(ready) > len(waiting):  # all were ready, so it matters no longer
            yield from waiting
            yield from tasks
            return
