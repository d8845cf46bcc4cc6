"""Two against two: when it ends, and who won."""

import pytest

from engine.board import STAY
from engine.errors import EngineError
from engine.game import NONE_LEFT, TURN_LIMIT, Game
from engine.notation import parse_position
from engine.state import MAX_TURNS
from engine.variants import ONE_TEAM_LEFT, TeamGame, in_teams, mates_of
from tests.engine.draw import board

FAR_BOX = "......0"
WAIT = [STAY] * 4


def start(drawing: str, turn: int = 0) -> TeamGame:
    return in_teams(parse_position(board(drawing), turn, seats=4))


# Bombs next to players 0 and 2 explode in the next round, the one next to player 1 a round later.
BURNING = f"""
    {FAR_BOX}
    0 0 0 0 1 3
    0 1 12 10 1 3
    0 2 12 0 1 3
    0 3 0 10 1 3
    1 0 1 0 1 3
    1 2 11 0 1 3
    1 1 11 10 2 3
    """


def test_teammates_sit_in_opposite_corners():
    places = {player.id: (player.x, player.y) for player in TeamGame.start(1, 4).players()}
    assert places == {0: (0, 0), 1: (12, 10), 2: (12, 0), 3: (0, 10)}
    assert [mates_of(TeamGame.start(1, 4), seat) for seat in range(4)] == [(1,), (0,), (3,), (2,)]
    assert mates_of(Game.start(1, 4), 0) == ()


def test_the_game_goes_on_while_each_team_has_a_player():
    game = start(BURNING)
    game.step(WAIT)
    assert (game.living, game.reason) == ([1, 3], None)


def test_the_game_ends_when_both_players_of_a_team_are_dead():
    game = start(BURNING)
    game.step(WAIT)
    game.step(WAIT)
    assert (game.living, game.reason) == ([3], ONE_TEAM_LEFT)
    assert game.ranks() == [3, 3, 1, 1]


def test_a_teammate_s_bomb_kills_as_any_other():
    game = start(
        f"""
        {FAR_BOX}
        0 0 0 0 1 3
        0 1 12 10 1 3
        0 2 12 0 1 3
        0 3 0 10 1 3
        1 1 1 0 1 3
        """
    )
    game.step(WAIT)
    assert game.living == [1, 2, 3]


def test_both_teams_may_go_out_together_and_then_boxes_count():
    game = start(
        f"""
        {FAR_BOX}
        0 0 0 0 1 3
        0 2 2 0 1 3
        1 0 1 0 1 3
        """
    )
    game.set_scores([3, 5, 4, 3])
    game.step(WAIT)
    assert game.reason == NONE_LEFT
    assert game.ranks() == [1, 1, 3, 3]


TWO_AND_ONE = f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 12 10 1 3\n0 2 12 0 1 3"
TWO_AND_TWO = f"{TWO_AND_ONE}\n0 3 0 10 1 3"


@pytest.mark.parametrize(
    ("drawing", "boxes", "ranks"),
    [
        (TWO_AND_ONE, [0, 0, 9, 9], [1, 1, 3, 3]),
        (TWO_AND_TWO, [1, 4, 9, 0], [3, 3, 1, 1]),
        (TWO_AND_TWO, [1, 4, 5, 0], [1, 1, 1, 1]),
    ],
)
def test_at_the_turn_limit_more_survivors_win_then_more_boxes_of_both(drawing, boxes, ranks):
    game = start(drawing, MAX_TURNS - 1)
    game.set_scores(boxes)
    game.step(WAIT)
    assert (game.reason, game.ranks()) == (TURN_LIMIT, ranks)


def test_a_copy_is_a_game_of_teams_too():
    assert start(TWO_AND_TWO).copy().ranks() == [1, 1, 1, 1]


def test_teams_need_four_seats():
    with pytest.raises(EngineError, match="4 seats, not 3"):
        in_teams(Game.start(1, 3))
