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
"""

from dataclasses import dataclass, field, replace
from typing import Self

from engine.errors import EngineError, HsctlError
from engine.game import Game
from engine.notation import parse_order, resolve
from engine.rules import ACTION_NAMES, BOMB
from hsctl.analysis.explain.findings import Extent, Terms, action_at

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
            f"--why-not: {word!r} is not an action; expected MOVE x y, BOMB x y, or {moves}, each also with +bomb"
        ) from None
    if seat not in game.living:
        raise HsctlError(f"--why-not: {word!r}: player {seat} is dead by then, expected a shorter line")
    return resolve(game.state, seat, order)
