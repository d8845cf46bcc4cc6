"""The arena's text: positions there and back, errors that name the line, MOVE and BOMB lines with their paths."""

import random

import numpy as np
import pytest

from engine.board import DELTAS, OPEN_CELLS, cells_of
from engine.errors import EngineError
from engine.game import Game, pack_actions
from engine.notation import (
    NotationError,
    digest,
    first_move,
    format_action,
    format_header,
    format_position,
    parse_header,
    parse_order,
    parse_position,
    resolve,
)
from engine.rules import ACTION_NAMES, ACTIONS, BOMB
from engine.survival import is_survivable
from tests.engine.draw import board, play_on, position

TEXT = board("""
    ..01.
    .X2X
    0 0 0 0 1 3
    0 1 12 10 2 5
    1 1 4 4 8 5
    1 0 6 2 3 3
    2 0 8 2 1 1
    2 0 2 2 2 2
    """)


def edited(line, text):
    """TEXT with another line."""
    lines = TEXT.splitlines()
    lines[line - 1] = text
    return "\n".join(lines) + "\n"


def without_line(line):
    lines = TEXT.splitlines()
    del lines[line - 1]
    return "\n".join(lines) + "\n"


def complaint(text, **options):
    with pytest.raises(NotationError) as error:
        parse_position(text, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


# Positions


def test_a_position_becomes_the_same_text_again():
    assert format_position(parse_position(TEXT)) == TEXT


def test_the_first_line_of_the_protocol_may_come_first():
    assert format_position(parse_position(format_header(1) + TEXT)) == TEXT
    assert parse_header("13 11 3") == 3


def test_bombs_in_any_order_are_kept_and_new_ones_come_last():
    game = parse_position(
        board("""
        0 0 0 0 1 3
        0 1 12 10 1 3
        1 1 4 4 8 5
        1 0 6 2 3 3
        1 0 6 4 5 3
        1 1 4 6 2 5
        """)
    )
    assert [(bomb.x, bomb.y) for bomb in game.bombs] == [(4, 4), (6, 2), (6, 4), (4, 6)]
    game.step([BOMB, BOMB])
    assert [line for line in format_position(game).splitlines() if line.startswith("1 ")] == [
        "1 1 4 4 7 5",
        "1 0 6 2 2 3",
        "1 0 6 4 4 3",
        "1 1 4 6 1 5",
        "1 0 0 0 8 3",
        "1 1 12 10 8 3",
    ]


def test_players_in_any_order_are_read_and_written_by_id():
    swapped = "\n".join(
        TEXT.splitlines()[:12] + sorted(TEXT.splitlines()[12:14], reverse=True) + TEXT.splitlines()[14:]
    )
    assert format_position(parse_position(swapped)) == TEXT


def test_blank_lines_at_the_end_and_carriage_returns_do_not_matter():
    assert format_position(parse_position(TEXT.replace("\n", "\r\n") + "\n\n")) == TEXT


def test_turn_scores_and_seats_are_options():
    game = parse_position(TEXT, turn=42, boxes=[3, 4, 5], seats=3)
    assert (game.turn, game.boxes, game.seats, game.living) == (42, [3, 4, 5], 3, [0, 1])
    assert [bomb.timer for bomb in game.bombs] == [8, 3]


def test_without_seats_there_are_as_many_as_the_highest_id_needs():
    assert parse_position(board("0 0 0 0 1 3")).seats == 2
    assert parse_position(board("0 0 0 0 1 3\n1 3 4 4 8 3")).seats == 4


def choose(game, player, chance):
    """A random action that leaves a way out, if one is found."""
    for _ in range(6):
        action = chance.randrange(ACTIONS)
        after = play_on(game.state, game.map, np.uint64(action << 4 * player))
        if is_survivable(after, game.map, player):
            break
    return action


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_goes_on_from_its_text_as_it_would_have_gone_on(seats):
    for seed in range(3):
        chance = random.Random(seed)
        game = Game.start(seed, seats)
        other = game
        while not game.is_over:
            text = format_position(game)
            assert format_position(other) == text
            other = parse_position(text, game.turn, game.boxes, seats)
            assert digest(other) == digest(game)
            actions = [choose(game, player, chance) if player in game.living else 0 for player in range(seats)]
            game.step(actions)
            other.step(actions)
        assert format_position(other) == format_position(game)
        assert other.boxes == game.boxes
        assert game.turn > 8


# Wrong positions


def test_a_text_that_ends_early_misses_its_next_line():
    rows = TEXT.splitlines()
    for text, line in (("", 1), ("13 11 0\n", 2), ("\n".join(rows[:4]), 5), ("\n".join(rows[:11]), 12)):
        assert complaint(text).startswith(f"line {line}: ") and "the end of the text" in complaint(text)


def test_lines_are_counted_from_the_header_if_there_is_one():
    assert complaint(format_header(0) + edited(1, "..0?........."), seats=2).startswith("line 2: ")
    assert complaint(edited(1, "..0?........."), first_line=31).startswith("line 31: ")


@pytest.mark.parametrize(
    ("line", "text", "named"),
    [
        (1, "..0?.........", "one of . X 0 1 2 at x=3"),
        (3, "...3.........", "one of . X 0 1 2 at x=3"),
        (3, "............", "row 2 with 13 characters"),
        (3, "..............", "row 2 with 13 characters"),
        (2, ".X.X.X.X.X...", "a wall X (x and y are both odd) at x=11, y=1"),
        (2, ".X.X.X.X.X.0.", "a wall X (x and y are both odd) at x=11, y=1"),
        (1, "X............", "no wall (x or y is even) at x=0, y=0"),
        (12, "six", "`number of entities`"),
        (12, "5", "5 entity lines"),
        (12, "7", "7 entity lines"),
        (12, "-1", "-1 entity lines"),
        (13, "0 0 0 0 1", "`type owner x y param1 param2`"),
        (13, "0 0 0 0 1 3 3", "`type owner x y param1 param2`"),
        (13, "0 0 0 0 one 3", "`type owner x y param1 param2`"),
        (13, "3 0 0 0 1 3", "found 3"),
        (13, "0 0 1 1 1 3", "a wall at 1 1"),
        (13, "0 0 2 0 1 3", "a box at 2 0"),
        (13, "0 0 13 0 1 3", "13 0, off the board"),
        (15, "1 1 4 -1 8 5", "4 -1, off the board"),
        (17, "2 0 8 11 1 1", "8 11, off the board"),
        (13, "0 4 0 0 1 3", "id 0 to 3, found 4"),
        (14, "0 0 12 10 2 5", "player 0 again"),
        (13, "0 0 0 0 -1 3", "0 to 255 bombs left, found -1"),
        (13, "0 0 0 0 1 0", "range of 1 to 127, found 0"),
        (13, "0 0 0 0 1 126", "range of at most 125"),  # a box and the floor have an item each
        (15, "1 4 4 4 8 5", "owner 0 to 3, found 4"),
        (15, "1 1 4 4 0 5", "timer of 1 to 8, found 0"),
        (15, "1 1 4 4 9 5", "timer of 1 to 8, found 9"),
        (15, "1 1 4 4 8 128", "range of 1 to 127, found 128"),
        (16, "1 1 6 2 8 3", "player 1 with timer 8"),
        (17, "2 0 8 2 3 3", "found 3"),
        (18, "2 0 8 2 2 2", "a second one at 8 2"),
    ],
)
def test_an_error_names_the_line_and_the_fault(line, text, named):
    assert complaint(edited(line, text)).startswith(f"line {line}: ") and named in complaint(edited(line, text))


def test_the_largest_range_that_items_leave_room_for_is_read():
    assert parse_position(TEXT.replace("0 0 0 0 1 3", "0 0 0 0 1 125")).players()[0].range == 125


@pytest.mark.parametrize("header", ["13 12 0", "12 11 0", "13 11 4", "13 11 -1"])
def test_a_wrong_header_is_named(header):
    assert complaint(f"{header}\n{TEXT}").startswith("line 1: ")


@pytest.mark.parametrize(
    ("text", "options", "named"),
    [
        (TEXT, {"seats": 1}, "needs 2 to 4"),
        (TEXT.replace("0 1 12 10", "0 3 12 10"), {"seats": 2}, "needs 4"),
        (TEXT, {"boxes": [1]}, "2 numbers"),
        (TEXT, {"turn": -1}, "0 to 200"),
    ],
)
def test_wrong_options_are_named(text, options, named):
    assert named in complaint(text, **options)


# Lines of players


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("MOVE 3 4", (False, 3, 4, "")),
        ("BOMB 0 0", (True, 0, 0, "")),
        ("bomb 3 4\n", (True, 3, 4, "")),
        ("  Move  3\t4  ", (False, 3, 4, "")),
        ("MOVE 3 4 catch me 7", (False, 3, 4, "catch me 7")),
        ("MOVE -3 400", (False, -3, 400, "")),
        ("MOVE 2147483647 -2147483648", (False, 2147483647, -2147483648, "")),
        ("MOVE 007 4", (False, 7, 4, "")),
        (f"MOVE {'0' * 5000}7 -000", (False, 7, 0, "")),
        ("MOVE 3 4\r\n", (False, 3, 4, "")),
    ],
)
def test_a_line_says_bomb_target_and_message(line, order):
    assert parse_order(line) == order


