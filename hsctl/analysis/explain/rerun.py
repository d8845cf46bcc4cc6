"""A beam search run again, layer by layer, to follow a line to where it fell.

A line is followed action by action; after its end, all that descends from it is followed. Where another line reached
the same state sooner, that line's state is followed instead.

A search forgets the children that it doesn't keep. The same kernels on a second memory make them again: between two
layers all children of the last one are still there, sorted. Nothing is timed, so the layers are the same to the bit.
"""

from collections.abc import Iterator

import numpy as np

from engine.rules import legal_actions, pack, play_round
from engine.state import BYTE, copy_state
from engine.zobrist import hash_state
from hsctl.analysis.explain.findings import Terms, play_line, why_illegal
from hsctl.analysis.explain.panels.beam import terms_on_way
from hsctl.analysis.explain.why_not import (
    ABSORBED,
    CHOSEN,
    DEAD,
    GLOBAL_CUT,
    ILLEGAL,
    LOCAL_CUT,
    OUTSCORED,
    PRUNED,
    UNSEARCHED,
    LineFate,
    Standing,
    WhyNot,
)
from search.beam.agent import BeamAgent
from search.beam.layers import CHILD, advance, begin
from search.beam.memory import DEAD as DEAD_CHILDREN
from search.beam.memory import DUPLICATES, GENERATED, KEPT, SEARCH, UNSURVIVABLE, best_line, make_layers
from search.common.planning import LAST_PLAN

NOWHERE = -1  # the place of a child that was not kept


class Rerun:
    """The own search of the agent's last decision, once more. `width`: of the memory, if more is wanted."""

    def __init__(self, agent: BeamAgent, state: np.record, width: int | None = None) -> None:
        self.agent = agent
        self.state, self.player = state, int(agent.search.player)
        self.last_depth = int(agent.search.depth)  # of the search that is repeated
        depth = max(1, int(agent.search.max_depth))
        self.layers = make_layers(width or int(agent.search.width), agent.other_actions.copy(), depth)
        self.search = np.zeros(1, SEARCH)[0]
        for name in SEARCH.names or ():
            self.search[name] = agent.search[name]
        begin(self.layers, self.search, state, agent.map, agent.weights, np.uint64(agent.thinking.roots))

    def depths(self) -> Iterator[int]:
        """Complete one layer after the other, up to that of the decision; all children of the last are there then."""
        while int(self.search.depth) < self.last_depth:
            yield self.complete_layer()

    def complete_layer(self) -> int:
        depth = int(self.search.depth) + 1
        while int(self.search.depth) < depth and not self.search.finished:
            # Each state takes a node at least: so many nodes never lead beyond this layer.
            left = int(self.search.layer_size) - int(self.search.cursor)
            advance(self.layers, self.search, self.agent.map, self.agent.weights, int(self.search.nodes) + left)
        return depth

    def children(self, depth: int) -> "Children":
        """All children of which the layer just completed was chosen."""
        return Children(self, depth)


