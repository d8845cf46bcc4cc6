"""Comparisons: points of the first player, block by block, until the test knows."""

import pytest

from hsctl.stats.comparison import Comparison, points_of
from hsctl.stats.sequential import SequentialTest
from hsctl.views.comparison import describe_verdict
from hsctl.views.records import comparison_record
from tests.hsctl.games import made_game


@pytest.mark.parametrize(
    ("ranks", "seating", "points"), [((1, 2), (0, 1), 1.0), ((1, 2), (1, 0), 0.0), ((1, 1), (1, 0), 0.5)]
)
def test_points_are_those_of_the_first_player(ranks: tuple[int, int], seating: tuple[int, int], points: float) -> None:
    assert points_of(made_game(ranks, seating)) == points


def test_who_is_surely_ahead_is_said_before_the_test_ends() -> None:
    comparison = Comparison(["new", "old"], SequentialTest(0, 10, 0.05, 0.05), most_blocks=1000)
    for _ in range(20):
        comparison.add([made_game((1, 2), (0, 1)), made_game((1, 1), (1, 0))])
        if comparison.interval is not None and comparison.interval.low > 0.5:
            break
    assert comparison.test.verdict is None
    said = describe_verdict(comparison)
    assert said.startswith("new is surely ahead; the test for +10 Elo goes on; about ")
    losing = Comparison(["new", "old"], SequentialTest(0, 10, 0.05, 0.05), most_blocks=20)
    while losing.interval is None or losing.interval.high >= 0.5:
        losing.add([made_game((1, 2), (1, 0)), made_game((1, 1), (1, 0))])
    assert describe_verdict(losing).startswith("new is surely behind; ")


def test_a_comparison_adds_up_blocks_until_its_test_knows() -> None:
    comparison = Comparison(["new", "old"], SequentialTest(0, 50, 0.05, 0.05), most_blocks=1000)
    record = comparison_record(comparison)
    assert (record["score"], record["interval"], describe_verdict(comparison)) == (
        None,
        None,
        "too few games for a forecast",
    )
    while comparison.test.verdict is None:
        comparison.add([made_game((1, 2), (0, 1)), made_game((1, 1), (1, 0))])
    record = comparison_record(comparison)
    assert record["verdict"] == "better" and record["llr"] >= record["upper"]
    assert (record["wins"], record["draws"], record["losses"]) == (record["games"] / 2, record["games"] / 2, 0)
    assert describe_verdict(comparison) == "new is better than old"


def test_a_comparison_that_ran_out_of_games_is_undecided() -> None:
    comparison = Comparison(["new", "old"], SequentialTest(0, 5, 0.05, 0.05), most_blocks=2)
    for _ in range(2):
        comparison.add([made_game((1, 2), (0, 1)), made_game((1, 2), (1, 0))])
    assert describe_verdict(comparison).startswith("undecided after 4 games; about ")
    assert comparison_record(comparison)["verdict"] == "undecided"
