"""Intervals against the textbook, and against scipy where it is installed."""

from collections.abc import Callable
from random import Random

import pytest

from hsctl.league.intervals import (
    Interval,
    Share,
    block_interval,
    mean_interval,
    mean_share_interval,
    share_interval,
    share_of_games,
    sign_test,
    student,
)


def test_wilson_as_in_the_textbook() -> None:
    assert share_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert share_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert share_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_nothing_played_leaves_everything_possible() -> None:
    assert share_interval(0, 0) == (0.0, 1.0)
    assert mean_interval([], []) is None
    assert mean_interval([3.0], [1]) is None
    assert mean_interval([3.0, 4.0], [1, 1]) is None


def test_a_mean_of_few_values_by_hand() -> None:
    # mean 3, deviation 1, so 3 ± 4.3027 / sqrt(3)
    assert mean_interval([2.0, 3.0, 4.0], [1, 2, 3]) == pytest.approx((0.5159, 5.4841), abs=1e-4)
    assert mean_interval([7.0, 7.0], [1, 2]) == (7.0, 7.0)


def test_students_quantile_falls_to_the_normal_one() -> None:
    values = [student(freedom) for freedom in range(1, 400)]
    assert values == sorted(values, reverse=True)
    assert student(10**6) == pytest.approx(1.95996, abs=1e-4)


def test_both_agree_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in [*range(1, 40), 100, 1000]:
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=3e-4)
    for count, total in [(0, 7), (3, 7), (50, 100), (999, 1000)]:
        expected = stats.binomtest(count, total).proportion_ci(method="wilson")
        assert share_interval(count, total) == pytest.approx((expected.low, expected.high))
    values = [3.0, 8.0, 4.5, 1.0, 9.0, 2.0]
    mean = sum(values) / len(values)
    expected = stats.t.interval(0.95, len(values) - 1, loc=mean, scale=stats.sem(values))
    assert mean_interval(values, range(len(values))) == pytest.approx(expected)


def test_blocks_of_one_game_are_wilsons_with_students_quantile() -> None:
    counts = [1.0] * 300 + [0.0] * 700
    assert block_interval(counts, [1] * 1000) == pytest.approx(share_interval(300, 1000), abs=1e-3)


def test_games_that_repeat_each_other_count_once() -> None:
    repeated = block_interval([4.0, 0.0] * 50, [4] * 100)
    assert repeated == pytest.approx(share_interval(50, 100), abs=5e-3)


def test_means_of_games_that_repeat_each_other_count_once() -> None:
    values = [3.0, 8.0, 4.5, 1.0]
    twice, seeds = [value for value in values for _ in range(2)], [seed for seed in range(4) for _ in range(2)]
    assert mean_interval(twice, seeds) == pytest.approx(mean_interval(values, range(4)))


def test_shares_of_games_are_those_of_their_blocks() -> None:
    share = share_of_games([True, False, True, True], [1, 1, 2, 3])
    assert share == Share(3, 4, block_interval([1, 1, 1], [2, 1, 1]))
    assert share_of_games([], []) is None


def test_seats_that_balance_each_other_narrow_the_interval() -> None:
    low, high = block_interval([1.0] * 50, [2] * 50)
    wide_low, wide_high = share_interval(50, 100)
    assert high - low < (wide_high - wide_low) / 2


@pytest.mark.parametrize(("boards", "most"), [(3, 0.63), (6, 0.44), (12, 0.27)])
def test_a_player_that_lost_all_games_of_few_boards_has_a_useful_interval(boards: int, most: float) -> None:
    low, high = block_interval([0.0] * boards, [2] * boards)
    assert low == 0.0 and share_interval(0, 2 * boards).high < high < most


def test_whoever_won_all_has_as_many_games_as_blocks() -> None:
    low, high = block_interval([4.0] * 20, [4] * 20)
    assert high == pytest.approx(1.0)
    assert low == pytest.approx(share_interval(20, 20).low, abs=0.03)


def test_one_block_leaves_everything_possible() -> None:
    assert block_interval([2.0], [2]) == (0.0, 1.0)
    assert block_interval([], []) == (0.0, 1.0)


def test_a_mean_of_shares_stays_between_nothing_and_all() -> None:
    few = [0.02, 0.05, 0.3, 0.23]  # Student's interval would begin below 0
    usual, found = mean_interval(few, range(4)), mean_share_interval(few, range(4))
    assert usual is not None and usual.low < 0 and found is not None
    assert 0 < found.low < 0.15 < found.high < 1
    mirrored = mean_share_interval([1 - share for share in few], range(4))
    assert mirrored is not None and mirrored == pytest.approx((1 - found.high, 1 - found.low))


def test_a_mean_of_few_small_shares_is_contained_more_often_than_by_students() -> None:
    random, runs, truth = Random(1), 1000, 1 / 6
    series = [[random.betavariate(1, 5) for _ in range(4)] for _ in range(runs)]

    def contained(interval: Callable[[list[float], range], Interval | None]) -> float:
        found = [interval(shares, range(4)) for shares in series]
        return sum(each is not None and each.low <= truth <= each.high for each in found) / runs

    assert 0.92 < contained(mean_share_interval) < 0.97
    assert contained(mean_interval) < 0.91


def test_a_mean_of_many_shares_has_students_interval() -> None:
    shares = [0.45, 0.55, 0.5, 0.52, 0.48] * 20
    assert mean_share_interval(shares, range(100)) == pytest.approx(mean_interval(shares, range(100)), abs=1e-4)


def test_shares_that_are_all_alike_have_no_spread_and_a_single_block_has_no_interval() -> None:
    assert mean_share_interval([0.0, 0.0], [1, 2]) == (0.0, 0.0)
    assert mean_share_interval([0.1, 0.2], [7, 7]) is None


def test_a_coin_falls_as_unevenly_as_the_textbook_says() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 5) == 1.0
    assert sign_test(0, 5) == sign_test(5, 0) == pytest.approx(2 / 32)
    assert sign_test(9, 1) == pytest.approx(22 / 1024)
