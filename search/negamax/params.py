"""The tunables of `negamax`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.params import Params, param

REPORT = "report, section"


@dataclass(frozen=True)
class NegamaxParams(Params):
    """Alpha-beta against the nearest opponent."""

    depth: int = param(0, "plies of a fixed depth; 0: deepening by rounds until the budget ends", "ours", 0, 64)
    strategy: str = param(
        "auto",
        "auto (by phase and lead), sniper, mortar, defensive, nuke, baseline, bridge or control",
        f"{REPORT} 2 and 3.6",
    )
    opening: int = param(4, "first turns, in which a rule moves towards the centre", f"{REPORT} 1.1", 0, 200)
    few_boxes: int = param(10, "boxes left on the board when the end game begins", "guess", least=0, most=200)
    far: float = param(5.0, "pieces by which a player is far ahead or far behind", "guess", 0)
    boom: float = param(1.0, "factor of the report's weights of booms", f"{REPORT} 2.7-2.10")
    reach: int = param(
        8, "steps walked to the cell of the best next bomb; 0 in the report", "measured: 8 beats 0", 0, 16
    )
    decay: float = param(0.95, "factor of a hit, per round until the bomb explodes", "guess: as in the beam", 0, 1)
    rival: float = param(1.0, "boxes that an opponent in the fire of a bomb counts as", "guess: a piece is a piece")
    risk: float = param(10.0, "boxes lost when the known bombs can't be survived", "guess")
    potential: bool = param(
        False,
        "weigh the boom potential alone (2.7-2.10), not bombs that were let off",
        "two readings of it",
        is_later=True,
    )
    pruning: bool = param(True, "cut off what can't change the choice; off: plain negamax", f"{REPORT} 1")
    table: bool = param(True, "transposition table", f"{REPORT} 3.1")
    ordering: bool = param(True, "bombs first, then moves, then staying; off: by number", f"{REPORT} 3.4")
    killers: bool = param(True, "first try actions that cut off elsewhere at the same ply", f"{REPORT} 5")
    table_bits: int = param(16, "2^n entries of the table", "guess: about the nodes of 100 ms", 4, 24)

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {"depth": 2, "reach": 0, "killers": False},
        "greedy": {"depth": 1, "strategy": "baseline", "opening": 0},
        "control": {"depth": 1, "strategy": "control", "opening": 0},
    }
    FORMER: ClassVar[dict[str, str]] = {"report": "paper"}
