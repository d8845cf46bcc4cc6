"""Intervals against the textbook, and against scipy where it is installed."""

import pytest

from hsctl.arena.statistics import mean_interval, share_interval, student


def test_wilson_as_in_the_textbook() -> None:
    assert share_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert share_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert share_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_nothing_played_leaves_everything_possible() -> None:
    assert share_interval(0, 0) == (0.0, 1.0)
    assert mean_interval([]) is None
    assert mean_interval([3.0]) is None


def test_a_mean_of_few_values_by_hand() -> None:
    # mean 3, deviation 1, so 3 ± 4.3027 / sqrt(3)
    assert mean_interval([2.0, 3.0, 4.0]) == pytest.approx((0.5159, 5.4841), abs=1e-4)
    assert mean_interval([7.0, 7.0]) == (7.0, 7.0)


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
    assert mean_interval(values) == pytest.approx(expected)
