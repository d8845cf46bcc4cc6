"""Timing in short slices, the best of many, all tasks taking turns: even a busy machine can't spoil that.

A slice of a few milliseconds often runs undisturbed, half a second never does. A task does the same work in every
slice, so its shortest time is its cost; by taking turns, all tasks meet the same good and bad moments.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import perf_counter_ns

SLICE_NS = 3_000_000
MOST = 1 << 30  # a slice never does more


@dataclass
class Task:
    """Something done `count` times per call, and the shortest time it took."""

    run: Callable[[int], object]
    count: int = 1  # in a slice
    best_ns: float = field(default=float("inf"))

    def time(self) -> int:
        """Run one slice; nanoseconds."""
        started = perf_counter_ns()
        self.run(self.count)
        return perf_counter_ns() - started

    def calibrate(self) -> None:
        """Find the count that fills a slice. The first call isn't timed, because it may compile."""
        self.run(self.count)
        while (taken := min(self.time(), self.time())) < SLICE_NS // 4 and self.count < MOST:
            self.count *= 2
        self.count = max(1, self.count * SLICE_NS // max(taken, 1))

    def measure(self) -> None:
        self.best_ns = min(self.best_ns, self.time() / self.count)


def measure(tasks: Iterable[Task], rounds: int, on_round: Callable[[], None]) -> None:
    """Measure all tasks in turn, `rounds` times."""
    tasks = list(tasks)
    for task in tasks:
        task.calibrate()
    for _ in range(rounds):
        for task in tasks:
            task.measure()
        on_round()


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values)
