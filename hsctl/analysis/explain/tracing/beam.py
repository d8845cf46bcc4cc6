"""Rows of layered searches: every child of beam, with its terms and its fate, and the threats it judged before.

A pass is searched twice. The first time tells how deep it gets and which line is the best. The second time goes layer
by layer in the same memory, and ends with the same layers: between two of them all children are there.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from engine.board import X_OF, Y_OF
from engine.rules import ACTION_NAMES, ACTIONS
from engine.state import BYTE
from hsctl.analysis.explain.panels.beam import layers_of, places_of, unfinished_of
from hsctl.analysis.explain.tracing.rows import (
    DEAD,
    DUPLICATE,
    EXPANDED,
    FATES,
    GLOBAL_CUT,
    LOCAL_CUT,
    NOT_REACHED,
    RULED_OUT,
    BeamRow,
    PassCount,
    RowBatch,
    ThreatRow,
    batch_of,
    row_of,
)
from hsctl.analysis.explain.tracing.watch import Arguments, Emit, Slices, Watcher, watcher_of
from search.beam.agent import NARROW, BeamAgent
from search.beam.layers import CHILD
from search.beam.memory import COUNTERS, KEPT
from search.beam.terms import BEAM_TERMS, CHILD_ROW, EARLY, SCORED, TRAPS, describe_children
from search.beam.terms import DUPLICATE as SAME
from search.common.first_moves import members
from search.common.planning import LAST_PLAN, OWN_STAGE, Line
from search.common.threats import FirstMoveProofs, Threats

NAMES = np.array([*ACTION_NAMES, None], object)  # [action]; the last for none
FATE_NAMES = np.array(FATES, object)
KIND_FATES = np.array([FATES.index(fate) for fate in (EXPANDED, DUPLICATE, DEAD, RULED_OUT)])  # [kind], of terms.py
EXPANDED_AT, NOT_REACHED_AT, LOCAL_AT, GLOBAL_AT = map(FATES.index, (EXPANDED, NOT_REACHED, LOCAL_CUT, GLOBAL_CUT))
CHUNK = 4096  # states whose children are described at once
NOWHERE = -1
ROUNDING = 1e-9


class Outcome(NamedTuple):
    """How a pass ended."""

    depth: int  # of the last complete layer
    nodes: int
    cursor: int  # states of that layer that were expanded
    ended: bool  # no child of that layer lived
    line: list[int]  # places of the best line, by depth


class Selection(NamedTuple):
    """What the selection made of the scored children, in the order in which they were made; see beam/layers.py."""

    rank: np.ndarray
    place: np.ndarray  # NOWHERE if not kept
    fate: np.ndarray
    margin: np.ndarray  # nan if nothing was cut


class BeamWatcher(Watcher):
    """Follows the passes of a beam, and what it asks about threats."""

    agent: BeamAgent
    method = "run_pass"
    kinds = (BeamRow, ThreatRow)
    counted_only = ("threats: the positions that judge a first move are counted in `nodes`, only the verdict is a row",)

    @contextmanager
    def watching(self) -> Iterator[None]:
        threats = self.agent.threats
        self.agent.threats = WatchedThreats(threats, self)
        with super().watching():
            yield
        self.agent.threats = threats

    def count(self, given: Arguments, line: Line) -> PassCount:
        agent, search = self.agent, self.agent.search
        layers, above = [], 1
        for layer in layers_of(agent):
            counters = {name: getattr(layer, name) for name in ("depth", *COUNTERS)}
            layers.append({**counters, "expanded": above})
            above = layer.kept
        if unfinished := unfinished_of(agent):
            counters = dict(zip(COUNTERS, agent.layers.counters[unfinished.depth].tolist(), strict=True))
            layers.append({"depth": unfinished.depth, **counters, "expanded": unfinished.expanded})
        return self.counted(given, line, width=int(search.width), model=agent.model, layers=layers)

    def record(self, original: Callable[..., Line], given: Arguments) -> Line:
        line = original(**given)
        search = self.agent.search
        depth = int(search.depth)
        ended = bool(search.finished) and depth < int(search.max_depth)
        cursor = int(search.cursor) if ended or not search.finished else 0
        outcome = Outcome(depth, int(search.nodes), cursor, ended, [0, *places_of(self.agent, depth)])
        recorder = PassRecorder(self, given, outcome)
        again = original(**{**given, "stage": recorder.stage(given["stage"]), "before": 0})
        recorder.finish()
        assert again == line, "a pass that was made again came out otherwise"
        if given["stage"].name in (OWN_STAGE, NARROW, LAST_PLAN):  # the last of these decides
            self.best = recorder.best
        return line


@watcher_of.register
def watch_beam(agent: BeamAgent, emit: Emit | None = None) -> Watcher:
    return BeamWatcher(agent, emit)


class PassRecorder:
    """Hands out the children of each layer of one pass."""

    def __init__(self, watcher: BeamWatcher, given: Arguments, outcome: Outcome) -> None:
        self.watcher, self.agent = watcher, watcher.agent
        self.stage_name, self.player, self.outcome = given["stage"].name, given["player"], outcome
        self.done = 0  # the last layer that was handed out
        self.nodes = watcher.new_nodes(1)  # [place], of the layer above
        self.roots = np.full(1, ACTIONS)  # [place], first moves of the layer above
        self.early = np.zeros(1)  # [place], that term
        self.rows = np.zeros(CHUNK * ACTIONS, CHILD_ROW)
        self.best: int | None = None
        self.emit_root(given["state"])

    def stage(self, stage: Any) -> Slices:
        """Up to the nodes of the pass, layer by layer."""
        return Slices(stage.upto(self.outcome.nodes), self.next_step)

    def next_step(self, _nodes: int) -> int:
        """Each state takes a node at least: so many nodes never lead beyond a layer."""
        search = self.agent.search
        self.hand_out(int(search.depth))
        return int(search.layer_size) - int(search.cursor)

    def finish(self) -> None:
        """The last layer, and what was begun after it."""
        self.hand_out(self.outcome.depth)
        self.best = int(self.nodes[0]) if self.outcome.depth else None
        if self.outcome.ended or self.outcome.cursor:
            self.describe_layer(self.outcome.depth + 1, self.outcome.cursor, is_complete=self.outcome.ended)

    def hand_out(self, depth: int) -> None:
        if depth > self.done:
            self.done = depth
            self.describe_layer(depth, self.size_of(depth - 1), is_complete=True)

    def size_of(self, depth: int) -> int:
        return int(self.agent.layers.counters[depth, KEPT]) if depth else 1

    def emit_root(self, state: np.record) -> None:
        cell = int(state.players[self.player]) & int(BYTE)
        is_expanded = self.outcome.depth > 0 or self.outcome.cursor > 0
        values = {
            "stage": self.stage_name,
            "pass_": len(self.watcher.passes),
            "player": self.player,
            "node": int(self.nodes[0]),
            "depth": 0,
            "x": int(X_OF[cell]),
            "y": int(Y_OF[cell]),
            "fate": EXPANDED if is_expanded else NOT_REACHED,
            "best": True,
        }
        self.emit(batch_of([row_of(BeamRow, **values)]))

    def emit(self, batch: RowBatch) -> None:
        assert self.watcher.emit is not None
        self.watcher.emit(batch)

    def describe_layer(self, depth: int, parents: int, is_complete: bool) -> None:
        """Hand out all children of so many states of the layer above; remember those that make this one."""
        layers = self.agent.layers
        count = self.count_scored(depth)
        chosen = select_again(self.agent, depth, count) if is_complete else unselected(count)
        if is_complete:
            chosen.fate[chosen.place != NOWHERE] = NOT_REACHED_AT
            chosen.fate[(chosen.place != NOWHERE) & (chosen.place < self.expanded_of(depth))] = EXPANDED_AT
        kept = self.size_of(depth) if is_complete else 0
        below = np.zeros(kept, np.int64), np.zeros(kept, np.int64), np.zeros(kept)
        twins = Twins(count)
        for first in range(0, parents, CHUNK):
            last = min(first + CHUNK, parents)
            child = int(np.searchsorted(layers.child_parent[:count], first))
            filled = describe_children(
                layers,
                self.agent.search,
                self.agent.map,
                self.agent.weights,
                depth - 1,
                first,
                last,
                child,
                count,
                self.early,
                self.rows,
            )
            self.emit_children(depth, self.rows[: int(filled)], chosen, below, twins)
        if is_complete:
            self.nodes, self.roots, self.early = below

    def count_scored(self, depth: int) -> int:
        generated, duplicates, dead, ruled_out, *_ = self.agent.layers.counters[depth].tolist()
        return int(generated - duplicates - dead - ruled_out)

    def expanded_of(self, depth: int) -> int:
        """How many states of a layer were expanded, the best first."""
        return self.size_of(depth) if depth < self.outcome.depth else self.outcome.cursor

    def emit_children(self, depth: int, rows: np.ndarray, chosen: Selection, below: Any, twins: "Twins") -> None:
        nodes = self.watcher.new_nodes(len(rows))
        is_scored, child = rows["kind"] == SCORED, rows["child"]
        scored = child[is_scored]
        roots = rows["action"] if depth == 1 else self.roots[rows["parent"]]
        fate = KIND_FATES[rows["kind"]]
        fate[is_scored] = chosen.fate[scored]
        place = spread(chosen.place, child, is_scored, NOWHERE)
        kept = place != NOWHERE
        below[0][place[kept]], below[1][place[kept]] = nodes[kept], roots[kept]
        below[2][place[kept]] = rows["terms"][kept, EARLY]
        scores = spread(self.agent.layers.child_score, child, is_scored, np.nan)
        terms = rows["terms"].copy()
        terms[np.abs(terms[:, TRAPS]) < ROUNDING, TRAPS] = 0.0
        on_line = self.outcome.line[depth] if depth <= self.outcome.depth else NOWHERE
        is_dead = rows["cell"] == NOWHERE
        self.emit(
            RowBatch(
                BeamRow,
                {
                    "stage": [self.stage_name] * len(rows),
                    "pass": [len(self.watcher.passes)] * len(rows),
                    "player": [self.player] * len(rows),
                    "node": nodes,
                    "parent": self.nodes[rows["parent"]],
                    "depth": np.full(len(rows), depth),
                    "action": NAMES[rows["action"]],
                    "first_move": NAMES[roots],
                    "x": np.ma.array(X_OF[rows["cell"]].astype(np.int64), mask=is_dead),
                    "y": np.ma.array(Y_OF[rows["cell"]].astype(np.int64), mask=is_dead),
                    "score": np.ma.array(scores, mask=~is_scored),
                    **{name: np.ma.array(terms[:, at], mask=~is_scored) for at, name in enumerate(BEAM_TERMS)},
                    "survivable": np.ma.array(rows["is_survivable"], mask=~is_scored),
                    "fate": FATE_NAMES[fate],
                    "rank": masked(spread(chosen.rank, child, is_scored, NOWHERE)),
                    "layer_place": masked(place),
                    "margin": np.ma.masked_invalid(spread(chosen.margin, child, is_scored, np.nan)),
                    "twin": twins.find(rows, nodes),
                    "best": kept & (place == on_line),
                },
            )
        )


def spread(values: np.ndarray, child: np.ndarray, is_scored: np.ndarray, rest: float) -> np.ndarray:
    """Values of the scored children, by row; `rest` for all others."""
    found = np.full(len(child), rest, values.dtype)
    found[is_scored] = values[child[is_scored]]
    return found


def masked(values: np.ndarray) -> np.ndarray:
    return np.ma.array(values, mask=values == NOWHERE)


class Twins:
    """Which node had the state of a duplicate first: nodes of one layer, by their hashes."""

    def __init__(self, count: int) -> None:
        self.hashes = np.zeros(count, np.uint64)
        self.nodes = np.zeros(count, np.int64)
        self.filled = 0

    def find(self, rows: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """The twin of each row that is a duplicate; remembers those that were scored."""
        is_scored, is_same = rows["kind"] == SCORED, rows["kind"] == SAME
        last = self.filled + int(np.count_nonzero(is_scored))
        self.hashes[self.filled : last], self.nodes[self.filled : last] = rows["hash"][is_scored], nodes[is_scored]
        self.filled = last
        found = np.full(len(rows), NOWHERE)
        if is_same.any():
            order = np.argsort(self.hashes[:last], kind="stable")
            at = np.searchsorted(self.hashes[:last], rows["hash"][is_same], sorter=order)
            found[is_same] = self.nodes[order[np.minimum(at, last - 1)]]
        return masked(found)


# The selection again


def unselected(count: int) -> Selection:
    """Nothing was selected: the budget ended before."""
    nowhere = np.full(count, NOWHERE)
    return Selection(nowhere, nowhere, np.full(count, NOT_REACHED_AT), np.full(count, np.nan))


def select_again(agent: BeamAgent, depth: int, count: int) -> Selection:
    """What became of each scored child of the layer that was just completed."""
    layers, search = agent.layers, agent.search
    order = layers.pairs[0, :count] & CHILD
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    place = np.full(count, NOWHERE)
    kept = int(layers.counters[depth, KEPT])
    keys = layers.child_parent[:count].astype(np.int64) * ACTIONS + layers.child_action[:count]  # in ascending order
    wanted = layers.parent[depth, :kept].astype(np.int64) * ACTIONS + layers.action[depth, :kept]
    place[np.searchsorted(keys, wanted)] = np.arange(kept)
    cell = layers.child_player[:count] & int(BYTE)
    is_local = np.zeros(count, bool)
    if search.has_local:
        is_local = (place == NOWHERE) & (rank > full_from(rank, place, cell, int(search.local))[cell])
    fate = np.where(place != NOWHERE, EXPANDED_AT, np.where(is_local, LOCAL_AT, GLOBAL_AT))
    return Selection(rank, place, fate, margins(layers.child_score[:count], fate, cell))


def full_from(rank: np.ndarray, place: np.ndarray, cell: np.ndarray, local: int) -> np.ndarray:
    """[cell], the rank of the child that filled it."""
    full = np.full(256, len(rank))
    kept = np.flatnonzero(place != NOWHERE)
    kept = kept[np.argsort(rank[kept])]
    order = np.argsort(cell[kept], kind="stable")
    cells, starts, counts = np.unique(cell[kept][order], return_index=True, return_counts=True)
    for each, start, size in zip(cells.tolist(), starts.tolist(), counts.tolist(), strict=True):
        if size >= local:
            full[each] = rank[kept[order[start + local - 1]]]
    return full


def margins(scores: np.ndarray, fate: np.ndarray, cell: np.ndarray) -> np.ndarray:
    """How many points each child is above the first that was cut in its stead, or below the last kept in its."""
    is_local, is_global = fate == LOCAL_AT, fate == GLOBAL_AT
    is_kept = ~is_local & ~is_global
    first_cut = np.full(256, -np.inf)
    np.maximum.at(first_cut, cell[is_local], scores[is_local])
    if is_global.any():
        first_cut = np.maximum(first_cut, scores[is_global].max())
    last_kept = np.full(256, np.inf)
    np.minimum.at(last_kept, cell[is_kept], scores[is_kept])
    lowest = scores[is_kept].min() if is_kept.any() else np.inf
    against = np.where(is_kept, first_cut[cell], np.where(is_local, last_kept[cell], lowest))
    return np.where(np.isinf(against), np.nan, scores - against)


# Threats


class WatchedThreats(Threats):
    """The threats of an agent, each question noted with its answers."""

    def __init__(self, watched: Threats, watcher: BeamWatcher) -> None:
        vars(self).update(vars(watched))
        self.watcher = watcher
        self.rows: list[ThreatRow] = []
        self.asked = 0
        self.is_judging = False

    def judge(self, *given: Any) -> FirstMoveProofs:
        player, self.rows, self.asked, self.is_judging = given[2], [], 0, True
        found = super().judge(*given)
        self.is_judging = False
        totals = {"questions": self.asked, "nodes": found.nodes}
        passes = self.watcher.passes
        passes.append(PassCount(len(passes), "threats", player, found.nodes, self.rounds, [], totals=totals))
        if self.rows and self.watcher.emit is not None:
            for row in self.rows:
                row.player = player
            self.watcher.emit(batch_of(self.rows))
        return found

    def note(
        self, question: str, rounds: int, before: int, moves: int, verdicts: Mapping[int, tuple[bool, int | None]]
    ) -> None:
        """Verdicts on moves; those that have none were not finished."""
        nodes = max(0, before) - max(0, int(self.nodes[0]))
        for action in members(moves):
            verdict, replies = verdicts.get(action, (None, None))
            self.rows.append(
                ThreatRow(
                    "threats",
                    len(self.watcher.passes),
                    0,
                    self.watcher.new_node(),
                    None,
                    rounds,
                    ACTION_NAMES[action],
                    ACTION_NAMES[action],
                    question,
                    self.asked,
                    verdict,
                    replies,
                    nodes,
                )
            )
        self.asked += 1

    def winning(self, proofs: Any, map_: np.record, moves: int, rounds: int) -> int:
        before = int(self.nodes[0])
        found = super().winning(proofs, map_, moves, rounds)
        self.note(
            "wins", rounds, before, moves, {action: (bool(found >> action & 1), None) for action in members(moves)}
        )
        return found

    def refutations(self, proofs: Any, map_: np.record, moves: int, rounds: int) -> dict[int, int]:
        before = int(self.nodes[0])
        found = super().refutations(proofs, map_, moves, rounds)
        self.note("holds", rounds, before, moves, {action: (not count, count) for action, count in found.items()})
        return found

    def lost_to_all(self, state: np.record, map_: np.record, player: int, rivals: list[int], moves: int) -> int:
        before = int(self.nodes[0])
        found = super().lost_to_all(state, map_, player, rivals, moves)
        if self.is_judging:  # else first move pruning asks, which is no stage
            verdicts = {action: (not found >> action & 1, None) for action in members(moves)}
            self.note("survives all bombs", 1, before, moves, verdicts)
        return found
