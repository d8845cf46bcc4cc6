"""The tunables of `simple`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.params import Params, param


@dataclass(frozen=True)
class SimpleParams(Params):
    """The rule bot."""

    box: float = param(1.0, "points for a box that a bomb would hit", "guess")
    item: float = param(1.2, "points for an item to walk onto", "guess")
    decay: float = param(0.9, "factor per step of the way", "guess", least=0, most=1)
    sure: bool = param(True, "count no item as cover that it would take away itself", "measured")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"trusting": {"sure": False}}  # as before 0.2.0: on the ladder