class Children:
    """The children of a layer before the selection, best first: a rank is a place in `order`."""

    def __init__(self, rerun: Rerun, depth: int) -> None:
        layers, search = rerun.layers, rerun.search
        counters = layers.counters[depth]
        count = int(counters[GENERATED] - counters[DUPLICATES] - counters[DEAD_CHILDREN] - counters[UNSURVIVABLE])
        self.rerun = rerun
        self.depth = depth
        self.order = layers.pairs[0, :count] & CHILD
        self.parent = layers.child_parent[self.order]  # [rank]
        self.action = layers.child_action[self.order]
        self.score = layers.child_score[self.order]
        self.cell = layers.child_player[self.order] & BYTE  # engine.state.cell_of, for all at once
        self.place = self.places(int(counters[KEPT]))  # in the layer, if kept
        self.kept = np.flatnonzero(self.place != NOWHERE)  # ranks
        self.has_local = bool(search.has_local)
        self.local, self.width = int(search.local), int(search.width)

    def places(self, kept: int) -> np.ndarray:
        """Where the children stand in the layer that was made of them."""
        layers = self.rerun.layers
        place_of = {
            (int(parent), int(action)): place
            for place, (parent, action) in enumerate(
                zip(layers.parent[self.depth, :kept], layers.action[self.depth, :kept], strict=True)
            )
        }
        children = zip(self.parent.tolist(), self.action.tolist(), strict=True)
        return np.array([place_of.get(child, NOWHERE) for child in children], np.int64)

    def state(self, rank: int) -> np.record:
        """A child as a State."""
        return self.after(int(self.parent[rank]), int(self.action[rank]))

    def rank_of(self, parent: int, action: int) -> int | None:
        """The rank of a child; None if it was no child, or none of its own."""
        found = np.flatnonzero((self.parent == parent) & (self.action == action))
        return int(found[0]) if found.size else None

    def rank_of_twin(self, state: np.record) -> int | None:
        """The rank of the child that is the same state: it was there first."""
        wanted = int(hash_state(state)) | 1
        return next((rank for rank in range(len(self.order)) if int(hash_state(self.state(rank))) | 1 == wanted), None)

    def below(self, places: set[int]) -> np.ndarray:
        """The ranks of the children of some states of the layer above."""
        return np.flatnonzero(np.isin(self.parent, list(places)))

    def parent_state(self, place: int) -> np.record:
        """A state of the layer above."""
        state: np.record = self.rerun.layers.states[(self.depth - 1) & 1, place]
        return state

    def count_duplicates(self, places: set[int]) -> int:
        """How many children of some states of the layer above are missing because others were there sooner."""
        count = 0
        for place in places:
            own = int(np.count_nonzero(self.parent == place))
            missing = int(legal_actions(self.parent_state(place), self.rerun.player)).bit_count() - own
            if missing and (own or self.after(place, 0).players[self.rerun.player]):
                count += missing
        return count

    def is_legal(self, place: int, action: int) -> bool:
        return bool(int(legal_actions(self.parent_state(place), self.rerun.player)) >> action & 1)

    def after(self, place: int, action: int) -> np.record:
        """A child made alone, whether or not it is among those of the search."""
        state = copy_state(self.parent_state(place))
        others = np.uint64(self.rerun.layers.other_actions[self.depth - 1])
        play_round(state, self.rerun.agent.map, others | pack(self.rerun.player, action))
        return state

    def needed(self, rank: int) -> tuple[int, int]:
        """The smallest width, and with it the smallest cap per cell, that keep a child in this layer."""
        before = self.cell[:rank]
        local = int(np.count_nonzero(before == self.cell[rank])) + 1
        if not self.has_local:
            return rank + 1, local
        local = max(local, self.local)
        counts = np.unique(before, return_counts=True)[1]
        return int(np.minimum(counts, local).sum()) + 1, local

    def is_cut_locally(self, rank: int) -> bool:
        """Whether a child that was not kept fell because enough were kept with the player on its cell."""
        return self.has_local and int(np.count_nonzero(self.cell[self.kept] == self.cell[rank])) >= self.local

    def cutoff_for(self, rank: int) -> int | None:
        """The rank of the worst that was kept, of those on the same cell if that is what the child fell by."""
        rivals = self.kept
        if self.is_cut_locally(rank):
            rivals = self.kept[self.cell[self.kept] == self.cell[rank]]
        return int(rivals[-1]) if rivals.size else None


# Following a line


def follow_through_layers(
    agent: BeamAgent, state: np.record, line: list[int], plan: list[int], pruned: dict[int, str]
) -> WhyNot:
    """Follow a line through the search of the agent's last decision, whose choice was `plan`.

    `pruned` are the first moves that were not searched, with the reason.
    """
    if plan[: len(line)] == line:
        return WhyNot(line, [], LineFate(CHOSEN, len(line)))
    standings: list[Standing] = []
    if line[0] in pruned:
        is_legal = int(legal_actions(state, int(agent.search.player))) >> line[0] & 1
        return WhyNot(line, standings, LineFate(PRUNED if is_legal else ILLEGAL, 1, pruned[line[0]]))
    if departure := depth_of_departure(line, [int(action) for action in agent.search.line[: int(agent.search.given)]]):
        return WhyNot(line, standings, LineFate(PRUNED, departure, LAST_PLAN))
    rerun = Rerun(agent, state)
    if not rerun.last_depth:
        return WhyNot(line, standings, LineFate(DEAD if agent.search.finished else UNSEARCHED, 1))
    places = {0}
    for depth in rerun.depths():
        children = rerun.children(depth)
        if depth <= len(line):
            standing, ranks, fate = follow_action(children, next(iter(places)), line[depth - 1])
        else:
            standing, ranks, fate = follow_all(children, places)
        standings.append(standing)
        if fate is None and standing.states == 0:
            fate = fallen(children, int(ranks[0]))
        if fate is not None:
            return WhyNot(line, standings, fate)
        places = {int(place) for place in children.place[ranks] if place != NOWHERE}
    return WhyNot(line, standings, outscored(rerun, rerun.last_depth, min(places)))


