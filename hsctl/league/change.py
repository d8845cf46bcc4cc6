"""The chance to win from a position, by games played on from it; and what a change is worth.

A win counts 1, a shared first place 1/2. Every game counts for the mean: that is what a series without end comes to.
But identical games say no more than one of them, however many there are, so they are one block of the interval.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hsctl.league.intervals import Interval, block_interval, difference_interval


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
