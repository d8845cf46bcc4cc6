"""Whoever lives until the game is over is saved, whatever bombs are left by then."""

import pytest

from engine.board import DOWN
from engine.game import NO_BOXES, SURVIVAL, TURN_LIMIT, Game
from engine.notation import parse_position
from engine.variants import in_teams
from hsctl.analysis.review.deaths import NOTHING
from hsctl.analysis.review.saving import proof_of
from replays.playback import Playback
from tests.engine.draw import board
from tests.hsctl.analysis.review.brute import check
from tests.hsctl.analysis.review.test_deaths import STAY, death_in, replay_of

IN_THE_CORNER = """
    .....
    .X.X.
    .....
    0 0 0 0 0 3
    0 1 12 10 1 3
    1 1 2 0 3 3
    1 1 0 2 4 3
    """  # from the first bomb player 0 can only go down, where the second one reaches them a round later


def in_the_corner(turn: int = 0, boxless_rounds: int = 20) -> Game:
    game = parse_position(board(IN_THE_CORNER), turn)
    game.last_box_counter = boxless_rounds
    return game


@pytest.mark.parametrize(("turn", "boxless_rounds", "end"), [(197, 20, TURN_LIMIT), (100, 3, NO_BOXES)])
def test_a_bomb_that_the_game_does_not_live_to_see_kills_nobody(turn: int, boxless_rounds: int, end: str) -> None:
    playback = Playback(replay_of(in_the_corner(turn, boxless_rounds), ([], [])))
    death = death_in(playback)
    assert (death.turn, death.last_turn, death.safe, death.line) == (turn + 2, turn + 1, ["down"], ["down", "stay"])
    assert check(playback, 0, death.turn) == "1 turns before"
    proof = proof_of(playback, 0, turn + 1, [DOWN, STAY], death.turn, "test")
    assert proof.result.reason == end


def test_a_bomb_that_the_game_lives_to_see_kills() -> None:
    assert death_in(Playback(replay_of(in_the_corner(196), ([], [])))).cause == NOTHING
    assert death_in(Playback(replay_of(in_the_corner(100, 4), ([], [])))).cause == NOTHING
    lasting = in_the_corner(100, 3)
    lasting.ends = SURVIVAL
    assert death_in(Playback(replay_of(lasting, ([], [])))).cause == NOTHING


def test_when_the_last_rival_dies_the_game_is_over_though_a_mate_lives() -> None:
    game = in_teams(parse_position(board(IN_THE_CORNER + "0 2 4 0 0 3\n"), seats=4))
    playback = Playback(replay_of(game, ([], [], [], [])))
    death = death_in(playback)
    assert (death.turn, death.last_turn, death.safe) == (2, 1, ["down"])
    assert check(playback, 0, 2) == "1 turns before"