@pytest.mark.parametrize(
    "line",
    ["", "MOVE", "MOVE 3", "MOVE x 4", "MOVE 3.0 4", "MOVE3 4", "MOVES 3 4", "WAIT", "3 4", "MOVE 3 4x", "MOVE 3,4",
     "MOVE ٣ 4"],
)  # fmt: skip
def test_any_other_line_is_refused(line):
    with pytest.raises(NotationError, match="expected `MOVE x y` or `BOMB x y`, found "):
        parse_order(line)


@pytest.mark.parametrize("number", ["2147483648", "-2147483649", "00000000000099999999999", "9" * 5_000])
def test_a_number_that_is_no_32_bit_integer_is_refused(number):
    for line in (f"MOVE {number} 0", f"BOMB 0 {number}"):
        with pytest.raises(NotationError, match="expected 32-bit numbers, found ") as error:
            parse_order(line)
        assert len(str(error.value)) < 200


# Paths

SHUT_IN = ".0\n0X\n0 0 0 0 1 3"
BETWEEN = "...0.\n.X.X.\n.....\n0 0 2 0 1 3\n1 1 1 0 8 3"  # a box on the right, a bomb on the left


@pytest.mark.parametrize(
    ("drawn", "line", "action"),
    [
        pytest.param("0 0 4 4 1 3", "MOVE 4 4", "stay", id="the cell of the player"),
        pytest.param("0 0 4 4 1 3", "BOMB 4 4", "stay+bomb", id="a bomb on it"),
        ("0 0 4 4 1 3", "MOVE 3 4", "left"),
        ("0 0 4 4 1 3", "MOVE 5 4", "right"),
        ("0 0 4 4 1 3", "MOVE 4 3", "up"),
        ("0 0 4 4 1 3", "BOMB 4 5", "down+bomb"),
        pytest.param("0 0 0 0 1 3", "MOVE 2 2", "right", id="right before down"),
        pytest.param("0 0 2 2 1 3", "MOVE 0 0", "left", id="left before up"),
        pytest.param("0 0 2 2 1 3", "MOVE 4 0", "right", id="right before up"),
        pytest.param("0 0 2 2 1 3", "MOVE 0 4", "left", id="left before down"),
        pytest.param("0 0 1 2 1 3", "MOVE 1 4", "left", id="around a wall on its left"),
        pytest.param("0 0 2 1 1 3", "MOVE 4 1", "up", id="around a wall above it"),
        pytest.param(BETWEEN, "MOVE 4 0", "down", id="around a box"),
        pytest.param(BETWEEN, "MOVE 0 0", "down", id="around a bomb"),
        pytest.param("0 0 0 0 1 3", "MOVE 1 1", "right", id="the first cell found next to a wall"),
        ("0 0 2 2 1 3", "MOVE 1 1", "left"),
        pytest.param("0 0 3 2 1 3", "MOVE 3 3", "stay", id="no cell is nearer to the wall"),
        pytest.param(".0.\n0 0 0 0 1 3", "MOVE 1 0", "stay", id="a box is next to the player"),
        pytest.param("0 0 0 0 1 3\n1 1 1 0 8 3", "BOMB 1 0", "stay+bomb", id="a bomb is next to the player"),
        pytest.param("....0.\n0 0 0 0 1 3", "MOVE 4 0", "right", id="up to a box"),
        pytest.param("..00.\n0X.X.\n.....\n0 0 1 0 1 3", "MOVE 3 0", "stay", id="as near as can be"),
        pytest.param("..00.\n.X.X.\n.....\n0 0 1 0 1 3", "MOVE 3 0", "left", id="nearer from behind"),
        pytest.param("0 0 2 0 1 3", "MOVE -5 -5", "left", id="off the board"),
        ("0 0 6 8 1 3", "MOVE 6 100", "down"),
        ("0 0 12 0 1 3", "MOVE 13 0", "stay"),
        ("0 0 2 2 1 3", "MOVE 2147483647 -2147483648", "right"),
        ("0 0 2 2 1 3", "MOVE -2147483648 2147483647", "left"),
        pytest.param(SHUT_IN, "MOVE 12 10", "stay", id="shut in"),
        (SHUT_IN, "MOVE 1 0", "stay"),
        (SHUT_IN, "MOVE -1 -1", "stay"),
        pytest.param("0 0 0 0 1 3\n1 0 0 0 8 3", "MOVE 1 0", "right", id="off the player's bomb"),
    ],
)
def test_a_line_becomes_the_first_step_of_the_arenas_path(drawn, line, action):
    assert ACTION_NAMES[resolve(position(drawn).state, 0, parse_order(line))] == action


