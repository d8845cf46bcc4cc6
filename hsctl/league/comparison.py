"""Is A better than B? Games of both, block by block, and a sequential test that stops as soon as the answer is clear.

    H0: A scores as a player of elo0 (against B)        H1: as one of elo1

    llr = log of the likelihood of the blocks under H1 over that under H0
    upper = log((1 - beta) / alpha)   better             lower = log(beta / (1 - alpha))   not better

A block is one seed from all seats; its mean score (a draw is 1/2) is one observation, so games that share a seed or
balance each other's seats don't mislead the test. Nothing is assumed about how scores are spread: under each hypothesis
they have the likeliest distribution over the values met whose mean is the hypothesis's (a generalised sequential
probability ratio test, as chess engine testers use).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from engine.errors import HsctlError
from hsctl.league.intervals import Interval, block_interval
from hsctl.match.result import Delays, GameResult, SlowStart, delays_of

PRIOR = 1.0  # blocks assumed beforehand: without them the first block alone would decide
FEWEST_BLOCKS = 2  # for a forecast
MOST_STEPS = 100
LEAST_GAP = 0.1  # of Elo: a smaller one would take millions of games
MOST_ELO = 2000  # a score of 0.99999: there is nothing to test beyond
EXACT = 1e-10

BETTER, NOT_BETTER = "better", "not better"


def expected_score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


class SequentialTest:
    """The state of one test. The error rates: alpha of "better" under H0, beta of "not better" under H1."""

    def __init__(self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not (elo0 >= -MOST_ELO and elo1 <= MOST_ELO and elo1 - elo0 >= LEAST_GAP):
            wanted = f"elo1 must be at least {LEAST_GAP:g} above elo0, both within {MOST_ELO} of 0"
            raise HsctlError(f"elo0 {elo0:g} and elo1 {elo1:g}: {wanted}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise HsctlError(f"alpha {alpha:g} and beta {beta:g}: error rates are between 0 and 0.5")
        self.elo1 = elo1
        self.score0, self.score1 = expected_score(elo0), expected_score(elo1)
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)
        middle = (self.score0 + self.score1) / 2
        self.scores = {0.0: PRIOR * (1 - middle), 1.0: PRIOR * middle}  # a block's score -> how often
        self.blocks = 0
        self.llr = 0.0
        self.verdict: str | None = None  # final, whatever is added later

    def add(self, block_score: float) -> None:
        """Count a finished block: A's mean score in its games, 0 to 1."""
        if not 0 <= block_score <= 1:
            raise ValueError(f"a block's mean score is between 0 and 1, not {block_score}")
        self.blocks += 1
        self.scores[block_score] = self.scores.get(block_score, 0.0) + 1
        values, counts = list(self.scores), list(self.scores.values())
        self.llr = log_likelihood(values, counts, self.score1) - log_likelihood(values, counts, self.score0)
        if self.verdict is None and not self.lower < self.llr < self.upper:
            self.verdict = BETTER if self.llr >= self.upper else NOT_BETTER

    def forecast(self) -> int | None:
        """Blocks left on average if A goes on as before: a random walk between the bounds; None if it is unknown."""
        if self.verdict is not None:
            return 0
        if self.blocks < FEWEST_BLOCKS:
            return None
        values, counts = list(self.scores), list(self.scores.values())
        tilt0, tilt1 = tilt_to(values, counts, self.score0), tilt_to(values, counts, self.score1)
        steps = [math.log1p(tilt0 * (x - self.score0)) - math.log1p(tilt1 * (x - self.score1)) for x in values]
        shares = [count / sum(counts) for count in counts]
        drift = sum(share * step for share, step in zip(shares, steps, strict=True))  # of the llr, by one more block
        variance = sum(share * (step - drift) ** 2 for share, step in zip(shares, steps, strict=True))
        return math.ceil(mean_exit_time(self.lower - self.llr, self.upper - self.llr, drift, variance))


def log_likelihood(values: Sequence[float], counts: Sequence[float], mean: float) -> float:
    """Of the counts under their likeliest distribution with this mean, up to a constant."""
    tilt = tilt_to(values, counts, mean)
    return -sum(count * math.log1p(tilt * (value - mean)) for value, count in zip(values, counts, strict=True))


def tilt_to(values: Sequence[float], counts: Sequence[float], mean: float) -> float:
    """What makes the mean of a distribution right that gives value x the weight count / (1 + tilt (x - mean))."""
    parts = [(count, value - mean) for value, count in zip(values, counts, strict=True)]
    low, high = -1 / max(x for _, x in parts), -1 / min(x for _, x in parts)  # where a weight would be infinite
    tilt = 0.0
    for _ in range(MOST_STEPS):
        slopes = [(count, x / (1 + tilt * x)) for count, x in parts]
        excess = sum(count * slope for count, slope in slopes)  # falls as the tilt grows
        low, high = (tilt, high) if excess > 0 else (low, tilt)
        step = excess / sum(count * slope * slope for count, slope in slopes)  # Newton's
        if abs(step) < EXACT:
            break
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
    return tilt


