"""The tunables of `seeker`."""

from dataclasses import dataclass

from search.common.params import PUBLIC
from search.params import Params, param


@dataclass(frozen=True)
class SeekerParams(Params):
    """A goal-seeker."""

    box: float = param(1.0, "points for a box", PUBLIC)
    hidden: float = param(0.5, "points more for a box with a bomb in it", PUBLIC)
    bomb: float = param(1.5, "points for a bomb to pick up", PUBLIC)
    spare: float = param(0.5, "points for a bomb to pick up beyond the second", PUBLIC)
    range: float = param(0.5, "points for a range to pick up", PUBLIC)
    decay: float = param(0.93, "factor per round until a goal is reached", "guess", least=0, most=1)
    horizon: int = param(24, "rounds ahead", PUBLIC, least=1, most=40)
    goals: int = param(8, "goals of a state that are tried, at most", "guess", least=1, most=16)
