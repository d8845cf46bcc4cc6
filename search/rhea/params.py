"""The tunables of `rhea`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from search.common.params import SECTION_6, EvaluationParams
from search.params import param

SECTION_6_2 = "paper, section 6.2"


@dataclass(frozen=True)
class RheaParams(EvaluationParams):
    """A rolling horizon evolutionary algorithm."""

    population: int = param(50, "individuals kept", SECTION_6_2, least=2, most=10000)
    offspring: int = param(50, "children per generation", SECTION_6_2, least=2, most=10000)
    length: int = param(17, "genes: actions ahead", SECTION_6_2, least=1, most=200)
    mutation: float = param(0.5, "chance that a gene of a child is replaced", SECTION_6_2, least=0, most=1)
    crossover: str = param("one-point", "one-point or uniform", SECTION_6_2)
    replacement: str = param("plus", "plus: parents and children compete; comma: children replace parents", SECTION_6_2)
    punishment: float = param(10.0, "points per turn that a state is unsurvivable before the end", "guess")
    op_share: float = param(0.1, "share of the budget for predicting each other player", SECTION_6, least=0, most=1)

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {"punishment": 10.0, "box": 1.0, "first": False},
        "nopunish": {"punishment": 0.0},  # section 6.3: survivability was off outside the beam
        "scaled": {"box": 10.0, "first": True},  # the scale of beam:scaled
    }
