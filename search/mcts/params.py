"""The tunables of `mcts`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.common.params import SECTION_6, SECTION_6_1
from search.params import Params, param

DISTANCES = ("sum", "mean", "clip")


@dataclass(frozen=True)
class MctsParams(Params):
    """Single-player Monte Carlo tree search."""

    c: float = param(1.0, "weight of exploration in UCT", SECTION_6_1)
    rollout: int = param(15, "rounds of a random simulation", SECTION_6_1, least=0, most=1000)
    horizon: int = param(
        15,
        "rounds from the root to the end of a simulation at most; 0: `rollout` alone",
        SECTION_6_1,
        least=0,
        most=200,
    )
    gamma: float = param(0.98, "factor of a reward, per round until then", SECTION_6_1, least=0, most=1)
    reward: float = param(50.0, "factor of the rewards", SECTION_6_1)
    base: float = param(200.0, "constant from which the distance to the boxes is subtracted", SECTION_6_1)
    distance: str = param(
        "mean",
        "to the boxes: sum over all, their mean, or clip: the sum, at most `base`",
        "measured, docs/papers/beam.md",
    )
    scale: float = param(400.0, "divisor of the whole value", SECTION_6_1, least=0.001)
    dead: float = param(0.0, "value of a simulation in which the agent died", SECTION_6_1)
    bombs: int = param(4, "bombs up to which another one is rewarded", SECTION_6_1, least=0, most=100)
    op_share: float = param(0.1, "share of the budget for predicting each other player", SECTION_6, least=0, most=1)
    whole: bool = param(True, "predict others by the whole best simulation, not by the tree alone", SECTION_6)
    careful: bool = param(True, "leave out first moves that an opponent can punish within two turns", SECTION_6_1)
    capacity: int = param(
        131072, "nodes of the tree; once full, it stops growing", "measured: 100 ms need 60,000", least=2, most=16777216
    )

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {"distance": "sum", "horizon": 0, "whole": False},
        # With the sum, any life is worth less than death at the start; 200, 400 and 50 suit a value from 0 to 1.
        "meandist": {"distance": "mean", "horizon": 15, "whole": True},
    }
    FORMER: ClassVar[dict[str, str]] = {"literal": "paper"}
