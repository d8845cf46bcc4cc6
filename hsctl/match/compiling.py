"""Compiling on all cores what players need, before anybody's clock runs, with one line that says how it goes.

compiling beam layers, mcts: 2 of 5 parts done, about 9 s left
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TypeVar

from engine.compile.cache import explain_compiling
from hsctl.match.cores import core_count
from hsctl.match.pool import run_games
from search.warm import SECONDS, compile_part, missing_parts

OVERDUE = 0.2  # a part that took longer than thought is thought to take so much longer still
WORTH_WORKERS_S = 6.0  # less than that is compiled here: to start a process and load numba takes a second too

LOOK_AHEAD = 32  # tasks among which one is looked for that can begin

Task = TypeVar("Task")
Show = Callable[["Progress"], AbstractContextManager[object]]


class Progress:
    """How far the compilation of some parts is."""

    def __init__(self, parts: list[str], jobs: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.parts = parts  # in the order in which they are begun
        self.jobs = jobs
        self.clock = clock
        self.begun = {part: clock() for part in parts[:jobs]}
        self.done: dict[str, float] = {}  # with the seconds that it took

    def finish(self, part: str) -> None:
        """Part is done; whoever did it goes on with the next."""
        self.done[part] = self.clock() - self.begun.pop(part)
        for following in self.parts:
            if following not in self.done and following not in self.begun:
                self.begun[following] = self.clock()
                break

    @property
    def slowness(self) -> float:
        """How much longer than expected parts take: those that are done, or one that still isn't."""
        took = sum(self.done.values()) / sum(SECONDS[part] for part in self.done) if self.done else 1.0
        return max([took, *((self.clock() - since) / SECONDS[part] for part, since in self.begun.items())])

    @property
    def seconds_left(self) -> float:
        """As long as the longest part that is being compiled, and as all of them take together."""
        now, slowness = self.clock(), self.slowness
        running = [
            max(SECONDS[part] * slowness - (now - since), OVERDUE * (now - since)) for part, since in self.begun.items()
        ]
        waiting = sum(SECONDS[part] * slowness for part in self.parts if part not in {*self.done, *self.begun})
        return max([0.0, *running, (sum(running) + waiting) / self.jobs])

    @property
    def announcement(self) -> str:
        """Said once, where nobody can be shown how it goes."""
        seconds, cores = max(1, round(self.seconds_left)), "1 core" if self.jobs == 1 else f"{self.jobs} cores"
        return f"compiling {', '.join(self.parts)} (once per version, about {seconds} s on {cores}) ..."

    def __str__(self) -> str:
        if not self.begun:
            return f"compiled {', '.join(self.parts)}"
        done = f"{len(self.done)} of {len(self.parts)} parts done"
        return f"compiling {', '.join(self.begun)}: {done}, about {max(1, round(self.seconds_left))} s left"


def compile_for(agents: Iterable[str], announce: Callable[[str], None], show: Show | None = None) -> None:
    """Compile what isn't compiled yet: announced in a line, or shown for as long as it takes."""
    agents = list(agents)
    parts = missing_parts(agents)
    if not parts:
        return
    explain_compiling(announce)
    jobs = min(core_count(), len(parts)) if is_worth_workers(agents) else 1
    progress = Progress(parts, jobs)
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
