"""The chance to win from a position, and what a change is worth."""

import pytest

from hsctl.league.intervals import (
    Change,
    Interval,
    Rollout,
    block_interval,
    difference_interval,
    estimate_chance,
    share_interval,
)
from hsctl.match.result import points_of


def rollouts(*points: float, courses: str = "abcdefghijklmnop") -> list[Rollout]:
    return [Rollout(each, course) for each, course in zip(points, courses, strict=False)]


@pytest.mark.parametrize(
    ("ranks", "team_size", "points"),
    [([1, 2], 1, [1, 0]), ([1, 1], 1, [0.5, 0.5]), ([1, 1, 3], 1, [0.5, 0.5, 0]), ([1, 1, 3, 3], 2, [1, 1, 0, 0])],
)
def test_a_first_place_shared_with_an_opponent_counts_half(ranks: list[int], team_size: int, points: list[int]) -> None:
    assert [points_of(ranks, seat, team_size) for seat in range(len(ranks))] == points


def test_distinct_games_count_one_by_one() -> None:
    found = estimate_chance(rollouts(1, 0, 0.5, 1))
    assert (found.wins, found.games, found.distinct) == (2.5, 4, 4)
    assert found.interval == block_interval([1, 0, 0.5, 1], [1, 1, 1, 1], prior_blocks=0)


def test_identical_games_say_no_more_than_one_of_them() -> None:
    twelve = estimate_chance(rollouts(*[0.0] * 12, courses="a" * 12))
    assert (twelve.distinct, twelve.is_one_game, twelve.interval) == (1, True, Interval(0, 1))
    alike = estimate_chance(rollouts(*[0.0] * 9, 1, 1, 1, courses="aaaaaaaabcde"))
    each = estimate_chance(rollouts(*[0.0] * 9, 1, 1, 1))
    assert alike.chance == each.chance == 0.25  # what a long series comes to
    assert alike.interval.low < each.interval.low and alike.interval.high > each.interval.high


def test_a_change_is_as_uncertain_as_both_chances() -> None:
    sure, unsure = estimate_chance(rollouts(*[1.0] * 12)), estimate_chance(rollouts(*[0.0] * 12, courses="a" * 12))
    known, unknown = Change(0, sure, estimate_chance(rollouts(*[0.0] * 12))), Change(0, sure, unsure)
    assert known.change == unknown.change == 1
    assert known.interval is not None and known.interval.low > 0.5
    assert unknown.interval is not None and unknown.interval.low < 0.01
    assert Change(0, sure).interval is None


def test_newcombes_interval_of_a_difference() -> None:
    """His example: 56 of 70 against 48 of 80, by Wilson's intervals without correction."""
    interval = difference_interval(56 / 70, share_interval(56, 70), 48 / 80, share_interval(48, 80))
    assert interval == pytest.approx((0.0524, 0.3339), abs=5e-5)
