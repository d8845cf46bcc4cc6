"""Players of known strength: do intervals contain the truth, does the sequential test err as rarely as it says?

    result of a player = strength + favour of the board + favour of the seat + luck          luck: Gumbel's
                         fixed      one draw a block     fixed              one draw a game

Players are ranked by their results; two that are closer than `draw` share a place against each other. Without favours
and draws this is Bradley and Terry's model exactly. With them the truth is what a league without end would come to, so
it is taken from a very long one.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, cycle, islice

import numpy as np

from hsctl.league.comparison import BETTER, NOT_BETTER, SequentialTest
from hsctl.league.intervals import Change, Rollout, Share, block_interval, estimate_chance, share_interval
from hsctl.league.rating import ELO_PER_UNIT, rate, reachable, reference_of

RATING, BLOCKS, GAMES = "rating", "blocks", "games"
KINDS = (RATING, BLOCKS, GAMES)  # ratings; the first two players' score over blocks; the same over games one by one
LONG = 60_000  # blocks of the league that gives the truth
HALVINGS = 40
LEAST_HELD = 0.94  # of intervals that should contain the truth in 95 of 100
MOST_WRONG = 0.06  # of tests that should be wrong in 5 of 100
UNLIKELY = 0.001  # for each of some twenty shares: together an alarm in fifty that is none


@dataclass(frozen=True)
class World:
    """What games depend on besides strength, on the logistic scale (1 is 174 Elo)."""

    board: float = 0.0  # spread of what a board does for a player
    seat: float = 0.0  # what the first seat is worth
    draw: float = 0.0

    def results(self, rng: np.random.Generator, strengths: np.ndarray) -> Iterator[np.ndarray]:
        """The results of all games of each block [block, player in line-up], one rotation after the other."""
        favoured = strengths + rng.normal(0.0, self.board, strengths.shape)
        count = strengths.shape[1]
        for rotation in range(count):
            seats = (np.arange(count) + rotation) % count
            yield favoured + self.seat * (seats == 0) + rng.gumbel(size=strengths.shape)

    def points(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return np.where(np.abs(first - second) < self.draw, 0.5, first > second)


@dataclass(frozen=True)
class Setting:
    """A kind of league."""

    name: str
    elos: tuple[float, ...]
    seats: int
    blocks: int
    world: World

    def play(self, rng: np.random.Generator, blocks: int) -> np.ndarray:
        """Points of row against column [block, player, player]; every line-up equally often."""
        lineups = list(combinations(range(len(self.elos)), self.seats))
        drawn = np.array(list(islice(cycle(lineups), blocks)))
        points = np.zeros((blocks, len(self.elos), len(self.elos)))
        every = np.arange(blocks)
        for results in self.world.results(rng, np.array(self.elos)[drawn] / ELO_PER_UNIT):
            for i in range(self.seats):
                for j in set(range(self.seats)) - {i}:
                    points[every, drawn[:, i], drawn[:, j]] += self.world.points(results[:, i], results[:, j])
        return points


SETTINGS = (
    Setting("two, three boards", (100, -100), 2, 3, World(1.0, 0.5, 0.2)),
    Setting("two far apart, four boards", (300, -300), 2, 4, World(0.5, 0.5, 0.0)),
    Setting("two equals, few games", (0, 0), 2, 6, World(0.5, 0.5, 0.2)),
    Setting("two, boards decide much", (100, -100), 2, 40, World(2.0, 0.0, 0.3)),
    Setting("two, one nearly unbeaten", (350, -350), 2, 25, World()),
    Setting("three in pairs, far apart", (400, 0, -400), 2, 75, World(1.0, 0.5, 0.2)),
    Setting("six in pairs", (250, 150, 50, -50, -150, -250), 2, 150, World(1.0, 0.5, 0.2)),
    Setting("four in a game, three boards", (200, 50, -50, -200), 4, 3, World(1.0, 0.5, 0.2)),
    Setting("three in a game", (100, 0, -100), 3, 20, World(1.0, 0.5, 0.3)),
    Setting("six, four in a game", (250, 150, 50, -50, -150, -250), 4, 45, World(1.0, 0.5, 0.2)),
)


@dataclass
class Coverage:
    """How often intervals contained the truth, and of how many."""

    setting: Setting
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    total: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    def count(self, kind: str, is_held: bool) -> None:
        self.held[kind] += is_held
        self.total[kind] += 1

    def share(self, kind: str) -> Share:
        held, total = self.held[kind], self.total[kind]
        return Share(held, total, share_interval(held, total))


Tell = Callable[[int], None]  # how many more leagues or tests are finished


def check_intervals(setting: Setting, leagues: int, seed: int, tell: Tell) -> Coverage:
    """Play leagues and see which intervals contain the truth. A rating of too few games claims nothing."""
    rng = np.random.default_rng([seed, SETTINGS.index(setting)])
    names = [str(player) for player in range(len(setting.elos))]
    points = setting.play(rng, LONG)
    truth = np.array([rating.elo for rating in rate(names, list(points))], dtype=float)
    score = points[:, 0, 1].sum() / (points[:, 0, 1] + points[:, 1, 0]).sum()
    coverage = Coverage(setting)
    for _ in range(leagues):
        points = setting.play(rng, setting.blocks)
        reference = reference_of(reachable(points.sum(axis=0) > 0))
        for player, rating in enumerate(rate(names, list(points))):
            value = truth[player] - truth[reference].mean()
            is_above = rating.low is None or rating.low <= value
            coverage.count(RATING, is_above and (rating.high is None or value <= rating.high))
        won, lost = points[:, 0, 1], points[:, 1, 0]
        met = won + lost > 0
        low, high = block_interval(won[met].tolist(), (won + lost)[met].tolist())
        coverage.count(BLOCKS, low <= score <= high)
        low, high = share_interval(round(won.sum()), round((won + lost).sum()))
        coverage.count(GAMES, low <= score <= high)
        tell(1)
    return coverage


# The sequential test


@dataclass(frozen=True)
class SimulatedTrial:
    """A kind of comparison."""

    name: str
    elo0: float
    elo1: float
    world: World


TRIALS = (
    SimulatedTrial("independent, no draws", 0, 80, World()),
    SimulatedTrial("favours and draws", 0, 80, World(1.0, 0.5, 0.3)),
    SimulatedTrial("boards decide much", 0, 100, World(2.5, 0.0, 0.1)),
    SimulatedTrial("an edge to be kept", 200, 300, World(0.5, 0.5, 0.2)),
)
ALPHA = BETA = 0.05


@dataclass(frozen=True)
class Errors:
    """How often the test was wrong with the truth at either bound, and how many blocks it took on average.

    `held`: how often the score's interval contained the truth when the test stopped. Nothing promises
    that: a test stops when the score is extreme.
    """

    trial: SimulatedTrial
    better_at_elo0: Share
    not_better_at_elo1: Share
    blocks: tuple[float, float]
    held: Share


def check_test(trial: SimulatedTrial, tests: int, seed: int, tell: Tell) -> Errors:
    """Run this many tests at each bound."""
    rng = np.random.default_rng([seed, TRIALS.index(trial)])
    wrong, blocks, held = [], [], 0
    for elo, error in ((trial.elo0, BETTER), (trial.elo1, NOT_BETTER)):
        pool = block_scores(trial.world, elo, rng)
        ended, truth = [], float(pool.mean())
        for _ in range(tests):
            test, scores = run_test(trial, pool, rng)
            low, high = block_interval(scores, [1] * len(scores))
            held += low <= truth <= high
            ended.append(test)
            tell(1)
        count = sum(test.verdict == error for test in ended)
        wrong.append(Share(count, tests, share_interval(count, tests)))
        blocks.append(sum(test.blocks for test in ended) / tests)
    share = Share(held, 2 * tests, share_interval(held, 2 * tests))
    return Errors(trial, wrong[0], wrong[1], (blocks[0], blocks[1]), share)


def run_test(trial: SimulatedTrial, pool: np.ndarray, rng: np.random.Generator) -> tuple[SequentialTest, list[float]]:
    """A test that has come to its end, and the scores of the blocks that it took."""
    test, scores = SequentialTest(trial.elo0, trial.elo1, ALPHA, BETA), []
    while True:
        for score in rng.choice(pool, 64).tolist():
            test.add(score)
            scores.append(score)
            if test.verdict is not None:
                return test, scores


def block_scores(world: World, elo: float, rng: np.random.Generator) -> np.ndarray:
    """Mean scores of very many blocks, by a player that scores on average exactly what this Elo means."""
    target = SequentialTest(elo, elo + 1).score0
    games = list(world.results(rng, np.zeros((LONG, 2))))

    def scores(strength: float) -> np.ndarray:
        return np.mean([world.points(game[:, 0] + strength, game[:, 1]) for game in games], axis=0)

    low, high = -20.0, 20.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if scores(middle).mean() < target else (low, middle)
    return scores(low)


# Games of one position


@dataclass(frozen=True)
class Branching:
    """A kind of position. It leads to one of several games: how often to which is drawn (Dirichlet's distribution), and
    so is how each of them ends, by the player's chance in that position."""

    name: str
    games: int  # of a series
    courses: int  # that a game can take
    evenness: float = 1.0  # of how often: below 1, a few games come again and again
    chance: float | None = None  # None: anything from 0 to 1
    draws: float = 0.1  # of the games

    def draw(self, rng: np.random.Generator) -> tuple[list[Rollout], float]:
        """A series from such a position, and what a series without end would come to."""
        chance = rng.random() if self.chance is None else self.chance
        shares = rng.dirichlet(np.full(self.courses, self.evenness))
        points = np.where(rng.random(self.courses) < self.draws, 0.5, rng.random(self.courses) < chance)
        drawn = rng.choice(self.courses, self.games, p=shares)
        return [Rollout(float(points[course]), str(course)) for course in drawn], float(shares @ points)


BRANCHINGS = (
    Branching("all games differ", 12, 2_000),
    Branching("all differ, nearly always won", 12, 2_000, chance=0.96, draws=0.0),
    Branching("some the same", 12, 20),
    Branching("most the same", 12, 6, 0.3),
    Branching("all games differ, more games", 50, 2_000),
    Branching("some the same, more games", 50, 20),
)


@dataclass
class Rolled:
    """How often the intervals of series from one position contained the truth, and how many games were distinct."""

    branching: Branching
    series: int = 0
    chances: int = 0
    changes: int = 0
    distinct: float = 0.0  # on average

    def shares(self) -> list[Share]:
        """Of chances, and of changes between two positions."""
        counts = (self.chances, self.changes)
        return [Share(count, self.series, share_interval(count, self.series)) for count in counts]


def check_rollouts(branching: Branching, series: int, seed: int, tell: Tell) -> Rolled:
    """Play series from positions, two and two of which are compared."""
    rng = np.random.default_rng([seed, BRANCHINGS.index(branching)])
    found = Rolled(branching, series)
    for _ in range(series):
        (first, truth), (second, other) = branching.draw(rng), branching.draw(rng)
        change = Change(0, estimate_chance(first), estimate_chance(second))
        low, high = change.changed.interval
        found.chances += low <= truth <= high
        low, high = change.interval or (-1.0, 1.0)
        found.changes += low <= truth - other <= high
        found.distinct += change.changed.distinct / series
        tell(1)
    return found


# The verdict


def is_honest(coverages: Sequence[Coverage], errors: Sequence[Errors], rolled: Sequence[Rolled]) -> bool:
    """Whether nothing is clearly worse than promised: by more than chance and by more than a hundredth."""
    kinds = [(coverage, kind) for coverage in coverages for kind in (RATING, BLOCKS)]
    missed = [(coverage.total[kind] - coverage.held[kind], coverage.total[kind]) for coverage, kind in kinds]
    missed += [(each.series - held, each.series) for each in rolled for held in (each.chances, each.changes)]
    shares = [share for error in errors for share in (error.better_at_elo0, error.not_better_at_elo1)]
    wrong = [(int(share.count), share.total) for share in shares]
    return all(chance_of(count, total, 1 - LEAST_HELD) >= UNLIKELY for count, total in missed) and all(
        chance_of(count, total, MOST_WRONG) >= UNLIKELY for count, total in wrong
    )


def chance_of(count: int, total: int, share: float) -> float:
    """The chance of at least so many of a total, each with a chance of `share`: exact, for small numbers too."""
    chance, at_least = (1 - share) ** total, 0.0
    if chance == 0.0:  # too many for that: the normal distribution is as good
        return math.erfc((count - 0.5 - share * total) / math.sqrt(2 * total * share * (1 - share))) / 2
    for k in range(total + 1):
        at_least += chance if k >= count else 0.0
        chance *= (total - k) / (k + 1) * share / (1 - share)
    return at_least
