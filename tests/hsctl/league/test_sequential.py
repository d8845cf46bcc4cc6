"""The sequential test: its bounds, its direction, its forecast. Its error rates are in test_simulation.py."""

import math

import pytest

from engine.errors import HsctlError
from hsctl.league.comparison import SequentialTest, expected_score, log_likelihood, mean_exit_time


def test_bounds_are_walds() -> None:
    test = SequentialTest(0, 10, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert (test.llr, test.verdict) == (0.0, None)


def test_a_score_of_three_quarters_is_191_elo() -> None:
    assert expected_score(190.85) == pytest.approx(0.75, abs=1e-5)
    assert expected_score(0) == 0.5


def test_two_values_are_as_likely_as_a_coin() -> None:
    likelihood = log_likelihood([0.0, 1.0], [3.0, 7.0], 0.6) - log_likelihood([0.0, 1.0], [3.0, 7.0], 0.5)
    assert likelihood == pytest.approx(3 * math.log(0.4 / 0.5) + 7 * math.log(0.6 / 0.5))


def test_better_and_not_better_are_found() -> None:
    for scores, verdict in [((1.0, 0.5, 1.0, 0.75), "better"), ((0.0, 0.5, 0.25, 0.5), "not better")]:
        test = SequentialTest(0, 50)
        while test.verdict is None:
            test.add(scores[test.blocks % 4])
        assert test.verdict == verdict
        assert test.blocks < 100


def test_the_first_blocks_never_decide_alone() -> None:
    test = SequentialTest(0, 20)
    for _ in range(10):
        test.add(1.0)
    assert test.verdict is None and test.llr > 0


@pytest.mark.parametrize(("elo1", "blocks"), [(10, 20), (10, 60), (50, 10)])
def test_who_wins_everything_needs_about_as_many_blocks_as_foretold(elo1: int, blocks: int) -> None:
    test = SequentialTest(0, elo1)
    for _ in range(blocks):
        test.add(1.0)
    foretold, needed = test.forecast(), 0
    while test.verdict is None:
        test.add(1.0)
        needed += 1
    assert foretold is not None and abs(foretold - needed) <= 0.1 * needed


def test_a_verdict_stays() -> None:
    test = SequentialTest(0, 200)
    while test.verdict is None:
        test.add(1.0)
    for _ in range(200):
        test.add(0.0)
    assert test.verdict == "better"
    assert test.llr < test.lower


def test_blocks_that_always_balance_decide_faster_than_those_that_never_do() -> None:
    def needed(scores: tuple[float, float]) -> int:
        test = SequentialTest(0, 30)
        while test.verdict is None:
            test.add(scores[test.blocks % 2])
        return test.blocks

    assert needed((0.5, 0.5)) * 3 < needed((0.0, 1.0))


def test_the_forecast_comes_true() -> None:
    test = SequentialTest(0, 40)
    assert test.forecast() is None
    scores = (1.0, 0.5, 0.75, 0.0)
    for i in range(60):
        test.add(scores[i % 4])
    forecast = test.forecast()
    assert test.verdict is None and forecast is not None
    while test.verdict is None:
        test.add(scores[test.blocks % 4])
    assert test.blocks - 60 == pytest.approx(forecast, rel=0.3)
    assert test.forecast() == 0


def test_a_walk_without_drift_leaves_after_the_product_of_its_bounds() -> None:
    assert mean_exit_time(-2.0, 3.0, 0.0, 0.5) == pytest.approx(12.0)
    assert mean_exit_time(-2.0, 3.0, 1e-9, 0.5) == pytest.approx(12.0)
    assert mean_exit_time(-2.0, 3.0, 1.0, 0.001) == pytest.approx(3.0)
    assert mean_exit_time(-2.0, 3.0, -1.0, 0.001) == pytest.approx(2.0)


def test_wrong_bounds_and_rates_are_refused() -> None:
    with pytest.raises(HsctlError, match="above elo0"):
        SequentialTest(10, 10)
    with pytest.raises(HsctlError, match="above elo0"):
        SequentialTest(0, 1e-300)
    with pytest.raises(HsctlError, match="error rates"):
        SequentialTest(0, 10, alpha=0.5)
