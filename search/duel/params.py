"""The tunables of `duel`; what the report only mentions as improvements can be switched off one by one."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.params import Params, param

REPORT = "Jonsson and Strimbold 2024"
MENTIONED = f"{REPORT}, section 5, which only mentions it"


@dataclass(frozen=True)
class DuelParams(Params):
    """Tree search for two sides that move in turn."""

    c: float = param(2**0.5, "weight of exploration in UCT", f"{REPORT}, section 3.1", least=0)
    rounds: int = param(
        12,
        "rounds of a simulation; half a round more when the opponent is to move",
        f"{REPORT}, section 3.3",
        least=0,
        most=200,
    )
    box: float = param(1.0, "points for each box destroyed (a part of the length)", f"{REPORT}, equation 2")
    item: float = param(1.0, "points for each item taken (a part of the length)", f"{REPORT}, equation 2")
    life: float = param(10.0, "points for being alive (the health)", f"{REPORT}, equation 2")
    caution: bool = param(
        True,
        "leave out moves that are lost if the opponent bombs or takes an item at the same moment",
        f"{REPORT}, section 3.4",
    )
    joint: bool = param(True, "in a team of two, search the moves of both players in one tree", f"{REPORT}, section 3")
    keep: bool = param(True, "keep the tree from turn to turn", MENTIONED)
    share: bool = param(True, "equal states share one node, found by Zobrist hash", MENTIONED)
    dead_end: float = param(1.0, "points lost for standing in a dead end; 0: not looked at", f"{MENTIONED}; guess")
    space: float = param(0.05, "points per cell within 8 steps; 0: not looked at", f"{MENTIONED}; guess")
    capacity: int = param(
        131072, "nodes of the tree; once full, it stops growing", "as mcts has it", least=2, most=16777216
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {"keep": False, "share": False, "dead_end": 0.0, "space": 0.0},
        # Equation 2 has 10 x health, which is up to 100 there: a life is worth far more than ten boxes.
        "health": {"keep": False, "share": False, "dead_end": 0.0, "space": 0.0, "life": 1000.0},
    }
