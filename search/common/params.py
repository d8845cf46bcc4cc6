"""The tunables that several agents share: the weights of the paper's evaluation (evaluate.py)."""

from dataclasses import dataclass

from search.params import Params, param

SECTION_5 = "paper, section 5"
SECTION_6 = "paper, section 6"
PUBLIC = "public bots"
SECTION_6_1 = "paper, section 6.1"


@dataclass(frozen=True)
class EvaluationParams(Params):
    """The weights of the paper's evaluation; tunables of every agent that uses it."""

    box: float = param(1.0, "points for each box destroyed (term 1)", SECTION_5)
    range_5: float = param(0.9, "points per range up to 5 (term 2)", SECTION_5)
    range_each: float = param(0.4, "points per range (term 2)", SECTION_5)
    first: bool = param(False, "count the first bomb among the extra ones (term 3)", SECTION_5)
    bombs_2: float = param(3.4, "points per extra bomb up to 2 (term 3)", SECTION_5)
    bombs_4: float = param(1.7, "points per extra bomb up to 4 (term 3)", SECTION_5)
    bombs_each: float = param(0.7, "points per extra bomb (term 3)", SECTION_5)
    gamma: float = param(
        0.95, "factor of a box to be destroyed, per turn until then (term 4)", SECTION_5, least=0, most=1
    )
    players: float = param(0.05, "points per cell of mean distance to the living others (term 5)", SECTION_5)
    centre: float = param(-0.04, "points per cell of distance to the centre, while boxes are many (term 6)", SECTION_5)
    near_boxes: float = param(-0.1, "points per cell of mean distance to the boxes, once few (term 6)", SECTION_5)
    many_boxes: int = param(20, "boxes above which there are many (term 6)", SECTION_5, least=0, most=200)
    sum_boxes: float = param(0.0, "points per cell of the sum of distances to all boxes (term 6)", PUBLIC)
    out: float = param(0.0, "points per own bomb on the board (term 3)", PUBLIC)
    dead: float = param(-1000.0, "points for being dead (term 7)", SECTION_5)
