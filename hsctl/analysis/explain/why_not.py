"""Why another line was not chosen: where it fell, what it was worth, and what the search knows of it.

A line ends with a LineFate:

    chosen       it is the best line, or the start of it
    illegal      an action that is none at that point       pruned   not searched: a first move that was left out, or
                                                                     departs from the last plan, which was kept
    dead         the player burns                           lost in duplicates   all that follows was there already
    local_cut    enough states with the player on its cell were better
    global_cut   the layer was full of better states
    outscored    it was kept to the last layer, where another state was better
    unsearched   the budget ended before the first layer was complete
    outvalued    the search tried it, and preferred another move
    untried      the search never tried it

`follow_line` dispatches on the agent's class, as `read_search` does. Of an agent without a follower, it says what is
known of the first move.
"""

from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Self

import numpy as np

from engine.errors import EngineError, HsctlError
from engine.game import Game
from engine.notation import parse_order, resolve
from engine.rules import ACTION_NAMES, BOMB, legal_actions
from hsctl.analysis.explain.findings import Extent, Findings, Terms, action_at, play_line, why_illegal
from search.agent import Agent, Decision
from search.common.first_moves import members

CHOSEN, ILLEGAL, PRUNED, DEAD, ABSORBED = "chosen", "illegal", "pruned", "dead", "lost in duplicates"
LOCAL_CUT, GLOBAL_CUT, OUTSCORED, UNSEARCHED = "local_cut", "global_cut", "outscored", "unsearched"
OUTVALUED, UNTRIED = "outvalued", "untried"
KEPT, VISITS, INDIVIDUALS = "kept", "visits", "individuals"
AT_MOST = "at most"  # the reason of a value that is an upper bound


@dataclass(frozen=True)
class Standing:
    """How the line stood at one depth."""

    depth: int
    action: int | None  # None: after the end of the line, where all that descends from it counts
    states: int  # of the line: kept, visits, or individuals; WhyNot.counts has the word
    rank: int | None = None  # of its best child among all children of the layer, or of the node; from 1
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
    """Another line and what became of it."""

    line: list[int]
    standings: list[Standing]
    fate: LineFate
    counts: str = KEPT  # what `states` of a standing counts

    def limit(self, extent: Extent) -> Self:
        """As much of it as the JSON shows."""
        return replace(self, standings=self.standings[: extent.depth])


@singledispatch
def follow_line(
    agent: Agent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    """What became of a line in the search of the agent's last decision, which was this one on this state."""
    return WhyNot(line[:1], [], fate_before_search(line, decision, findings) or fate_by_value(line, decision, findings))


def fate_before_search(line: list[int], decision: Decision, findings: Findings) -> LineFate | None:
    """The fate of a line that needs no following: it was chosen, or its first move was left out."""
    if list(decision.plan[: len(line)]) == line:
        return LineFate(CHOSEN, len(line))
    root = findings.roots[line[0]]
    return LineFate(PRUNED if root.legal else ILLEGAL, 1, root.pruned) if root.pruned else None


def fate_by_value(line: list[int], decision: Decision, findings: Findings) -> LineFate:
    """The fate of a first move by the values that the agent compared."""
    found, chosen = findings.roots[line[0]].best, findings.roots[decision.action].best
    if found is None or chosen is None:
        return LineFate(UNTRIED, 1)
    values = sorted((root.best.value for root in findings.roots if root.best), reverse=True)
    terms = {name: found.terms.get(name, 0.0) - value for name, value in chosen.terms.items()} if found.terms else {}
    rank, gap = values.index(found.value) + 1, chosen.value - found.value
    return LineFate(OUTVALUED, 1, "", rank, len(values), found.value, chosen.value, gap, terms)


def fate_of_standings(standings: list[Standing], best: list[float]) -> LineFate:
    """The fate of a line that was tried to its end: it lost where it first was not the best, whose values are given."""
    lost = next((standing for standing in standings if standing.rank != 1), None)
    if lost is None:
        return LineFate(CHOSEN, len(standings))
    rival, score = best[lost.depth - 1], lost.score
    assert score is not None
    return LineFate(OUTVALUED, lost.depth, "", lost.rank, lost.of, score, rival, rival - score)


def fate_of_untried(
    agent: Agent, state: np.record, player: int, line: list[int], standings: list[Standing], best: list[float]
) -> LineFate:
    """The fate of a line whose next action the search has not tried: impossible, or it had lost already."""
    depth = len(standings) + 1
    before = play_line(agent, state, player, line[: depth - 1])[-1] if depth > 1 else state
    if not before.players[player]:
        return LineFate(DEAD, depth - 1)
    if line[depth - 1] not in members(int(legal_actions(before, player))):
        return LineFate(ILLEGAL, depth, why_illegal(before, player, line[depth - 1]))
    has_lost = any(standing.rank != 1 for standing in standings)
    return fate_of_standings(standings, best) if has_lost else LineFate(UNTRIED, depth)


# Lines as text: actions separated by commas, as in `right,right+bomb` or `BOMB 3 4,MOVE 5 4`


def parse_line(text: str, game: Game, seat: int, plans: dict[int, list[int]]) -> list[int]:
    """The actions of a line: their names, or the arena's orders.

    What an order comes to depends on the board by then: the line is played, the others doing as predicted.
    """
    game, line = game.copy(), []
    for turns, word in enumerate(text.split(",")):
        line.append(parse_action(word.strip(), game, seat))
        game.step([line[-1] if at == seat else action_at(plans.get(at, ()), turns) for at in range(game.seats)])
    return line


def parse_action(word: str, game: Game, seat: int) -> int:
    if word.lower() in ACTION_NAMES:
        return ACTION_NAMES.index(word.lower())
    try:
        order = parse_order(word)
    except EngineError:
        moves = ", ".join(ACTION_NAMES[:BOMB])
        raise HsctlError(
            f"--why-not: {word!r} is not an action; write MOVE x y, BOMB x y, or one of {moves}, each also with +bomb"
        ) from None
    if seat not in game.living:
        raise HsctlError(f"--why-not: player {seat} is dead before {word!r}; write a shorter line")
    return resolve(game.state, seat, order)
