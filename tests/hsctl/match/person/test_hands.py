"""What people press, and what the game takes: turn by turn and on a clock."""

from collections.abc import Callable
from threading import Thread

import pytest

from engine.board import MOVES
from engine.game import Game
from engine.rules import BOMB
from hsctl.match.person import STAY, Hands, Left, TakenBack

LEFT, RIGHT, UP, DOWN = (MOVES.index(name) for name in ("left", "right", "up", "down"))
SOON_S, NEVER_S = 0.05, 60.0


def hands_at_start(pace_s: float | None = None, seats: tuple[int, ...] = (0,)) -> Hands:
    """In the corner at 0 0, and in the opposite one."""
    hands = Hands(seats, pace_s)
    hands.begin_turn(Game.start(1, 2))
    return hands


def taken(hands: Hands, press: Callable[[], object]) -> int:
    """What the game's thread takes if this is pressed while it waits."""
    found: list[int] = []
    game = Thread(target=lambda: found.append(hands.take(0)))
    game.start()
    press()
    game.join(NEVER_S)
    return found[0]


def test_the_game_waits_for_a_move() -> None:
    hands = hands_at_start()
    assert taken(hands, lambda: hands.move(0, RIGHT)) == RIGHT


def test_a_move_chosen_while_others_think_is_taken_at_once() -> None:
    hands = hands_at_start()
    hands.move(0, DOWN)
    hands.move(0, RIGHT)
    assert hands.take(0) == RIGHT


def test_a_bomb_made_ready_goes_with_the_next_move() -> None:
    hands = hands_at_start()
    hands.bomb(0)
    assert hands.has_bomb(0) and not hands.has_chosen(0)
    assert taken(hands, lambda: hands.move(0, DOWN)) == BOMB + DOWN


def test_a_bomb_twice_is_dropped_on_the_spot() -> None:
    hands = hands_at_start()
    hands.bomb(0)
    assert taken(hands, lambda: hands.bomb(0)) == BOMB + STAY


def test_a_bomb_can_be_put_away() -> None:
    hands = hands_at_start()
    hands.bomb(0)
    hands.put_away()
    assert taken(hands, lambda: hands.move(0, STAY)) == STAY


def test_what_cannot_be_done_is_said_and_not_chosen() -> None:
    hands = hands_at_start()
    assert hands.move(0, LEFT) == "the way left is blocked"
    assert not hands.has_chosen(0)
    game = Game.start(1, 2)
    game.step([BOMB, STAY])
    hands.begin_turn(game)
    assert hands.bomb(0) == "no bomb left: one comes back when it explodes"
    assert not hands.has_bomb(0)


def test_a_new_turn_forgets_what_was_pressed() -> None:
    hands = hands_at_start()
    hands.bomb(0)
    hands.move(0, RIGHT)
    hands.begin_turn(Game.start(1, 2))
    assert not hands.has_chosen(0) and not hands.has_bomb(0)


def test_who_was_taken_cannot_choose_again_and_the_dead_cannot_choose() -> None:
    hands = hands_at_start(seats=(0, 1))
    hands.move(0, RIGHT)
    hands.take(0)
    hands.move(0, DOWN)
    hands.put_away()
    assert hands.take(0) == RIGHT
    game = Game.start(1, 2)
    game.eliminate(1)
    hands.begin_turn(game)
    hands.move(1, LEFT)
    assert not hands.has_chosen(1)


def test_the_clock_begins_with_the_first_key_and_takes_what_there_is() -> None:
    hands = hands_at_start(SOON_S)
    assert not hands.is_running
    assert taken(hands, lambda: hands.bomb(0)) == BOMB + STAY
    hands.begin_turn(Game.start(1, 2))
    assert hands.is_running
    assert hands.take(0) == STAY


def test_on_a_clock_the_last_key_counts() -> None:
    hands = hands_at_start(SOON_S)
    hands.move(0, DOWN)
    hands.move(0, RIGHT)
    assert hands.take(0) == RIGHT


def test_a_paused_clock_waits_for_a_key() -> None:
    hands = hands_at_start(NEVER_S)
    hands.move(0, DOWN)
    hands.pause()
    assert not hands.is_running
    hands.pace_s = SOON_S
    assert taken(hands, lambda: hands.move(0, RIGHT)) == RIGHT


def test_interruptions_reach_whoever_waits() -> None:
    hands = hands_at_start()
    for what in (Left, TakenBack):
        hands.interrupt(what)
        with pytest.raises(what):
            hands.take(0)
    hands.interrupt(Left)
    with pytest.raises(Left):
        hands.rest(None)
    hands.rest(0.0)
