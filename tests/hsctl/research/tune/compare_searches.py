"""Which search finds most with so many games? Made-up players whose strength is known, so that the truth can be told.

    python -m tests.hsctl.research.tune.compare_searches 20 6000 2 5 10   # players, games, numbers of parameters

A made-up player has parameters between 0 and 1, starts in the middle, and meets three opponents, each of which is best
met a little elsewhere; some parameters matter much more than others. Shown is the share of the possible gain in the
goal, over all players, that each search reaches: by the centre of its cloud if it has one, by the mean of the tenth of
its trials with the highest goals, by the highest of all. TPE takes part if optuna is installed.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from math import isnan
from random import Random
from statistics import fmean
from typing import Any

import hsctl.research.tune.study
from hsctl.research.tune.study import Search
from hsctl.research.tune.subject import new_tunable

OPPONENTS = 3
Point = list[float]
Tried = list[tuple[float, Point]]  # goals and points
Found = tuple[Tried, Point | None]  # and the centre
ANSWERS = ("centre", "highest tenth", "highest")


class Target:
    """A made-up player."""

    def __init__(self, parameters: int, seed: int) -> None:
        self.random = Random(seed)
        self.parameters = parameters
        draw = self.random.uniform
        middles = [draw(0.1, 0.9) for _ in range(parameters)]
        self.bases = [draw(0.5, 0.75) for _ in range(OPPONENTS)]
        self.best = [[middle + draw(-0.1, 0.1) for middle in middles] for _ in range(OPPONENTS)]
        matters = [10 ** draw(-1, 0) for _ in range(parameters)]
        self.matters = [1.5 * each / fmean(matters) / parameters**0.5 for each in matters]

    def scores(self, point: Point) -> list[float]:
        """The true ones."""
        losses = [
            sum(each * (at - best) ** 2 for each, at, best in zip(self.matters, point, bests, strict=True))
            for bests in self.best
        ]
        return [min(0.98, max(0.02, base - loss)) for base, loss in zip(self.bases, losses, strict=True)]

    def goal(self, point: Point) -> float:
        return goal_of(self.scores(point))

    def played(self, point: Point, games: int) -> float:
        """The goal that so many games against each opponent would show."""
        return goal_of([sum(self.random.random() < each for _ in range(games)) / games for each in self.scores(point)])


def goal_of(scores: Sequence[float]) -> float:
    return (fmean(scores) + min(scores)) / 2


def by_cloud(larger: int) -> Callable[[Target, int, Callable[[Point], float], int], Found]:
    def run(target: Target, trials: int, play: Callable[[Point], float], seed: int) -> Found:
        space = [new_tunable(f"p{at}", 0, 1, 0.5, float, has_range=True) for at in range(target.parameters)]
        hsctl.research.tune.study.LARGER = larger
        search = Search(space, seed)
        tried: Tried = []
        while len(tried) < trials:
            points = [[float(value) for value in values.values()] for values in search.ask()]
            goals = [play(point) for point in points]
            search.tell(goals)
            tried += zip(goals, points, strict=True)
        return tried, [float(value) for value in search.centre.values()]

    return run


def by_tpe(target: Target, trials: int, play: Callable[[Point], float], seed: int) -> Found:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    tried: Tried = []

    def ask(trial: Any) -> float:
        point = [trial.suggest_float(f"p{at}", 0, 1) for at in range(target.parameters)]
        tried.append((play(point), point))
        return tried[-1][0]

    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.enqueue_trial({f"p{at}": 0.5 for at in range(target.parameters)})
    study.optimize(ask, n_trials=trials)
    return tried, None


def by_chance(target: Target, trials: int, play: Callable[[Point], float], seed: int) -> Found:
    random = Random(seed)
    points = [[random.random() for _ in range(target.parameters)] for _ in range(trials)]
    return [(play(point), point) for point in points], None


def answers(tried: Tried, centre: Point | None) -> list[Point | None]:
    ranked = [point for _, point in sorted(tried, reverse=True)]
    top = ranked[: max(4, len(ranked) // 10)]
    return [centre, [fmean(values) for values in zip(*top, strict=True)], ranked[0]]


def gains(search: Any, parameters: int, games: int, total: int, players: int) -> list[str]:
    """Shares of the gain that is possible with all players together, by each answer."""
    possible, reached = 0.0, [0.0] * len(ANSWERS)
    for seed in range(players):
        target = Target(parameters, seed)
        start = target.goal([0.5] * parameters)
        possible += highest(parameters, seed) - start
        trials = total // (games * OPPONENTS)
        found = search(target, trials, lambda point, target=target: target.played(point, games), seed + 1)
        for at, point in enumerate(answers(*found)):
            reached[at] += float("nan") if point is None else target.goal(point) - start
    return ["" if isnan(each) else f"{100 * each / possible:.0f} %" for each in reached]


@cache
def highest(parameters: int, seed: int) -> float:
    """The goal at the best point: found without noise."""
    target = Target(parameters, seed)
    _, centre = by_cloud(2)(target, 1500, target.goal, 1)
    assert centre is not None
    return target.goal(centre)


def main() -> None:
    players, total, *numbers = map(int, sys.argv[1:])
    searches = {"CMA-ES": by_cloud(1), "CMA-ES, twice as large": by_cloud(2), "by chance": by_chance}
    if find_spec("optuna"):
        searches["TPE"] = by_tpe
    print("| parameters | search | games | " + " | ".join(ANSWERS) + " |\n" + "|---" * (3 + len(ANSWERS)) + "|")
    for parameters in numbers:
        for name, search in searches.items():
            for games in (10, 40):
                shares = gains(search, parameters, games, total, players)
                print(f"| {parameters} | {name} | {games} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main()
