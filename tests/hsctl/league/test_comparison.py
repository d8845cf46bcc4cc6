"""Comparisons: points of the first player, block by block, until the test knows."""

from dataclasses import replace

import pytest

from hsctl.league.comparison import Comparison, SequentialTest
from hsctl.match.result import SlowStart
from hsctl.report.comparison import comparison_view, describe_verdict
from hsctl.report.records import comparison_record
from tests.hsctl.games import made_game


@pytest.mark.parametrize(
    ("ranks", "seating", "points"), [((1, 2), (0, 1), 1.0), ((1, 2), (1, 0), 0.0), ((1, 1), (1, 0), 0.5)]
)
def test_points_are_those_of_the_first_player(ranks: tuple[int, int], seating: tuple[int, int], points: float) -> None:
    assert made_game(ranks, seating).points_of_player(0) == points


def test_who_is_ahead_is_said_only_when_all_games_are_played() -> None:
    winning, losing = [Comparison(["new", "old"], SequentialTest(0, 10, 0.05, 0.05), most_blocks=20) for _ in "ab"]
    while not winning.is_full:
        assert "ahead" not in describe_verdict(winning)
        winning.add([made_game((1, 2), (0, 1)), made_game((1, 1), (1, 0))])
        losing.add([made_game((1, 2), (1, 0)), made_game((1, 1), (1, 0))])
    assert winning.test.verdict is None
    assert describe_verdict(winning).startswith("new is ahead by its interval; undecided after 40 games; about ")
    assert describe_verdict(losing).startswith("new is behind by its interval; ")


def test_first_answers_that_would_be_late_on_the_arena_are_told() -> None:
    comparison = Comparison(["new", "old"], SequentialTest(0, 10, 0.05, 0.05), most_blocks=20)
    slow = [SlowStart(1600.0, 1000.0, True), None]
    comparison.add([replace(made_game((1, 2), seating), slow_starts=slow) for seating in ((0, 1), (1, 0))])
    comparison.add([replace(made_game((1, 2), (0, 1)), is_new=False)] * 2)
    lines = [str(line) for line in comparison_view(comparison).renderables]
    took = "its first answer took 1.6 s; the first turn has 1 s, on the arena including the start"
    assert lines[-2:] == [f"new: {took}", f"old: {took}"]
    comparison.add([replace(made_game((1, 2), (0, 1)), slow_starts=slow)] * 2)
    lines = [str(line) for line in comparison_view(comparison).renderables]
    assert lines[-2:] == [f"new: {took} (too long in 3 of 4 games)", f"old: {took}"]


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
