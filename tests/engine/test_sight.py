"""Limited sight: the whole position and a player's view of it."""

import random

import pytest

from engine.board import DOWN, LEFT, RIGHT, STAY
from engine.game import Game
from engine.notation import format_position, parse_position
from engine.rules import BOMB, legal_actions
from engine.variants import Sight
from tests.engine.draw import board


def start(drawing: str) -> Game:
    return parse_position(board(drawing), seats=2)


def seen(game: Game, sight: Sight) -> str:
    return format_position(sight.look(game))


WHOLE = """
    ..1.2
    .X.X.
    ..0.2
    .X.X.
    .....
    0 0 0 0 1 3
    0 1 4 4 1 3
    1 1 2 4 5 3
    1 0 4 4 6 3
    2 0 0 2 1 1
    2 0 0 4 2 2
    """


def test_only_what_is_within_the_radius_is_sent_and_other_boxes_without_their_content():
    game = start(WHOLE)
    assert seen(game, Sight(game, 0, 2)) == board(
        """
        ..1.0
        .X.X.
        ..0.0
        .X.X.
        .....
        0 0 0 0 1 3
        2 0 0 2 1 1
        """
    )


def test_the_larger_of_the_distances_counts():
    game = start(WHOLE)
    assert seen(game, Sight(game, 0, 3)) == seen(game, Sight(game, 0, 2))
    assert seen(game, Sight(game, 0, 4)) == format_position(game)


def test_what_was_seen_of_a_box_is_remembered_until_it_is_seen_again():
    game = start(
        """
        .1.
        .X.
        ...
        0 0 0 0 1 3
        0 1 0 2 1 3
        1 1 2 0 3 2
        """
    )
    near, far = Sight(game, 0, 1), Sight(game, 1, 1)
    assert [seen(game, sight)[:3] for sight in (near, far)] == [".1.", ".0."]
    for action in (DOWN, DOWN, STAY):
        game.step([action, STAY])
        texts = [seen(game, near), seen(game, far)]
    assert format_position(game)[:3] == "..."  # the bomb has destroyed it, unseen by both
    assert [text[:3] for text in texts] == [".1.", ".0."]
    game.step([STAY, STAY])
    game.step([3, STAY])  # up again
    assert seen(game, near)[:3] == "..."


def test_a_radius_that_spans_the_board_leaves_nothing_out():
    draw = random.Random(1)
    for seed in range(4):
        game = Game.start(seed, 2)
        sights = [Sight(game, seat, 12) for seat in range(2)]
        while not game.is_over and game.turn < 60:
            for seat in game.living:
                view = sights[seat].look(game)
                assert view.state.tobytes() == game.state.tobytes()
                assert format_position(view) == format_position(game)
            game.step([draw.choice([0, 1, 2, 3, 4, BOMB, BOMB + 1]) for _ in range(2)])


@pytest.mark.parametrize("radius", [1, 2, 5])
def test_state_and_text_of_a_view_say_the_same_and_the_own_actions_are_those_of_the_game(radius):
    draw = random.Random(2)
    for seed in range(4):
        game = Game.start(seed, 4)
        sights = [Sight(game, seat, radius) for seat in range(4)]
        while not game.is_over and game.turn < 60:
            for seat in game.living:
                view = sights[seat].look(game)
                again = parse_position(format_position(view), view.turn, view.boxes, seats=4)
                assert again.state.tobytes() == view.state.tobytes()
                assert legal_actions(view.state, seat) == legal_actions(game.state, seat)
            game.step([draw.choice([0, 1, 2, 3, 4, BOMB, BOMB + 2]) for _ in range(4)])


def test_a_view_stays_as_it_was_while_the_map_of_the_sight_is_filled_in():
    game = start(".....2\n0 0 0 0 1 3\n0 1 12 10 1 3")
    sight = Sight(game, 0, 3)
    first = sight.look(game)
    for _ in range(3):
        game.step([RIGHT, LEFT])
    last = sight.look(game)
    assert format_position(first)[:6] == ".....0" and format_position(last)[:6] == ".....2"
    assert sight.map.tobytes() == last.map.tobytes() != first.map.tobytes()


def test_boxes_that_others_scored_are_known_as_of_their_last_sight():
    game = start("....\n0 0 0 0 1 3\n0 1 2 0 1 3")
    sight = Sight(game, 0, 2)
    game.set_scores([1, 5])
    assert sight.look(game).boxes == [1, 5]
    game.step([STAY, RIGHT])
    game.set_scores([2, 6])
    assert sight.look(game).boxes == [2, 5]
