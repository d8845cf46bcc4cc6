"""The goal: half the mean, half the worst opponent, with an interval that boards give."""

import pytest

from hsctl.research.tune.study import goal_of, weights_of
from tests.hsctl.games import made_game, standings_of

WON, DRAWN, LOST = (1, 2), (1, 1), (2, 1)
NAMES = ("candidate", "weak", "strong")


def test_the_goal_is_half_the_mean_and_half_the_worst() -> None:
    games = [made_game(WON, (0, 1), seed) for seed in (1, 2)]
    games += [made_game(DRAWN, (0, 2), 1), made_game(LOST, (0, 2), 2)]
    goal = goal_of(standings_of(*games, names=NAMES), 0, [1, 2])
    assert goal.scores == [1.0, 0.25]
    assert (goal.mean, goal.worst, goal.games) == (0.625, 1, 4)
    assert goal.value == pytest.approx((0.625 + 0.25) / 2)
    assert goal.interval.low < goal.value < goal.interval.high


def test_ranks_count_against_each_opponent_of_a_game() -> None:
    goal = goal_of(standings_of(made_game((2, 1, 3), (0, 1, 2), 5), names=NAMES), 0, [1, 2])
    assert goal.scores == [0.0, 1.0] and goal.value == 0.25


def test_weights_add_up_to_the_goal() -> None:
    assert weights_of(4, 2).tolist() == [0.125, 0.125, 0.625, 0.125]
    assert weights_of(1, 0).tolist() == [1.0]


def test_more_boards_make_the_interval_narrower() -> None:
    def width(boards: int) -> float:
        games = [made_game(WON if seed % 2 else LOST, (0, 1), seed) for seed in range(boards)]
        interval = goal_of(standings_of(*games, names=NAMES), 0, [1]).interval
        return interval.high - interval.low

    assert width(200) < width(20) < width(4) < 1


def test_boards_of_others_say_nothing_of_a_player() -> None:
    games = [made_game(WON if seed % 2 else LOST, (0, 1), seed) for seed in range(8)]
    elsewhere = [made_game(WON, (2, 1), seed) for seed in range(100, 120)]
    alone, among = (goal_of(standings_of(*some, names=NAMES), 0, [1]) for some in (games, games + elsewhere))
    assert alone == among
