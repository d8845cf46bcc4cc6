"""How much each parameter matters: the share of the spread of goals that only its own curve explains.

Goals are fitted by the mean of each generation, whose boards are its own, and a parabola for each parameter. Without a
parameter's parabola the fit is worse; by how much, beyond what two random numbers would explain, is its importance. The
search narrows where it looks, so a parameter that was settled early seems to matter less than it does.
"""

from collections.abc import Sequence

import numpy as np

from hsctl.tune.space import Tunable
from hsctl.tune.study import Trial

TRIALS_A_TERM = 3  # of the fit, at least
NOTHING = 1e-12  # of squared goals


def importances(space: Sequence[Tunable], trials: Sequence[Trial]) -> dict[str, float] | None:
    """Shares of 0 to 1 by name; None if there are too few trials to tell."""
    tried = [trial for trial in trials if trial.values]
    numbers = np.array([trial.generation for trial in tried])
    generations = (numbers[:, None] == np.unique(numbers)).astype(float)  # [trial, generation]
    terms = generations.shape[1] + 2 * len(space)
    if len(tried) < TRIALS_A_TERM * terms:
        return None
    places = np.array([[each.coordinate(trial.values[each.name]) for each in space] for trial in tried])
    goals = np.array([trial.goal.value for trial in tried])
    spread, whole = left_over(goals, generations), left_over(goals, generations, places)
    if spread < NOTHING:
        return {each.name: 0.0 for each in space}
    by_chance = 2 * whole / (len(tried) - terms)
    without = [left_over(goals, generations, np.delete(places, at, axis=1)) for at in range(len(space))]
    return {each.name: max(0.0, (left - whole - by_chance) / spread) for each, left in zip(space, without, strict=True)}


def left_over(goals: np.ndarray, generations: np.ndarray, *places: np.ndarray) -> float:
    """The squared error of the fit."""
    terms = np.hstack([generations, *places, *(each**2 for each in places)])
    fit, *_ = np.linalg.lstsq(terms, goals, rcond=None)
    return float(((goals - terms @ fit) ** 2).sum())
