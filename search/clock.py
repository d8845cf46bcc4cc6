"""When to stop thinking: a budget of milliseconds or nodes, shared out among the stages of a decision."""

import time
from collections.abc import Callable

from search.agent import Budget

Clock = Callable[[], int]  # nanoseconds
SLICE = 2048  # nodes between two looks at the clock
NO_LIMIT = 1 << 62


class Timer:
    """The budget of one decision. Stages take shares of it in turn; the last takes what is left."""

    def __init__(self, budget: Budget, clock: Clock = time.perf_counter_ns) -> None:
        self.clock = clock
        self.started = clock()
        self.ns = None if budget.ms is None or budget.nodes is not None else int(budget.ms * 1e6)
        self.nodes = budget.nodes
        self.recorded = budget.stages

    def stage(self, name: str, share: float, spent_nodes: int) -> "Stage":
        """A stage that may use up to `share` of the whole budget, and nothing beyond its end."""
        if self.recorded is not None:
            return Stage(self, self.recorded.get(name, 0), None)
        if self.nodes is not None:
            return Stage(self, min(int(share * self.nodes), self.nodes - spent_nodes), None)
        if self.ns is None:
            return Stage(self, NO_LIMIT, None)
        end = min(self.clock() + int(share * self.ns), self.started + self.ns)
        return Stage(self, NO_LIMIT, end)


class Stage:
    """How far a stage may go: `limit` nodes, or until `end` on the clock."""

    def __init__(self, timer: Timer, limit: int, end: int | None) -> None:
        self.timer = timer
        self.limit = limit
        self.end = end

    def next_limit(self, nodes: int) -> int | None:
        """Up to how many nodes to work before asking again; None = stop now."""
        if self.end is None:
            return self.limit if nodes < self.limit else None
        return nodes + SLICE if self.timer.clock() < self.end else None
