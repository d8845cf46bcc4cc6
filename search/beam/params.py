"""The tunables of `beam`: the paper's, each enhancement a switch, and what goes beyond it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.common.params import EvaluationParams
from search.params import param

SECTION_6_3 = "paper, section 6.3"
OWN = "measured, docs/lab/strength.md"
DESCRIBED = "public descriptions of bots, docs/lab/strength.md"
# The weights as printed: one point a box, the first bomb not counted.
AS_PRINTED: dict[str, Any] = {
    **EvaluationParams().as_dict(),
    "early": 0.0,
    "early_many": 0.0,
    "horizon_many": 0,
    "phase": 0.0,
    "width": 500,
    "op_share": 0.15,
    "start": 0,
    "crowd": 0.0,
    "horizon": 0,
    "rivals": 0.0,
    "ends": False,
    "threats": 0,
    "settled": False,
    "trap": 0.0,
    "models": False,
}
# Ten points a box and the first bomb counted: the scale that the other weights stand on in public code of 2016.
SCALED = {**AS_PRINTED, "box": 10.0, "first": True}

# What public bots have in common apart from their weights: a box is one point, they predict nobody, and a first move
# must only survive a bomb of every other player.
PUBLIC_BOT = {
    **AS_PRINTED,
    "op": False,
    "players": 0.0,
    "centre": 0.0,
    "near_boxes": 0.0,
    "many_boxes": 0,
    "kills": False,
    "caution": True,
}


@dataclass(frozen=True)
class BeamParams(EvaluationParams):
    """Beam search with the paper's enhancements, each a switch, and what goes beyond it."""

    range_5: float = param(0.065, "points per range up to 5 (term 2)", OWN)
    range_each: float = param(0.05, "points per range (term 2)", OWN)
    bombs_2: float = param(0.32, "points per extra bomb up to 2 (term 3)", OWN)
    bombs_4: float = param(0.0, "points per extra bomb up to 4 (term 3)", OWN)
    bombs_each: float = param(0.19, "points per extra bomb (term 3)", OWN)
    players: float = param(0.0, "points per cell of mean distance to the living others (term 5)", OWN)
    centre: float = param(-0.004, "points per cell of distance to the centre, while boxes are many (term 6)", OWN)
    near_boxes: float = param(-0.3, "points per cell of mean distance to the boxes, once few (term 6)", OWN)
    many_boxes: int = param(15, "boxes above which there are many (term 6)", OWN, least=0, most=200)
    sum_boxes: float = param(-0.01, "points per cell of the sum of distances to all boxes (term 6)", OWN)
    width: int = param(32000, "states kept in a layer, at most", OWN, least=1, most=100000)
    local: int = param(12, "states kept per own cell in a layer (lb)", SECTION_6_3, least=1, most=100000)
    zh: bool = param(True, "drop duplicates by Zobrist hash", SECTION_6_3)
    op: bool = param(True, "predict the other players", SECTION_6_3)
    lb: bool = param(True, "local beams", SECTION_6_3)
    fmp: bool = param(True, "first move pruning", SECTION_6_3)
    kills: bool = param(True, "first moves that surely kill, or win by dying, come first (fmp)", SECTION_6_3)
    caution: bool = param(
        False, "leave out first moves that can't be survived if everybody else drops a bomb now (fmp)", DESCRIBED
    )
    sc: bool = param(True, "states that can't be survived lose points", SECTION_6_3)
    unsurvivable: float = param(
        -500.0, "points for a state that can't be survived (sc)", "guess; the paper only says: highly"
    )
    op_share: float = param(0.2, "share of the budget for predicting all others together (op)", OWN, least=0, most=1)
    models: bool = param(
        True,
        "predict a single opponent by the weights that foresaw them best in this game, ours or another's; "
        "from about 18,000 nodes on, or where the clock leaves as much time (op)",
        OWN,
    )
    start: int = param(
        60, "width of a first pass, which shows how wide the next can be; 0 = one pass", OWN, least=0, most=100000
    )
    crowd: float = param(
        0.025, "states kept per own cell as a share of the width, where that is more than `local`", OWN, least=0
    )
    early: float = param(
        0.05,
        "boxes that a box is worth more for each turn that it is destroyed earlier; replaces gamma",
        OWN,
        least=0,
        most=1,
    )
    early_many: float = param(
        0.1, "the least that `early` is with more than two players alive: boxes go faster then", OWN, least=0, most=1
    )
    phase: float = param(
        12.0, "boxes left per player below which range and bombs are worth less, in proportion; 0 = never", OWN, least=0
    )
    horizon: int = param(32, "turns ahead; 0 = to the end of the game", OWN, least=0, most=200)
    rivals: float = param(1.0, "points lost for each box of an opponent", OWN)
    ends: bool = param(True, "bombs that explode after the last turn are worth nothing", OWN)
    horizon_many: int = param(
        24, "the most that `horizon` is with more than two players alive; 0 = as it is", OWN, least=0, most=200
    )
    threats: int = param(5, "rounds for which first moves must hold whatever an opponent replies", OWN, least=0, most=6)
    threat_share: float = param(0.1, "share of the budget for `threats`, at most", OWN, least=0, most=1)
    settled: bool = param(
        True, "once the race for boxes is decided, keep away if it is won, hunt the last opponent if it is not", OWN
    )
    trap: float = param(2.0, "points for a bomb that leaves an opponent no way out", OWN)
    trap_decay: float = param(0.6, "factor of `trap`, per turn from now", OWN, least=0, most=1)
    hunt: float = param(8.0, "the same as `trap`, once the race for boxes is lost (settled)", OWN)
    hunt_decay: float = param(0.8, "factor of `hunt`, per turn from now", OWN, least=0, most=1)
    trust: float = param(
        0.5,
        "share of `trap` and `hunt` by the opponent's predicted cell; the rest by all cells they could reach",
        OWN,
        least=0,
        most=1,
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "reference": {"early": 0.1, "horizon": 24, "trap": 4.0},  # what reviews count by, however `beam` is tuned
        "paper": AS_PRINTED,
        "scaled": SCALED,
        "zh": {**AS_PRINTED, "width": 1000, "op": False, "lb": False, "fmp": False, "sc": False},
        "zh+op": {**AS_PRINTED, "op": True, "lb": False, "fmp": False, "sc": False},
        "zh+lb": {**AS_PRINTED, "op": False, "lb": True, "fmp": False, "sc": False},
        "zh+fmp": {**AS_PRINTED, "op": False, "lb": False, "fmp": True, "sc": False},
        "all": {**AS_PRINTED, "op": True, "lb": True, "fmp": True, "sc": False},
        "all+sc": AS_PRINTED,
        "eighth": {
            **PUBLIC_BOT,
            **{"early": 0.1, "sum_boxes": -0.01, "centre": -0.004, "out": 0.02},
            **{"range_5": 0.065, "range_each": 0.05, "bombs_2": 0.32, "bombs_4": 0.0, "bombs_each": 0.19},
            **{"width": 200, "local": 20, "horizon": 35},
        },
        "third": {
            **PUBLIC_BOT,
            **{"early": 0.1, "near_boxes": -0.05, "many_boxes": 100, "out": -0.02},
            **{"range_5": 0.08, "range_each": 0.04, "bombs_2": 0.3, "bombs_4": 0.11, "bombs_each": 0.05},
            **{"width": 100, "local": 6, "horizon": 8},
        },
        "gold": {
            **PUBLIC_BOT,
            **{"early": 1.0, "near_boxes": -0.02, "many_boxes": 100},
            **{"range_5": 0.09, "range_each": 0.04, "bombs_2": 0.34, "bombs_4": 0.17, "bombs_each": 0.07},
            **{"width": 150, "lb": False, "horizon": 8, "fmp": False},
        },
        "racer": {
            **PUBLIC_BOT,
            **{"early": 0.2, "sum_boxes": -0.01},
            **{"range_5": 0.02, "range_each": 0.0, "bombs_2": 0.2, "bombs_4": 0.0, "bombs_each": 0.0},
            **{"width": 400, "local": 20, "horizon": 15},
        },
        "hunter": {**SCALED, "players": -3.0, "trap": 200.0, "trap_decay": 0.9},
        "turtle": {**SCALED, "players": 3.0, "threats": 1},
    }
    FORMER: ClassVar[dict[str, str]] = {"literal": "paper"}
    SPARRING: ClassVar[dict[str, str]] = {
        "eighth": "an early version of the paper's beam: boxes early, all distances summed up, nobody predicted",
        "third": "third of the 2016 contest: narrow, eight turns deep",
        "gold": "a bot of the Gold league: a state's score is its parent's plus its own, eight turns deep",
        "racer": "boxes as early as possible, hardly any items, fifteen turns deep",
        "hunter": "the paper's beam at ten points a box that stays near the others and traps them",
        "turtle": "the paper's beam at ten points a box that stays away from the others",
    }
