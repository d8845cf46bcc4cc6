"""Following a game from its inputs: on every turn the state is the arena's own."""

import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.game import Game
from engine.notation import NotationError, format_header, format_position
from engine.state import MAX_TURNS
from hsctl.match.bots.follower import CHUNK, LONGEST_LINE, Follower, Input
from tests.engine.draw import board
from tests.replays.recorded import choose_action


@contextmanager
def pipe(text: str) -> Iterator[Input]:
    """An Input that holds a text and then ends."""
    reader, writer = os.pipe()
    os.write(writer, text.encode())
    os.close(writer)
    try:
        yield Input(reader)
    finally:
        os.close(reader)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_the_state_is_the_arenas_on_every_turn(seed: int) -> None:
    """Over whole games of careless players, some of whom are eliminated for errors."""
    chance = random.Random(seed)
    game = Game.start(seed, chance.choice([2, 3, 4]))
    follower = Follower()
    while not game.is_over:
        followed = follower.follow(format_position(game))
        assert followed.state.tobytes() == game.state.tobytes()
        assert followed.map.tobytes() == game.map.tobytes()
        assert (followed.turn, followed.boxes, followed.living) == (game.turn, game.boxes, game.living)
        assert (followed.items, followed.bombs) == (game.items, game.bombs)
        if chance.random() < 0.01:
            game.eliminate(chance.choice(game.living))
        living = set(game.living)
        game.step([choose_action(game, at, chance, 0.95) if at in living else 0 for at in range(game.seats)])
    assert not follower.is_surprised


def test_a_game_may_be_joined_in_the_middle() -> None:
    game = Game.start(4, 2)
    chance = random.Random(4)
    for _ in range(30):
        game.step([choose_action(game, at, chance, 1.0) for at in range(2)])
    follower, scored = Follower(), game.boxes
    for turn in range(20):
        followed = follower.follow(format_position(game))
        assert followed.turn == turn
        assert followed.boxes == [now - before for now, before in zip(game.boxes, scored, strict=True)]
        game.step([choose_action(game, at, chance, 1.0) for at in range(2)])


@pytest.mark.parametrize(
    ("after", "is_surprise"),
    [
        (".0\n0 0 4 0 0 3\n0 1 8 0 0 3\n1 0 0 0 1 3\n1 1 8 0 8 3", False),
        (".0\n0 0 4 0 0 3\n0 1 8 0 1 3\n1 0 0 0 2 3", True),  # the same input again
        ("..\n0 0 4 0 1 3\n0 1 8 0 1 3", True),  # a turn left out
    ],
)
def test_what_no_round_can_lead_to_is_noticed(after: str, is_surprise: bool) -> None:
    follower = Follower()
    follower.follow(board(".0\n0 0 4 0 0 3\n0 1 8 0 1 3\n1 0 0 0 2 3"))
    follower.follow(board(after))
    assert follower.is_surprised == is_surprise


def test_several_turns_may_come_in_one_piece() -> None:
    position = format_position(Game.start(1, 2))
    with pipe(format_header(1) + position + position) as source:
        assert source.read_header() == 1
        assert source.read_turn() == (2, position)
        assert source.is_waiting()
        assert source.read_turn() == (16, position)
        assert source.read_turn() is None


def test_the_end_of_the_input_is_told() -> None:
    with pipe("") as source:
        assert source.read_header() is None


@pytest.mark.parametrize(
    ("number", "line", "error"),
    [
        (1, "13 12 0", "line 1: expected `13 11 id` with id 0 to 3, found '13 12 0'"),
        (4, "...", "line 4: expected row 2 with 13 characters, found '...' with 3"),
        (13, "many", "line 13: expected `number of entities`, found 'many'"),
        (13, "1000000000", "line 13: expected 0 to 149 entities, found 1000000000"),
        (14, "0 0 99 0 1 3", "line 14: expected x 0 to 12 and y 0 to 10, found 99 0, off the board"),
    ],
)
def test_a_wrong_line_is_named(number: int, line: str, error: str) -> None:
    lines = (format_header(0) + format_position(Game.start(1, 2))).splitlines()
    lines[number - 1] = line
    with pipe("\n".join(lines) + "\n") as source, pytest.raises(NotationError) as caught:
        source.read_header()
        turn = source.read_turn()
        assert turn is not None
        Follower().follow(turn[1], turn[0])
    assert str(caught.value) == error


@pytest.mark.parametrize("lines", range(2, 15))
def test_an_input_cut_off_in_a_turn_is_an_error(lines: int) -> None:
    text = "\n".join((format_header(0) + format_position(Game.start(1, 2))).splitlines()[:lines]) + "\n"
    with pipe(text) as source, pytest.raises(NotationError, match=r"found (the end of the text|\d)"):
        source.read_header()
        turn = source.read_turn()
        assert turn is not None
        Follower().follow(turn[1], turn[0])


def test_a_referee_may_go_on_after_the_last_turn() -> None:
    follower = Follower()
    turns = [follower.follow(board("0 0 4 0 1 3\n0 1 8 0 1 3")).turn for _ in range(MAX_TURNS + 10)]
    assert turns[-12:] == [MAX_TURNS - 2] + [MAX_TURNS - 1] * 11


def test_a_line_without_end_is_refused() -> None:
    read, write = os.pipe()
    writer = threading.Thread(target=os.write, args=(write, b"1" * (LONGEST_LINE + CHUNK)), daemon=True)
    writer.start()
    with pytest.raises(NotationError, match=f"line 1: longer than {LONGEST_LINE} bytes"):
        Input(read).read_header()
    os.close(read)
    writer.join()
    os.close(write)
