"""The ladder: its levels are apart, and a bot climbs to the level that its results show."""

import math
import time

import pytest

from hsctl.match.players import read_player
from hsctl.match.result import Fate
from hsctl.match.runner import GameTask
from hsctl.testing.check import strength
from hsctl.testing.check.strength import (
    FORMAT,
    PLAYERS,
    VERSION,
    Climb,
    Ladder,
    Level,
    Score,
    estimate,
    level_at,
    pairs_within,
    place_of,
    read_ladder,
    strength_of,
)
from search.spec import is_agent
from tests.hsctl.games import made_game


def level(player: str, elo: float, low: float = 0.6) -> Level:
    return Level(player, elo, elo - 50, elo + 50, Score(0.76, low, 0.9))


LEVELS = [level(player, 200.0 * at) for at, player in enumerate(PLAYERS)]
LADDER = Ladder(FORMAT, VERSION, 100, 1, LEVELS)


def test_every_level_is_surely_better_than_the_one_below() -> None:
    ladder = read_ladder()
    assert ladder.unsettled() == []
    assert [level.player for level in ladder.levels] == list(PLAYERS)
    assert all(is_agent(level.player) for level in ladder.levels)
    elos = [level.elo for level in ladder.levels]
    assert elos == sorted(elos)


def test_levels_whose_order_is_not_sure_are_found() -> None:
    assert LADDER.unsettled() == []
    close = level("simple", 400.0, low=0.45)
    assert Ladder(FORMAT, VERSION, 1, 1, [*LEVELS[:2], close, *LEVELS[3:]]).unsettled() == [2]
    assert pairs_within(2)[:3] == [(0, 1), (0, 2), (1, 2)]


def climb(elo: float, luck: float = 0.5) -> Climb:
    """A bot of this strength on its way, as lucky as could be expected."""
    going = Climb(read_player("true"), LADDER, time.monotonic() + 1000)
    owed = luck
    for task in going.tasks():
        owed += strength.expected_score(elo - LEVELS[task.block_number].elo)
        is_won = owed >= 1
        owed -= is_won
        deliver(going, task, is_won)
    return going


def deliver(going: Climb, task: GameTask, is_won: bool, fate: Fate | None = None) -> None:
    ranks = (1, 2) if is_won else (2, 1)
    game = made_game(ranks, (0, 1), task.seed, task.block_number, deaths=[fate, None])
    going.add(game)


@pytest.mark.parametrize(("culprit", "is_hopeless"), [("bot", True), ("machine", False)])
def test_who_fails_in_the_first_games_climbs_no_further(culprit: str, is_hopeless: bool) -> None:
    going = Climb(read_player("true"), LADDER, time.monotonic() + 1000)
    tasks = going.tasks()
    for _ in range(2):
        deliver(going, next(tasks), False, Fate(3, "error", "timeout", "no answer", culprit=culprit))
    assert (going.is_hopeless, next(tasks, None) is None) == (is_hopeless, is_hopeless)


@pytest.mark.parametrize("elo", [-400.0, 90.0, 500.0, 700.0, 1300.0, 2400.0])
def test_a_bot_climbs_to_its_level(elo: float) -> None:
    found = strength_of(climb(elo), 1.0)
    assert found.low <= level_at(LEVELS, elo) <= found.high
    assert abs(found.level - level_at(LEVELS, elo)) < 1
    assert found.games <= 4 * strength.MOST_GAMES and found.of == len(LEVELS)


def test_a_series_counts_its_boards_in_order() -> None:
    series = strength.Series()
    series.add(1, 1.0)
    assert series.test.blocks == 0
    series.add(0, 0.0)
    assert series.test.blocks == 2 and len(series.points) == 2


def test_an_estimate_is_bounded_by_what_was_seen() -> None:
    even, low, high = estimate([(300.0, [1.0, 0.0] * 10)])
    assert even == pytest.approx(300, abs=5) and low < 200 and high > 400
    best, low, _ = estimate([(300.0, [1.0] * 10)])
    assert best > 600 and low > 300
    assert estimate([]) == (0.0, -math.inf, math.inf)


def test_a_level_has_its_place_between_two_players() -> None:
    assert level_at(LEVELS, 500.0) == 3.5
    assert place_of(LADDER, 3.5) == f"between {PLAYERS[2]} and {PLAYERS[3]}"
    assert place_of(LADDER, 0.0) == "below random"
    assert place_of(LADDER, float(len(PLAYERS))) == f"like {PLAYERS[-1]}, or above"
