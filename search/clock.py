"""When to stop thinking: a budget of milliseconds or nodes, shared out among the stages of a decision.

A stage is one piece of a decision's work whose nodes are recorded: the prediction of one other player, the exact
search for threats, the own search.
"""

import re
import time
from collections.abc import Callable, Mapping

from search.agent import Budget

WIDTH = re.compile(r"\d{1,9}", re.ASCII)  # of a pass
Clock = Callable[[], int]  # nanoseconds
# Between two looks at the clock, each of which costs as much as two hundred nodes:
SLICE = 32_768  # nodes at most
LEAST_SLICE = 1024  # at least, and before it is known how fast they are
SLICE_NS = 2_000_000  # at most
SLICE_SHARE = 4  # no more than this part of what is left: so the end is hardly overstepped
MOST_AT_ONCE = 1_000_000  # nodes of one call of a kernel, so that Ctrl-C is heard within a second
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
            passes = [(int(key[len(name) + 1 :]), count) for key, count in self.recorded.items() if is_pass(key, name)]
            return Stage(self, self.recorded.get(name, 0), None, passes)
        if self.nodes is not None:
            return Stage(self, min(int(share * self.nodes), self.nodes - spent_nodes), None)
        if self.ns is None:
            return Stage(self, NO_LIMIT, None)
        end = min(self.clock() + int(share * self.ns), self.started + self.ns)
        return Stage(self, NO_LIMIT, end)

    def nodes_for(self, name: str, share: float, nodes_per_ms: int) -> int:
        """The nodes of a stage that doesn't look at the clock: its share of the budget, or what is on record."""
        if self.recorded is not None:
            return self.recorded.get(name, 0)
        if self.nodes is not None:
            return int(share * self.nodes)
        return NO_LIMIT if self.ns is None else int(share * self.ns * 1e-6 * nodes_per_ms)


def pass_name(stage: str, width: int) -> str:
    """How a pass of a stage is recorded."""
    return f"{stage} {width}"


def is_pass(key: str, stage: str) -> bool:
    return key.startswith(f"{stage} ") and WIDTH.fullmatch(key, len(stage) + 1) is not None


def nodes_of(stages: Mapping[str, int], stage: str) -> int:
    """The nodes of a stage on record, in one piece or in passes."""
    return sum(nodes for key, nodes in stages.items() if key == stage or is_pass(key, stage))


class Stage:
    """How far a stage may go: `limit` nodes, or until `end` on the clock.

    A stage may be done in passes of growing width; `recorded` are those of a decision that is repeated, with their
    nodes.
    """

    def __init__(
        self, timer: Timer, limit: int, end: int | None, recorded: list[tuple[int, int]] | None = None
    ) -> None:
        self.timer = timer
        self.limit = limit
        self.end = end
        self.recorded = recorded
        self.begun: tuple[int, int] | None = None  # the first look at the clock, and how many nodes there were by then

    def upto(self, limit: int) -> "Stage":
        """The same, for so many nodes."""
        return Stage(self.timer, limit, None)

    def repeats_left(self, nodes: int, before: int, since: int) -> float:
        """How many times what was done since then (from `before` to `nodes` nodes) fits into what is left."""
        if self.end is None:
            return (self.limit - nodes) / max(1, nodes - before)
        now = self.timer.clock()
        return (self.end - now) / max(1, now - since)

    def next_limit(self, nodes: int) -> int | None:
        """Up to how many nodes to work before asking again; None = stop now."""
        if self.end is None:
            return min(self.limit, nodes + MOST_AT_ONCE) if nodes < self.limit else None
        now = self.timer.clock()
        left = self.end - now
        if self.begun is None:
            self.begun = now, nodes
        since, before = self.begun
        at_this_speed = min(SLICE_NS, left // SLICE_SHARE) * (nodes - before) // max(1, now - since)
        return nodes + min(SLICE, max(LEAST_SLICE, at_this_speed)) if left > 0 else None
