"""When to stop thinking: a budget of milliseconds or nodes, shared out among the stages of a decision.

A stage is a piece of a decision's work with its own recorded nodes: the prediction of one other player, the exact
search for threats, the main search. On the clock, a stage ends by the time that really passed. A stall shortens all
later stages, each in proportion to its share.
"""

import re
import time
from collections.abc import Mapping

from search.agent import Budget, Clock

WIDTH = re.compile(r"\d{1,9}", re.ASCII)  # of a pass
# Between two looks at the clock, each of which costs as much as two hundred nodes:
SLICE = 32_768  # nodes at most
LEAST_SLICE = 1024  # at least, and before it is known how fast they are
SLICE_NS = 2_000_000  # at most
SLICE_SHARE = 4  # at most this part of the time left, so that the end is hardly overstepped
MOST_AT_ONCE = 1_000_000  # nodes of one kernel call, so that Ctrl-C works within a second
NO_LIMIT = 1 << 62


class Timer:
    """The budget of one decision. Stages take shares of it in turn; the last takes the rest."""

    def __init__(self, budget: Budget, clock: Clock = time.perf_counter_ns) -> None:
        self.clock = clock
        self.started = clock()
        self.ns = None if budget.ms is None or budget.nodes is not None else int(budget.ms * 1e6)
        self.nodes = budget.nodes
        self.recorded = budget.stages
        self.to_come = 1.0  # share of the budget that no stage has had yet

    @property
    def is_running(self) -> bool:
        """Whether the clock ends stages."""
        return self.ns is not None and self.recorded is None

    def has(self, name: str) -> bool:
        """Whether the decision has a stage that only decisions on the clock have, or repeats of them."""
        return self.is_running if self.recorded is None else name in self.recorded

    def stage(self, name: str, share: float, spent_nodes: int, most: int = NO_LIMIT) -> "Stage":
        """A stage that may use up to `share` of the whole budget and `most` nodes, and nothing beyond its end."""
        if self.recorded is not None:
            passes = [(int(key[len(name) + 1 :]), count) for key, count in self.recorded.items() if is_pass(key, name)]
            return Stage(self, name, min(most, self.recorded.get(name, 0)), None, passes)
        if self.nodes is not None:
            return Stage(self, name, min(most, int(share * self.nodes), self.nodes - spent_nodes), None)
        if self.ns is None:
            return Stage(self, name, most, None)
        return Stage(self, name, most, self.end_of(share))

    def end_of(self, share: float) -> int:
        """When a stage ends that begins now: after its share of the budget, or of the time that a stall left."""
        assert self.ns is not None
        now = self.clock()
        left = max(0, self.started + self.ns - now)
        part = share / self.to_come if share < self.to_come else 1.0
        self.to_come -= min(share, self.to_come)
        return now + min(int(share * self.ns), int(part * left))


def pass_name(stage: str, width: int) -> str:
    """How a pass of a stage is recorded."""
    return f"{stage} {width}"


def is_pass(key: str, stage: str) -> bool:
    return key.startswith(f"{stage} ") and WIDTH.fullmatch(key, len(stage) + 1) is not None


def nodes_of(stages: Mapping[str, int], stage: str) -> int:
    """The nodes of a stage on record, in one piece or in passes."""
    return sum(nodes for key, nodes in stages.items() if key == stage or is_pass(key, stage))


class Stage:
    """How far a stage may go: `limit` nodes, and until `end` on the clock.

    A stage may be done in passes of growing width; `recorded` are those of a decision that is repeated, with their
    nodes.
    """

    def __init__(
        self, timer: Timer, name: str, limit: int, end: int | None, recorded: list[tuple[int, int]] | None = None
    ) -> None:
        self.timer = timer
        self.name = name
        self.limit = limit
        self.end = end
        self.recorded = recorded
        self.begun: tuple[int, int] | None = None  # the first look at the clock, and the nodes by then

    def has_time_for(self, nodes: int, spent_nodes: int) -> bool:
        """Whether so many more nodes fit in, at the speed of this decision so far; always without a clock, and
        before any work."""
        if self.end is None or not spent_nodes:
            return True
        now = self.timer.clock()
        return (self.end - now) * spent_nodes >= nodes * (now - self.timer.started)

    def upto(self, limit: int) -> "Stage":
        """The same, for so many nodes."""
        return Stage(self.timer, self.name, limit, None)

    def repeats_left(self, nodes: int, before: int, since: int) -> float:
        """How many times the work since then (from `before` to `nodes` nodes) fits into the time left."""
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
        limit = min(self.limit, nodes + min(SLICE, max(LEAST_SLICE, at_this_speed)))
        return limit if left > 0 and nodes < limit else None
