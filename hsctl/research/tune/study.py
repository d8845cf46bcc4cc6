"""A study: generations of candidates, each with its games, until enough were tried.

    Study(...).run(trials, on_game)     plays what the study file lacks; `trials` and `best` grow meanwhile

The player as it was is trial 0, on the boards of the first generation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import HsctlError
from hsctl.budget import clock_of
from hsctl.league.games import League
from hsctl.league.intervals import Interval, block_interval
from hsctl.league.ledger import Ledger
from hsctl.league.runner import Runner, run_blocks
from hsctl.league.standings import Standings
from hsctl.match.finished import Delays
from hsctl.match.players import read_player
from hsctl.research.tune.boards import Boards, blocks_of
from hsctl.research.tune.subject import TunedParameter, TunedPlayer, Value

# The goal of a candidate: half its mean score against all opponents, half its score against the worst of them.
#
#     score   of the games with an opponent: a win 1, a draw 1/2; with more than two players, ranked above or level
#     goal    = 1/2 · mean of the scores + 1/2 · the lowest of them,  so = Σ weight · score
#
# The interval is that of blocks (stats/intervals.py): each board gives one value, what it says of the weighted sum.


WORTH = np.array([1.0, 0.5, 0.0])  # of a win, a draw, a loss


@dataclass(frozen=True)
class Goal:
    """What games said of a player."""

    scores: list[float]  # against each opponent
    value: float
    interval: Interval
    games: int

    @property
    def worst(self) -> int:
        """The number of the opponent with the lowest score."""
        return int(np.argmin(self.scores))

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores))


def weights_of(opponents: int, worst: int) -> np.ndarray:
    """How much the score against each opponent counts."""
    weights = np.full(opponents, 0.5 / opponents)
    weights[worst] += 0.5
    return weights


def goal_of(standings: Standings, player: int, opponents: Sequence[int]) -> Goal:
    """Of a player who met each of these opponents at least once."""
    results = np.array([standings.results(player, other) for other in opponents])  # [opponent, board, win draw loss]
    points, games = results @ WORTH, results.sum(axis=2)  # [opponent, board]
    is_played = games.sum(axis=0) > 0
    points, games = points[:, is_played], games[:, is_played]
    totals = games.sum(axis=1)
    scores = points.sum(axis=1) / totals
    weights = weights_of(len(opponents), int(np.argmin(scores)))
    value = float(weights @ scores)
    boards = points.shape[1]
    surplus = weights @ ((points - scores[:, None] * games) / totals[:, None])  # [board]
    interval = block_interval((value + boards * surplus).tolist(), [1] * boards)
    return Goal(scores.tolist(), value, interval, standings.players[player].games)


# The search for better values: CMA-ES, a cloud of candidates that moves to where the better half of them lies.
#
#     ask    a generation of candidates around the centre
#     tell   their goals; only their order counts, so noise does little harm while it is fair to all of them
#
# Generations are twice as large as usual for CMA-ES, which helps against noise. The answer is the centre of the cloud,
# not the luckiest candidate: docs/lab/evidence.md has the comparison behind both. Switches and small ranges of
# whole numbers keep a margin, so that the cloud never loses one of them by chance. The same seed and goals lead to the
# same candidates.


LARGER = 2  # than the usual size of a generation
SEED_BITS = 32  # of numpy's
FEWEST_AXES = 2  # of CMA-ES
IDLE = (-5.0, 5.0)  # ends of an axis that means nothing


class Search:
    """A search in a space, maximising."""

    def __init__(self, space: Sequence[TunedParameter], seed: int) -> None:
        self.space = space
        idle = max(0, FEWEST_AXES - len(space))
        ends = [*(each.ends for each in space), *[IDLE] * idle]
        grid = [*(each.grid for each in space), *[0.0] * idle]
        self._cloud = new_cloud(np.array(ends), np.array(grid), seed % (1 << SEED_BITS))
        self._asked: list[Any] = []  # the last generation as the cloud wants to be told of it

    @property
    def generation_size(self) -> int:
        return int(self._cloud.population_size)

    @property
    def is_finished(self) -> bool:
        """Whether the cloud has shrunk to a point."""
        return bool(self._cloud.should_stop())

    def ask(self) -> list[dict[str, Value]]:
        """The values of the next generation."""
        points = [self._cloud.ask() for _ in range(self.generation_size)]
        self._asked = [told for _, told in points]
        return [self._values(shown) for shown, _ in points]

    def tell(self, goals: Sequence[float]) -> None:
        """The goals of the last generation, in its order."""
        self._cloud.tell([(told, -goal) for told, goal in zip(self._asked, goals, strict=True)])

    @property
    def centre(self) -> dict[str, Value]:
        """What the search holds for the best by now."""
        return self._values(self._cloud.mean)

    def _values(self, point: Sequence[float]) -> dict[str, Value]:
        return {each.name: each.value(float(at)) for each, at in zip(self.space, point, strict=False)}


def new_cloud(ends: np.ndarray, grid: np.ndarray, seed: int) -> Any:
    """Around 0, its first step 1 along every axis."""
    try:
        from cmaes import CMAwM
    except ImportError:
        raise HsctlError("tune needs cmaes: pip install 'hsctl[tune]'") from None
    axes = len(ends)
    size = LARGER * (4 + int(3 * np.log(axes)))
    return CMAwM(np.zeros(axes), 1.0, ends, grid, seed=seed, population_size=size)


OnGame = Callable[[int], None]  # told how many games are finished


@dataclass(frozen=True)
class Trial:
    """A player that was tried."""

    number: int
    generation: int
    text: str
    values: dict[str, Value]  # empty for the player as it was
    goal: Goal


class Study:
    """What was tried so far. The players of `pool` are the opponents."""

    def __init__(
        self, subject: TunedPlayer, pool: League, boards: Boards, ledger: Ledger, runner_of: Callable[[League], Runner]
    ) -> None:
        self.subject = subject
        self.pool = pool
        self.boards = boards
        self.ledger = ledger
        self.runner_of = runner_of
        self.search = Search(subject.space, boards.seed)
        self.trials: list[Trial] = []
        self.games = 0  # of trials
        self.delays = Delays()  # in them
        self.played_now = 0  # those that were not in the study file, of the confirmation too

    @property
    def clock(self) -> str | None:
        """By which players think; None if nodes limit all of them."""
        return clock_of(
            [read_player(self.subject.start).spec, *(one.spec for one in self.pool.players)], self.pool.limits
        )

    @property
    def start(self) -> Trial:
        return self.trials[0]

    @property
    def ranked(self) -> list[Trial]:
        return sorted(self.trials, key=lambda trial: -trial.goal.value)

    @property
    def best(self) -> str:
        """What the search holds for the best player: the centre of its cloud, whether it was tried or not."""
        return self.subject.write(self.search.centre)

    def generations(self, trials: int) -> int:
        """How many generations have at least so many trials."""
        return -(-trials // self.search.generation_size)

    def games_of(self, trials: int) -> int:
        """How many games they take, at most: candidates that are equal play only once."""
        return (1 + self.generations(trials) * self.search.generation_size) * self.boards.trial_games

    def run(self, trials: int, on_game: OnGame) -> None:
        """Try at least so many candidates, fewer only if the search has shrunk to a point before."""
        for generation in range(self.generations(trials)):
            if self.search.is_finished:
                return
            asked = self.search.ask()
            tried = [(self.subject.write(values), values) for values in asked]
            if generation == 0:
                tried.insert(0, (self.subject.start, {}))
            goals = self.measure(generation, [text for text, _ in tried], on_game)
            for (text, values), goal in zip(tried, goals, strict=True):
                self.trials.append(Trial(len(self.trials), generation, text, values, goal))
            self.search.tell([goal.value for goal in goals[-len(asked) :]])

    def measure(self, generation: int, texts: Sequence[str], on_game: OnGame) -> list[Goal]:
        """Play a generation; equal candidates share their games."""
        unique = list(dict.fromkeys(texts))
        candidates = tuple(read_player(text) for text in unique)
        # Games that it has stand, or a study that is resumed would become another one.
        league = replace(self.pool, players=(*candidates, *self.pool.players), replaces_delayed=False)
        blocks = blocks_of(self.boards.of_generation(generation), len(unique))
        standings = Standings(league.names)
        results = run_blocks(league, blocks, self.ledger, self.runner_of(league))
        try:
            for game in results:
                standings.add(game)
                self.games += 1
                self.played_now += game.is_new
                on_game(self.games)
        finally:
            results.close()
        self.delays += standings.delays
        opponents = range(len(unique), len(league.players))
        goals = {text: goal_of(standings, number, opponents) for number, text in enumerate(unique)}
        return [goals[text] for text in texts]
