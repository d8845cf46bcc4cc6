"""How much each parameter matters: the share of the spread of goals that only its own curve explains.

Goals are fitted by a sum of parabolas, one for each parameter. Without a parameter's parabola the fit is worse; by how
much, beyond what two random numbers would explain, is its importance. The search narrows where it looks, so a
parameter that was settled early seems to matter less than it does.
"""

from collections.abc import Sequence

import numpy as np

from hsctl.tune.space import Tunable
from hsctl.tune.study import Trial

TRIALS_A_TERM = 3  # of the fit, at least


def importances(space: Sequence[Tunable], trials: Sequence[Trial]) -> dict[str, float] | None:
    """Shares of 0 to 1 by name; None if there are too few trials to tell."""
    tried = [trial for trial in trials if trial.values]
    terms = 1 + 2 * len(space)
    if len(tried) < TRIALS_A_TERM * terms:
        return None
    places = np.array([[each.coordinate(trial.values[each.name]) for each in space] for trial in tried])
    goals = np.array([trial.goal.value for trial in tried])
    spread = float(((goals - goals.mean()) ** 2).sum())
    if spread == 0:
        return {each.name: 0.0 for each in space}
    whole = left_over(places, goals)
    by_chance = 2 * whole / max(1, len(tried) - terms)
    return {
        each.name: max(0.0, (left_over(np.delete(places, at, axis=1), goals) - whole - by_chance) / spread)
        for at, each in enumerate(space)
    }


def left_over(places: np.ndarray, goals: np.ndarray) -> float:
    """The squared error of the fit."""
    terms = np.hstack([np.ones((len(places), 1)), places, places**2])
    fit, *_ = np.linalg.lstsq(terms, goals, rcond=None)
    return float(((goals - terms @ fit) ** 2).sum())