def depth_of_departure(line: list[int], given: list[int]) -> int:
    """Where a line departs from one that a search had to follow; 0 if it doesn't."""
    return next((depth for depth, (one, other) in enumerate(zip(line, given, strict=False), 1) if one != other), 0)


Followed = tuple[Standing, np.ndarray, LineFate | None]  # the ranks of the children that are the line's
NO_RANKS = np.zeros(0, np.int64)
Scored = tuple[list[int], float]  # a line and what the search gave the state that it leads to


def follow_action(children: Children, place: int, action: int) -> Followed:
    """The one child that the line names, or the same state reached by another line sooner."""
    depth = children.depth
    absorbed_by = None
    rank = children.rank_of(place, action)
    if rank is None:
        if not children.is_legal(place, action):
            reason = why_illegal(children.parent_state(place), children.rerun.player, action)
            return Standing(depth, action, 0), NO_RANKS, LineFate(ILLEGAL, depth, reason)
        after = children.after(place, action)
        if not after.players[children.rerun.player]:
            return Standing(depth, action, 0), NO_RANKS, LineFate(DEAD, depth)
        rank = children.rank_of_twin(after)
        assert rank is not None, "a child that is neither there nor accounted for"
        absorbed_by = line_to(children, rank)
    states = int(children.place[rank] != NOWHERE)
    score = float(children.score[rank])
    standing = Standing(depth, action, states, rank + 1, len(children.order), score, absorbed_by)
    return standing, np.array([rank]), None


def follow_all(children: Children, places: set[int]) -> Followed:
    """All children of the line's states."""
    ranks, duplicates = children.below(places), children.count_duplicates(places)
    if not ranks.size:
        standing = Standing(children.depth, None, 0, of=len(children.order), duplicates=duplicates)
        return standing, ranks, LineFate(ABSORBED if duplicates else DEAD, children.depth)
    states = int(np.count_nonzero(children.place[ranks] != NOWHERE))
    rank, score = int(ranks[0]) + 1, float(children.score[ranks[0]])
    standing = Standing(children.depth, None, states, rank, len(children.order), score, duplicates=duplicates)
    return standing, ranks, None


def line_to(children: Children, rank: int) -> list[int]:
    """The actions that lead to a child."""
    above = best_line(children.rerun.layers, children.depth - 1, int(children.parent[rank]))
    return [*above, int(children.action[rank])]


def fallen(children: Children, rank: int) -> LineFate:
    """The fate of a child that was not kept."""
    is_local = children.is_cut_locally(rank)
    rival = children.cutoff_for(rank)
    width, local = children.needed(rank)
    details = {}
    if rival is not None:
        gap = float(children.score[rival] - children.score[rank])
        terms = difference(
            children.rerun,
            (line_to(children, rank), float(children.score[rank])),
            (line_to(children, rival), float(children.score[rival])),
        )
        details = {"rival": float(children.score[rival]), "gap": gap, "terms": terms}
    return LineFate(
        LOCAL_CUT if is_local else GLOBAL_CUT,
        children.depth,
        rank=rank + 1,
        of=len(children.order),
        score=float(children.score[rank]),
        width=width if width > children.width else None,
        local=local if children.has_local and local > children.local else None,
        **details,  # type: ignore[arg-type]
    )


def outscored(rerun: Rerun, depth: int, place: int) -> LineFate:
    """The fate of a state that was kept to the last layer."""
    layers = rerun.layers
    mine, best = (best_line(layers, depth, each) for each in (place, 0))
    score, rival = float(layers.score[depth, place]), float(layers.score[depth, 0])
    return LineFate(
        OUTSCORED if place else CHOSEN,  # by another line the same states may be reached
        depth,
        rank=place + 1,
        of=int(rerun.search.layer_size),
        score=score,
        rival=rival,
        gap=rival - score,
        terms=difference(rerun, (mine, score), (best, rival)),
    )


def difference(rerun: Rerun, mine: Scored, rival: Scored) -> Terms:
    """What the terms of a state have more than those of another."""
    own, other = (
        terms_on_way(rerun.agent, play_line(rerun.agent, rerun.state, rerun.player, line), rerun.player, score)
        for line, score in (mine, rival)
    )
    return {name: own[name] - other[name] for name in own}