def steps_to(target, free):
    """How far every cell is from the target, over free cells."""
    steps, wave = {target: 0}, [target]
    while wave:
        x, y = wave.pop(0)
        for dx, dy in DELTAS[1:]:
            to = (x + dx, y + dy)
            if to in free and to not in steps:
                steps[to] = steps[x, y] + 1
                wave.append(to)
    return steps


@pytest.mark.parametrize("seed", range(3))
def test_every_move_towards_a_reachable_cell_brings_it_one_step_nearer(seed):
    state = Game.start(seed, 2).state
    free = set(OPEN_CELLS) - set(cells_of(state.blocked))
    start = random.Random(seed).choice(sorted(free))
    reachable = steps_to(start, free)
    for target in reachable.keys() - {start}:
        dx, dy = DELTAS[first_move(state, start, target)]
        steps = steps_to(target, free)
        assert steps[start[0] + dx, start[1] + dy] == steps[start] - 1


def test_the_dead_have_no_line():
    state = position("0 0 0 0 1 3").state
    with pytest.raises(EngineError, match="player 1 is dead or absent"):
        resolve(state, 1, parse_order("MOVE 0 0"))
    with pytest.raises(EngineError, match="player 1 is dead or absent"):
        format_action(state, 1, 0)


# Actions as lines


@pytest.mark.parametrize("seed", range(5))
def test_an_action_written_as_a_line_is_the_same_action_when_read(seed):
    game = Game.start(seed, 4)
    for player in range(4):
        for action in range(ACTIONS):
            again = resolve(game.state, player, parse_order(format_action(game.state, player, action, "hello")))
            meant, read = (pack_actions([0] * player + [number]) for number in (action, again))
            assert play_on(game.state, game.map, meant).tobytes() == play_on(game.state, game.map, read).tobytes()


def test_a_blocked_move_is_written_as_staying():
    state = position(".0\n0 0 0 0 1 3").state
    assert format_action(state, 0, ACTION_NAMES.index("right")) == "MOVE 0 0"
    assert format_action(state, 0, ACTION_NAMES.index("down+bomb"), "boom") == "BOMB 0 1 boom"
