"""Why another line was not chosen: followed through the layers of a beam search to where it fell.

A line is followed action by action; after its end, all that descends from it is followed. Where the same state was
reached by another line sooner, that line's state is followed instead. It ends with a LineFate:

    chosen       it is the best line, or the start of it
    illegal      an action that is none at that point       pruned   not searched: a first move that was left out, or
                                                                     departs from the last plan, which was kept
    dead         the player burns                           lost in duplicates   all that follows was there already
    local_cut    enough states with the player on its cell were better
    global_cut   the layer was full of better states
    outscored    it was kept to the last layer, where another state was better
    unsearched   the budget ended before the first layer was complete
"""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from engine.rules import legal_actions
from hsctl.analysis.explain.lines import play_line
from hsctl.analysis.explain.panels.beam import terms_on_way
from hsctl.analysis.explain.roots import why_illegal
from hsctl.analysis.explain.trace import Extent, Terms
from hsctl.analysis.explain.why_not.rerun import NOWHERE, Children, Rerun
from search.beam.agent import BeamAgent
from search.beam.memory import best_line
from search.common.planning import LAST_PLAN

CHOSEN, ILLEGAL, PRUNED, DEAD, ABSORBED = "chosen", "illegal", "pruned", "dead", "lost in duplicates"
LOCAL_CUT, GLOBAL_CUT, OUTSCORED, UNSEARCHED = "local_cut", "global_cut", "outscored", "unsearched"


@dataclass(frozen=True)
class Standing:
    """How the line stood in one layer."""

    depth: int
    action: int | None  # None: after the end of the line, where all that descends from it counts
    states: int  # of the line, kept
    rank: int | None = None  # of its best child among all children of the layer, from 1
    of: int = 0  # children
    score: float | None = None  # of its best child
    absorbed_by: list[int] | None = None  # the line that reached the same state sooner
    duplicates: int = 0  # further children that other lines reached sooner; they are not followed


@dataclass(frozen=True)
class LineFate:
    """Where and why it ended; `rival` is the state that it lost against: the worst kept, or the best of all."""

    kind: str
    depth: int
    reason: str = ""
    rank: int | None = None
    of: int = 0
    score: float | None = None
    rival: float | None = None
    gap: float | None = None  # to the rival
    terms: Terms = field(default_factory=dict)  # own minus the rival's: they sum up to minus the gap
    width: int | None = None  # the smallest that would have kept it in this layer, all else equal
    local: int | None = None  # and the smallest cap per cell, where that is in the way


@dataclass(frozen=True)
class WhyNot:
    line: list[int]
    standings: list[Standing]
    fate: LineFate

    def limit(self, extent: Extent) -> Self:
        """As much of it as the JSON is to show."""
        return replace(self, standings=self.standings[: extent.depth])


def follow_line(agent: BeamAgent, state: np.record, line: list[int], plan: list[int], pruned: dict[int, str]) -> WhyNot:
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