def mean_exit_time(lower: float, upper: float, drift: float, variance: float) -> float:
    """Of a Brownian motion from 0, lower < 0 < upper."""
    if abs(drift) * (upper - lower) < 1e-6 * variance:
        return -lower * upper / variance
    rate = -2 * drift / variance
    at_lower, at_upper = math.expm1(clipped(rate * lower)), math.expm1(clipped(rate * upper))
    up = at_lower / (at_lower - at_upper)  # the chance to leave above
    return (up * upper + (1 - up) * lower) / drift


def clipped(exponent: float) -> float:
    return max(-500.0, min(500.0, exponent))


# The comparison

WIN, DRAW, LOSS = 1.0, 0.5, 0.0  # points
GAMES_A_BLOCK = 2


class LostGame(NamedTuple):
    """A game that a player lost."""

    seed: int
    seating: tuple[int, ...]


def games_lost(games: Iterable[GameResult], player: int) -> list[LostGame]:
    """The games in which a player was not first, in their order."""
    return [
        LostGame(game.seed, game.seating)
        for game in games
        if player in game.seating and game.ranks[game.seating.index(player)] > 1
    ]


class Comparison:
    """All blocks so far. `clock` is None if no player has one."""

    def __init__(self, names: Sequence[str], test: SequentialTest, most_blocks: int, clock: str | None = None) -> None:
        self.new, self.old = names
        self.clock = clock
        self.test = test
        self.most_blocks = most_blocks
        self.points: list[float] = []  # of the new player, by game
        self.scores: list[float] = []  # the same by block, 0 to 1
        self.delays = Delays()
        self.without_replay = 0  # games
        self.slow_starts: list[list[SlowStart]] = [[], []]  # of each player that is a bot, in games played now
        self.played_now = 0  # games that are not from a ledger
        self.faithful: list[list[int]] = [[], []]  # turns of each player that is a ghost, by game
        self.lost: list[LostGame] = []  # by the new player
        self.faulty: list[GameResult] = []  # games with silent faults

    def add(self, block: Sequence[GameResult]) -> None:
        points = [game.points_of_player(0) for game in block]
        self.points += points
        self.delays += delays_of(block)
        self.without_replay += sum(game.replay is None for game in block)
        self.played_now += sum(game.is_new for game in block)
        self.lost += games_lost(block, 0)
        self.faulty += [game for game in block if any(game.faults)]
        for game in block:
            for player, slow in zip(game.seating, game.slow_starts, strict=False):
                self.slow_starts[player] += [] if slow is None else [slow]
            for player, turns in zip(game.seating, game.faithful_turns, strict=False):
                self.faithful[player] += [] if turns is None else [turns]
        self.scores.append(fmean(points))
        self.test.add(self.scores[-1])

    @property
    def verdict(self) -> str | None:
        """Of the test; None while it is undecided, and if the machine delayed too much for a verdict."""
        return self.test.verdict if self.delays.is_valid else None

    @property
    def games(self) -> int:
        return len(self.points)

    @property
    def wins(self) -> int:
        return self.points.count(WIN)

    @property
    def draws(self) -> int:
        return self.points.count(DRAW)

    @property
    def losses(self) -> int:
        return self.points.count(LOSS)

    @property
    def score(self) -> float | None:
        """The mean of all blocks, 0 to 1; None without any."""
        return fmean(self.scores) if self.scores else None

    @property
    def interval(self) -> Interval | None:
        return block_interval(self.scores, [1] * len(self.scores)) if self.scores else None

    @property
    def faithful_turns(self) -> dict[str, float]:
        """Of those that are ghosts, for how many turns they repeated their record on average."""
        turns = zip((self.new, self.old), self.faithful, strict=True)
        return {name: fmean(each) for name, each in turns if each}

    @property
    def faults(self) -> dict[str, dict[str, int]]:
        """How often each player's answers had which silent fault."""
        counts: dict[str, Counter[str]] = {self.new: Counter(), self.old: Counter()}
        for game in self.faulty:
            for player, faults in zip(game.seating, game.faults, strict=True):
                counts[(self.new, self.old)[player]].update({name: fault.count for name, fault in faults.items()})
        return {name: dict(found) for name, found in counts.items() if found}

    @property
    def is_full(self) -> bool:
        """Whether no more blocks will be played, decided or not."""
        return len(self.scores) >= self.most_blocks


def games_of(blocks: int) -> int:
    return GAMES_A_BLOCK * blocks
