"""What a change is worth: the same games with and without it, pair by pair, as a change in the chance to win.

A pair are two games from one position with the same seed. A win counts 1, a shared first place 1/2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from hsctl.arena.finished import FinishedGame
from hsctl.stats.intervals import Interval, block_interval


@dataclass(frozen=True)
class Change:
    """The chance of one player; without pairs nothing is known of the game as it was."""

    seat: int
    games: int
    chance: float  # with the change
    interval: Interval
    before: float | None = None  # without it
    change: float | None = None
    change_interval: Interval | None = None


def points_of(game: FinishedGame, seat: int) -> float:
    return 0.0 if game.ranks[seat] != 1 else 0.5 if game.is_drawn else 1.0


def change_of(seat: int, changed: Sequence[FinishedGame], unchanged: Sequence[FinishedGame]) -> Change:
    """From games in the same order; `unchanged` may be empty."""
    points = [points_of(game, seat) for game in changed]
    chance, interval = fmean(points), interval_of(points)
    if not unchanged:
        return Change(seat, len(points), chance, interval)
    others = [points_of(game, seat) for game in unchanged]
    halves = [(1 + own - other) / 2 for own, other in zip(points, others, strict=True)]  # 0 to 1, as a share is
    low, high = interval_of(halves)
    before = fmean(others)
    return Change(seat, len(points), chance, interval, before, chance - before, Interval(2 * low - 1, 2 * high - 1))


def interval_of(values: Sequence[float]) -> Interval:
    """Each game for itself: all have seeds of their own."""
    return block_interval(values, [1] * len(values))
