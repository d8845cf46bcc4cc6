"""Rows of chokudai: every state that was put into a queue, and the children that were not.

All states stay in memory. Children that were dropped are made again: they burn, or can't be survived, or the same state
was in the queue already.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.board import X_OF, Y_OF
from engine.rules import ACTION_NAMES, legal_actions, pack, play_round
from engine.state import BYTE, copy_state
from engine.survival import is_survivable
from engine.zobrist import hash_state
from hsctl.analysis.explain.tracing.others import RowBuffer
from hsctl.analysis.explain.tracing.rows import (
    DEAD,
    DUPLICATE,
    EXPANDED,
    LOST,
    NOT_REACHED,
    RULED_OUT,
    BeamRow,
    PassCount,
    row_of,
)
from hsctl.analysis.explain.tracing.watch import Arguments, Emit, Watcher, watcher_of
from search.chokudai.agent import ChokudaiAgent, deepest
from search.chokudai.queues import NOBODY
from search.common.evaluate import evaluate_terms
from search.common.first_moves import members
from search.common.planning import Line


class ChokudaiWatcher(Watcher):
    """Reads the queues when they are done."""

    agent: ChokudaiAgent
    method = "plan"
    kinds = (BeamRow,)
    counted_only = ("fates of dropped children: chokudai counts nodes; for the rows, such children are made again",)

    def count(self, given: Arguments, line: Line) -> PassCount:
        sweep = self.agent.sweep
        totals = {"nodes": int(sweep.nodes), "states": int(sweep.count) - 1}
        kept = np.bincount(depths_of(self.agent.queues.parent[: int(sweep.count)])).tolist()
        layers = [{"depth": depth, "kept": count} for depth, count in enumerate(kept) if depth]
        return self.counted(given, line, totals=totals, layers=layers)

    def record(self, original: Callable[..., Line], given: Arguments) -> Line:
        line = original(**given)
        recorder = QueueRecorder(self, given)
        recorder.run()
        if given["stage"].name == "own":
            best = deepest(self.agent.queues)
            self.best = int(recorder.nodes[best]) if best else None
        return line


def depths_of(parents: np.ndarray) -> np.ndarray:
    """[state], how many parents lead to the root, which is the first."""
    depths, above = np.zeros(len(parents), np.int64), np.maximum(parents, 0)
    while (deeper := np.where(parents == NOBODY, 0, depths[above] + 1)).any() and (deeper != depths).any():
        depths = deeper
    return depths


class QueueRecorder:
    """The states of all queues in the order in which they were put there, the children of each after it."""

    def __init__(self, watcher: ChokudaiWatcher, given: Arguments) -> None:
        self.watcher, self.agent, self.queues = watcher, watcher.agent, watcher.agent.queues
        self.stage, self.player = given["stage"].name, given["player"]
        self.count = int(self.agent.sweep.count)
        self.nodes = watcher.new_nodes(self.count)  # [state]
        self.rows = RowBuffer(watcher.emit)
        self.depths: list[int] = depths_of(self.queues.parent[: self.count]).tolist()
        self.roots = self.find_roots()
        self.waiting = self.find_waiting()
        self.line = self.best_states()
        self.seen: dict[tuple[int, int], int] = {}  # (depth, hash) -> node
        self.put: dict[int, int] = {}  # depth -> states put into its queue so far

    def find_roots(self) -> list[int]:
        """[state], first moves; parents come before their children."""
        parents, actions = self.queues.parent[: self.count].tolist(), self.queues.action[: self.count].tolist()
        roots = [NOBODY] * self.count
        for state in range(1, self.count):
            roots[state] = roots[parents[state]] if parents[state] else actions[state]
        return roots

    def find_waiting(self) -> set[int]:
        """The states that are still in a queue."""
        found, left = set(), [top for top in self.queues.top.tolist() if top != NOBODY]
        while left:
            state = left.pop()
            found.add(state)
            left += [
                below for below in (int(self.queues.left[state]), int(self.queues.right[state])) if below != NOBODY
            ]
        return found

    def best_states(self) -> set[int]:
        found, state = set(), deepest(self.queues)
        while state != NOBODY:
            found.add(state)
            state = int(self.queues.parent[state])
        return found

    def run(self) -> None:
        children: dict[int, set[int]] = {}
        for state in range(1, self.count):
            above = int(self.queues.parent[state])
            children.setdefault(above, set()).add(int(self.queues.action[state]))
        for state in range(self.count):
            self.add_state(state)
        for state in range(self.count):
            if state not in self.waiting:
                self.add_dropped(state, children.get(state, set()))
        self.rows.flush()

    def add_state(self, number: int) -> None:
        queues, depth = self.queues, self.depths[number]
        state = queues.states[number]
        place = self.put.get(depth, 0)
        self.put[depth] = place + 1
        self.seen.setdefault((depth, int(hash_state(state))), int(self.nodes[number]))
        values: dict[str, Any] = {}
        if number:
            values = evaluate_terms(state, self.agent.map, self.player, self.agent.weights)
            del values["dead"]  # nobody here is
            values |= {"early": float(queues.bonus[number]), "score": float(queues.score[number])}
        self.add(
            int(self.nodes[number]),
            number,
            state,
            int(queues.action[number]),
            fate=NOT_REACHED if number in self.waiting else EXPANDED,
            survivable=True if number else None,
            layer_place=place,
            best=number in self.line,
            **values,
        )

    def add_dropped(self, number: int, children: set[int]) -> None:
        """The legal children of an expanded state that are in no queue."""
        queues, depth = self.queues, self.depths[number]
        parent = queues.states[number]
        for action in members(int(legal_actions(parent, self.player))):
            if action in children:
                continue
            state = copy_state(parent)
            play_round(state, self.agent.map, np.uint64(queues.other_actions[depth]) | pack(self.player, action))
            is_dead, twin = not state.players[self.player], None
            if depth == 0 and not int(self.agent.sweep.roots) >> action & 1:
                fate = RULED_OUT
            elif is_dead:
                fate = DEAD
            elif not is_survivable(state, self.agent.map, self.player):
                fate = LOST
            else:
                fate, twin = DUPLICATE, self.seen[depth + 1, int(hash_state(state))]
            self.add(self.watcher.new_node(), number, state, action, fate=fate, twin=twin, is_child=True)

    def add(self, node: int, number: int, state: np.record, action: int, is_child: bool = False, **values: Any) -> None:
        """A row of the state with this number, or of a child of it."""
        above = number if is_child else int(self.queues.parent[number])
        depth, root = self.depths[number] + is_child, self.roots[number]
        if is_child and depth == 1:
            root = action
        cell = int(state.players[self.player]) & int(BYTE)
        is_alive = bool(state.players[self.player])
        fixed = {
            "stage": self.stage,
            "pass_": len(self.watcher.passes),
            "player": self.player,
            "node": node,
            "parent": None if above == NOBODY else int(self.nodes[above]),
            "depth": depth,
            "action": ACTION_NAMES[action] if depth else None,
            "first_move": None if root == NOBODY else ACTION_NAMES[root],
            "x": int(X_OF[cell]) if is_alive else None,
            "y": int(Y_OF[cell]) if is_alive else None,
            "best": False,
        }
        self.rows.add(row_of(BeamRow, **{**fixed, **values}))


@watcher_of.register
def watch_chokudai(agent: ChokudaiAgent, emit: Emit | None = None) -> Watcher:
    return ChokudaiWatcher(agent, emit)
