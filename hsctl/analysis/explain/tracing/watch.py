"""Searches that are followed from outside, while a decision is made again.

A watcher puts itself around the one method by which an agent searches (`run_pass` of a beam, `plan` of most others),
for this agent alone and for one decision. Without `emit` it reads the counters that each search leaves behind; with
`emit` its subclass hands out rows too. What is searched, in which order and how often, is the agent's affair.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import singledispatch
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from hsctl.analysis.explain.tracing.rows import PassCount, RowBatch
from search.agent import Agent, Decision
from search.clock import Stage
from search.common.planning import Line

Emit = Callable[[RowBatch], None]
Arguments = dict[str, Any]  # of the method that is watched, by name


class Slices(Stage):
    """A stage that lets a search go on in small steps, and looks at it before each of them."""

    def __init__(self, stage: Stage, next_step: Callable[[int], int]) -> None:
        super().__init__(stage.timer, stage.name, stage.limit, stage.end, stage.recorded)
        self.next_step = next_step

    def next_limit(self, nodes: int) -> int | None:
        """`next_step` is given the nodes so far and returns those of the next step."""
        limit = super().next_limit(nodes)
        return None if limit is None else min(limit, nodes + max(1, self.next_step(nodes)))


class Watcher:
    """Follows the searches of one agent; this one knows nothing of how it searches."""

    method: ClassVar[str | None] = None  # by which the agent searches
    kinds: ClassVar[tuple[type, ...]] = ()  # of rows
    counted_only: ClassVar[tuple[str, ...]] = ()  # what has no rows

    def __init__(self, agent: Agent, emit: Emit | None = None) -> None:
        self.agent = agent
        self.emit = emit
        self.turn = 0  # of the decision
        self.passes: list[PassCount] = []
        self.next_node = 0  # numbers of nodes are unique in a file
        self.best: int | None = None  # the node at the end of the line of the last own search

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Be around the agent's searches meanwhile."""
        if self.method is None:
            yield
            return
        original = getattr(self.agent, self.method)
        parameters = signature(original)

        def search(*values: Any, **named: Any) -> Any:
            bound = parameters.bind(*values, **named)
            bound.apply_defaults()
            return self.follow(original, bound.arguments)

        setattr(self.agent, self.method, search)
        try:
            yield
        finally:
            delattr(self.agent, self.method)

    def belongs(self, given: Arguments) -> bool:
        """Whether a search is one of this decision: whoever comes back to a game may catch up on earlier turns."""
        return int(given["state"].turn) >= self.turn - 1

    def follow(self, original: Callable[..., Any], given: Arguments) -> Any:
        """Let it search, and note what it counted."""
        if not self.belongs(given):
            return original(**given)
        found = original(**given) if self.emit is None else self.record(original, given)
        self.passes.append(self.count(given, found))
        return found

    def record(self, original: Callable[..., Any], given: Arguments) -> Any:
        """Let it search, and hand out rows."""
        return original(**given)

    def count(self, given: Arguments, line: Any) -> PassCount:
        """What the search that has just ended counted itself."""
        return self.counted(given, line)

    def counted(self, given: Arguments, line: Line, **counters: Any) -> PassCount:
        found = given["stage"].name, given["player"], line.nodes, line.depth, line.actions
        return PassCount(len(self.passes), *found, **counters)

    def finish(self, state: np.record, player: int, decision: Decision) -> None:
        """The decision is made: hand out what is only known now."""

    def new_nodes(self, count: int) -> np.ndarray:
        """Numbers for so many nodes."""
        self.next_node += count
        return np.arange(self.next_node - count, self.next_node)

    def new_node(self) -> int:
        return int(self.new_nodes(1)[0])


@singledispatch
def watcher_of(agent: Agent, emit: Emit | None = None) -> Watcher:
    """The watcher for an agent's class; each file of recorders adds some."""
    return Watcher(agent, emit)
