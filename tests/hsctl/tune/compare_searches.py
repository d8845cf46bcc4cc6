"""Which search finds most with so many games? Made-up players whose strength is known, so that the truth can be told.

    python -m tests.hsctl.tune.compare_searches 20 6000      # players, games of a study; TPE if optuna is installed

A made-up player has parameters between 0 and 1, starts in the middle, and meets three opponents, each of which is best
met a little elsewhere; some parameters matter much more than others. Shown is the share of the possible gain in the
goal, over all players, that each search reaches: by its centre, and by the trial with the highest goal.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from random import Random
from statistics import fmean
from typing import Any

import hsctl.tune.search
from hsctl.tune.search import Search
from hsctl.tune.space import new_tunable

OPPONENTS = 3
Point = list[float]
Found = tuple[Point, Point]  # the centre, the trial with the highest goal


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
        hsctl.tune.search.LARGER = larger
        search = Search(space, seed)
        tried: list[tuple[float, Point]] = []
        while len(tried) < trials:
            points = [[float(value) for value in values.values()] for values in search.ask()]
            goals = [play(point) for point in points]
            search.tell(goals)
            tried += zip(goals, points, strict=True)
        return [float(value) for value in search.centre.values()], max(tried)[1]

    return run


def by_tpe(target: Target, trials: int, play: Callable[[Point], float], seed: int) -> Found:
    """Its centre is the mean of the tenth with the highest goals."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    tried: list[tuple[float, Point]] = []

    def ask(trial: Any) -> float:
        point = [trial.suggest_float(f"p{at}", 0, 1) for at in range(target.parameters)]
        tried.append((play(point), point))
        return tried[-1][0]

    sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.enqueue_trial({f"p{at}": 0.5 for at in range(target.parameters)})
    study.optimize(ask, n_trials=trials)
    return centre_of(tried), max(tried)[1]


def by_chance(target: Target, trials: int, play: Callable[[Point], float], seed: int) -> Found:
    random = Random(seed)
    points = [[random.random() for _ in range(target.parameters)] for _ in range(trials)]
    tried = [(play(point), point) for point in points]
    return centre_of(tried), max(tried)[1]


def centre_of(tried: list[tuple[float, Point]]) -> Point:
    top = [point for _, point in sorted(tried, reverse=True)[: max(4, len(tried) // 10)]]
    return [fmean(values) for values in zip(*top, strict=True)]


def gains(search: Any, parameters: int, games: int, total: int, players: int) -> tuple[float, float]:
    """Shares of the gain that is possible with all players together: by the centre, by the highest trial."""
    possible, centre, top = 0.0, 0.0, 0.0
    for seed in range(players):
        target = Target(parameters, seed)
        start = target.goal([0.5] * parameters)
        possible += highest(target) - start
        trials = total // (games * OPPONENTS)
        found = search(target, trials, lambda point, target=target: target.played(point, games), seed + 1)
        centre += target.goal(found[0]) - start
        top += target.goal(found[1]) - start
    return centre / possible, top / possible


def highest(target: Target) -> float:
    """The goal at the best point: found without noise."""
    centre, _ = by_cloud(2)(target, 1500, target.goal, 1)
    return target.goal(centre)


def main() -> None:
    players, total = int(sys.argv[1]), int(sys.argv[2])
    searches = {"CMA-ES": by_cloud(1), "CMA-ES, twice as large": by_cloud(2), "by chance": by_chance}
    if find_spec("optuna"):
        searches["TPE"] = by_tpe
    print(f"{'search':24} parameters  games of a trial with each opponent  centre  highest trial")
    for parameters in (2, 5, 10):
        for name, search in searches.items():
            for games in (10, 20, 40):
                centre, top = gains(search, parameters, games, total, players)
                print(f"{name:24} {parameters:10}  {games:36}  {100 * centre:4.0f} %  {100 * top:11.0f} %", flush=True)


if __name__ == "__main__":
    main()
