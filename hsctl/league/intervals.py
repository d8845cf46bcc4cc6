"""Intervals that contain the truth in 95 of 100 series: Wilson's for shares, Student's for means.

share   centre = (k + z²/2) / (n + z²),  half = z / (n + z²) · √(k (n - k) / n + z²/4)
blocks  the same with Student's t for z, and with the number of independent games that the spread of blocks implies;
        four blocks whose games have half in common count in, as a prior, so that few blocks don't mislead
mean    mean ± t(k - 1) · √(k / (k - 1) · Σ (sum of block i - mean · games of block i)²) / n,  k blocks, n games

Games of one seed from all seats resemble or balance each other. Counted one by one, their intervals miss the truth in
10 to 14 of 100 series instead of 5 (docs/lab/statistics.md): where blocks are known, use `block_interval`.
Means are over blocks too; if each value is its own block, that is Student's usual interval. A mean of shares has
Wilson's form, which never leaves 0 to 1 (`mean_share_interval`).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

Z = 1.959963984540054  # 97.5 % of the normal distribution lie below
T_SMALL = (  # the same of Student's, for 1 to 8 degrees of freedom; the series below is exact enough for more
    12.706204736174707,
    4.302652729749464,
    3.182446305283710,
    2.776445105197794,
    2.570581835636315,
    2.446911851144969,
    2.364624251592784,
    2.306004135204166,
)


PRIOR_BLOCKS = 4  # that the prior on the spread between blocks counts as
IN_COMMON = 0.5  # of two games on one board, by that prior


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Share:
    """A count of all games (a draw may count 1/2), with the 95 % interval that blocks give."""

    count: float
    total: int
    interval: Interval

    @property
    def value(self) -> float:
        return self.count / self.total


def share_of(counts: Sequence[float], totals: Sequence[int]) -> Share | None:
    """From the count and the number of games in each block; None without games."""
    return Share(sum(counts), sum(totals), block_interval(counts, totals)) if totals else None


def share_interval(count: int, total: int) -> Interval:
    """Wilson's interval of a share of `count` in `total`; anything is possible if there are no games."""
    return Interval(0.0, 1.0) if total == 0 else wilson(count / total, total, Z)


def block_interval(counts: Sequence[float], totals: Sequence[int], prior_blocks: int = PRIOR_BLOCKS) -> Interval:
    """Of a share of games, from the count and the number of games in each block; a draw may count 1/2.

    Few blocks can't show how much their games have in common. So the spread between them is averaged with a prior of
    some blocks whose games have half in common. The spread also includes one imagined block, half of it all won and
    half of it all lost, so no interval is without width.
    """
    if len(totals) < 2:
        return Interval(0.0, 1.0)
    games, size = sum(totals), sum(totals) / len(totals)
    share = (sum(counts) + size / 2) / (games + size)
    spread = sum((count - share * total) ** 2 for count, total in zip(counts, totals, strict=True))
    spread += size * size * (share * share + (1 - share) ** 2) / 2
    found = spread / ((games + size) * share * (1 - share))  # how many games count as one
    freedom, expected = len(totals) - 1, 1 + (size - 1) * IN_COMMON
    design = (prior_blocks * expected + freedom * found) / (prior_blocks + freedom)
    return wilson(sum(counts) / games, games / design, student(freedom + prior_blocks))


def share_of_games(happened: Sequence[bool], blocks: Sequence[int]) -> Share | None:
    """The same, from what happened in each game and the block it belongs to."""
    totals = Counter(blocks)
    counts = Counter(block for is_so, block in zip(happened, blocks, strict=True) if is_so)
    return share_of([counts[block] for block in totals], list(totals.values()))


