"""The tunables of `chokudai`."""

from dataclasses import dataclass

from search.common.params import PUBLIC, EvaluationParams
from search.params import param


@dataclass(frozen=True)
class ChokudaiParams(EvaluationParams):
    """A chokudai search."""

    range_5: float = param(0.065, "points per range up to 5 (term 2)", PUBLIC)
    range_each: float = param(0.05, "points per range (term 2)", PUBLIC)
    bombs_2: float = param(0.32, "points per extra bomb up to 2 (term 3)", PUBLIC)
    bombs_4: float = param(0.0, "points per extra bomb up to 4 (term 3)", PUBLIC)
    bombs_each: float = param(0.19, "points per extra bomb (term 3)", PUBLIC)
    players: float = param(0.0, "points per cell of mean distance to the living others (term 5)", PUBLIC)
    centre: float = param(-0.004, "points per cell of distance to the centre, while boxes are many (term 6)", PUBLIC)
    near_boxes: float = param(0.0, "points per cell of mean distance to the boxes, once few (term 6)", PUBLIC)
    many_boxes: int = param(0, "boxes above which there are many (term 6)", PUBLIC, least=0, most=200)
    sum_boxes: float = param(-0.01, "points per cell of the sum of distances to all boxes (term 6)", PUBLIC)
    early: float = param(
        0.1,
        "boxes that a box is worth more for each turn that it is destroyed earlier; replaces gamma",
        PUBLIC,
        least=0,
        most=1,
    )
    depth: int = param(20, "turns ahead: queues", "guess", least=1, most=200)
    each: int = param(2, "states taken from each queue in a sweep", "guess", least=1, most=1000)
    capacity: int = param(
        131072, "states kept; once there is no room for more, the search ends", "guess", least=32, most=4194304
    )
