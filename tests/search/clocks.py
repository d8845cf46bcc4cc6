"""Clocks that tests wind themselves: time passes with the nodes that a search makes, and stalls at a chosen look."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import search.beam.agent
import search.bias.agent
import search.chokudai.agent
import search.common.threats
import search.duel.agent
import search.hybrid.agent
import search.mcts.agent
import search.negamax.agent
import search.rhea.agent
import search.seeker.agent

ADVANCING = ("beam", "bias", "chokudai", "duel", "mcts", "negamax", "rhea", "seeker")  # agents with an `advance`
MS = 1_000_000  # nanoseconds
NODE_NS = 500  # a slow machine: 10 ms are 20,000 nodes


class ScriptedClock:
    """Every node takes `node_ns`, every look at the clock a little, and on the look of number `stalled` it jumps."""

    LOOK_NS = 200

    def __init__(self, node_ns: int = NODE_NS, stalled: int | None = None, stall_ms: float = 0.0) -> None:
        self.node_ns = node_ns
        self.stalled = stalled
        self.stall_ms = stall_ms
        self.now = self.looks = 0
        self.since = self.longest = 0  # nodes since the last look, and the most between two of them

    def __call__(self) -> int:
        self.longest, self.since = max(self.longest, self.since), 0
        if self.looks == self.stalled:
            self.now += int(self.stall_ms * MS)
        self.looks += 1
        self.now += self.LOOK_NS
        return self.now

    def work(self, nodes: int) -> None:
        """Time passes with nodes."""
        self.now += nodes * self.node_ns
        self.since += nodes

    def script(self, stalled: int | None, stall_ms: float) -> None:
        """Start to count looks again."""
        self.looks, self.stalled, self.stall_ms = 0, stalled, stall_ms


@contextmanager
def counting_nodes(clock: ScriptedClock) -> Iterator[None]:
    """Let time pass on a clock with every node that any kernel makes."""

    def timed(kernel: Callable[..., Any], nodes_of: Callable[[Any], int]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            before = nodes_of(args)
            result = kernel(*args)
            clock.work(abs(nodes_of(args) - before))
            return result

        return run

    def of_work(args: Any) -> int:
        return int(args[1].nodes)  # the record of the search

    def of_proof(args: Any) -> int:
        return int(args[0].nodes[0])  # left

    with mock.patch.object(search.common.threats, "refute", timed(search.common.threats.refute, of_proof)):
        patches = [
            mock.patch.object(module, "advance", timed(module.advance, of_work))
            for module in (getattr(search, name).agent for name in ADVANCING)
        ]
        advances = search.hybrid.agent.ADVANCES
        patches.append(mock.patch.dict(advances, {name: timed(advance, of_work) for name, advance in advances.items()}))
        for patch in patches:
            patch.start()
        try:
            yield
        finally:
            for patch in patches:
                patch.stop()