def wilson(share: float, total: float, z: float) -> Interval:
    centre = (share * total + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * math.sqrt(total * share * (1 - share) + z * z / 4)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(
    values: Sequence[float], blocks: Sequence[int], least: float = -math.inf, most: float = math.inf
) -> Interval | None:
    """Of a mean of values, each of which belongs to a block; None for a single block: it has no spread.

    No mean is below `least` or above `most`: there the interval is cut.
    """
    members: dict[int, list[float]] = {}
    for value, block in zip(values, blocks, strict=True):
        members.setdefault(block, []).append(value)
    count = len(members)
    if count < 2:
        return None
    mean = fmean(values)
    spread = sum((sum(group) - mean * len(group)) ** 2 for group in members.values())
    half = student(count - 1) * math.sqrt(count / (count - 1) * spread) / len(values)
    return Interval(max(least, mean - half), min(most, mean + half))


def mean_share_interval(shares: Sequence[float], blocks: Sequence[int]) -> Interval | None:
    """Of a mean of values from 0 to 1, each of which belongs to a block; None for a single block.

    Wilson's interval for as many games as would spread like the blocks do: near one half that is Student's interval,
    and it ends before 0 and 1.
    """
    usual = mean_interval(shares, blocks)
    if usual is None or usual.low == usual.high:
        return usual
    mean, quantile = fmean(shares), student(len(set(blocks)) - 1)
    error = (usual.high - usual.low) / (2 * quantile)
    return wilson(mean, mean * (1 - mean) / (error * error), quantile)


def difference_interval(share: float, interval: Interval, other: float, other_interval: Interval) -> Interval:
    """Of a share less another that does not depend on it, from the intervals of both (Newcombe's method 10)."""
    below = math.hypot(share - interval.low, other_interval.high - other)
    above = math.hypot(interval.high - share, other - other_interval.low)
    return Interval(max(-1.0, share - other - below), min(1.0, share - other + above))


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t: a table, then Fisher's expansion around the normal one."""
    if freedom <= len(T_SMALL):
        return T_SMALL[freedom - 1]
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return Z + sum(term / freedom ** (k + 1) for k, term in enumerate(terms))


def sign_test(better: int, worse: int) -> float:
    """How often a fair coin falls as unevenly as this, either way (the exact binomial test)."""
    total, fewer = better + worse, min(better, worse)
    tail = sum(math.comb(total, count) for count in range(fewer + 1))
    return min(1.0, 2 * tail / 2**total)


# The chance to win from a position, by games played on from it, and what a change is worth. A win counts 1, a shared
# first place 1/2. Every game counts for the mean. But identical games show no more than one of them, however many there
# are, so they are one block of the interval.


class Rollout(NamedTuple):
    """A game, for one player."""

    points: float
    course: str  # games with the same are the same game


@dataclass(frozen=True)
class Estimate:
    """A player's chance to win, with a 95 % interval; 0 to 1 if all games were the same."""

    wins: float  # a shared first place is half of one
    games: int
    distinct: int
    interval: Interval

    @property
    def chance(self) -> float:
        return self.wins / self.games

    @property
    def is_one_game(self) -> bool:
        """Whether several games were the same."""
        return self.distinct == 1 < self.games


@dataclass(frozen=True)
class Change:
    """The chance of one player with a change, and without it if that could be played."""

    seat: int
    changed: Estimate
    unchanged: Estimate | None = None

    @property
    def change(self) -> float | None:
        return None if self.unchanged is None else self.changed.chance - self.unchanged.chance

    @property
    def is_one_game(self) -> bool:
        """Whether all games were the same, each way."""
        return self.changed.is_one_game and (self.unchanged is None or self.unchanged.is_one_game)

    @property
    def interval(self) -> Interval | None:
        one, other = self.changed, self.unchanged
        return None if other is None else difference_interval(one.chance, one.interval, other.chance, other.interval)


def estimate_chance(played: Sequence[Rollout]) -> Estimate:
    """From games of one position."""
    times, points = Counter(game.course for game in played), {game.course: game.points for game in played}
    interval = block_interval(
        [times[course] * points[course] for course in times], list(times.values()), prior_blocks=0
    )
    return Estimate(sum(game.points for game in played), len(played), len(times), interval)
