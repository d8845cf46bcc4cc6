"""The tunables of `bias`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.common.params import SECTION_6_1
from search.params import Params, param

SOURCE = "Park et al. 2021, table 1"
HEURISTICS = ("constant", "value")
DECAYS = ("rewards", "value")
CHOICES = ("mean", "visits")
BONUSES = ("eq3", "eq2", "alg4")  # their order is that of the kernels (tree.py)
FRAMEWORK = "the framework that the report used"


@dataclass(frozen=True)
class BiasParams(Params):
    """Monte Carlo tree search with progressive bias and decaying reward."""

    c: float = param(1.4142135623730951, "weight of exploration in UCT", SOURCE)
    rollout: int = param(12, "rounds from the root to the end of a simulation", SOURCE, least=1, most=200)
    gamma: float = param(0.8, "factor of a reward, per round from the root", SOURCE, least=0, most=1)
    decays: str = param(
        "rewards",
        "what decays: rewards by their rounds, or the whole value by the depth of the new node",
        "two readings of section 4.1.3",
    )
    h: float = param(0.0, "weight of the heuristic: 0 is customBias, 1 advancedBias", SOURCE)
    heuristic: str = param("constant", "constant: 1 for every action; value: section 5 after the action", SOURCE)
    points: float = param(5.0, "points of section 5 above the root's that make the heuristic 1", "guess", least=0.001)
    normalise: bool = param(
        False, "scale a mean by the lowest and the highest value of its parent before UCT adds to it", FRAMEWORK
    )
    choose: str = param("mean", "the first move played: of the highest mean, or of the most visits", FRAMEWORK)
    bonus: str = param(
        BONUSES[0],
        "of exploration: eq3 sqrt(ln N / n), eq2 sqrt(N) / n, alg4 sqrt(2 ln N / n)",
        "three formulas of the report",
        is_later=True,
    )
    iterations: int = param(
        0, "walks through the tree at most; 0: as many as the budget allows", SOURCE, least=0, most=1000000000
    )
    reward: float = param(50.0, "factor of the rewards", SECTION_6_1)
    base: float = param(200.0, "constant from which the distance to the boxes is subtracted", SECTION_6_1)
    scale: float = param(400.0, "divisor of the whole value", SECTION_6_1, least=0.001)
    dead: float = param(-2.0, "value of a simulation in which the agent died", "below that of any life")
    bombs: int = param(4, "bombs up to which another one is rewarded", SECTION_6_1, least=0, most=100)
    capacity: int = param(131072, "nodes of the tree; once full, it stops growing", "as mcts", least=2, most=16777216)

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {"iterations": 200},
        "custom": {"h": 0.0, "heuristic": "constant"},
        "advanced": {"h": 1.0, "heuristic": "constant"},
        "value": {"h": 1.0, "heuristic": "value"},
        "plain": {"h": 0.0, "gamma": 1.0},
        "framework": {"normalise": True, "choose": "visits"},
    }
