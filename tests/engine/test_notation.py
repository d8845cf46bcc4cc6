"""The arena's text: positions there and back, errors that name the line, MOVE and BOMB lines with their paths."""

import json
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
from tests.engine.test_recorded import TRANSITIONS, read_transitions, text_of_frame

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


def test_the_first_line_of_the_protocol_may_stand_before_a_position():
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


def test_turn_scores_and_seats_are_told_beside_the_text():
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


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (0, "line 1: expected no wall (x or y is even) at x=1, y=0, found 'X'"),
        (1, "line 2: expected a wall X (x and y are both odd) at x=1, y=1, found '.'"),
        (10, "line 11: expected row 10 with 13 characters, found '6' with 1"),
    ],
)
def test_a_missing_row_is_noticed_where_the_next_one_does_not_fit(row, expected):
    assert complaint(without_line(row + 1)) == expected


def test_a_text_that_ends_early_is_told_what_should_follow():
    assert complaint("") == "line 1: expected row 0 of 11 rows, found the end of the text"
    rows = TEXT.splitlines()
    assert complaint("\n".join(rows[:4])) == "line 5: expected row 4 of 11 rows, found the end of the text"
    assert complaint("\n".join(rows[:11])) == "line 12: expected the number of entities, found the end of the text"


def test_lines_are_counted_from_the_header_if_there_is_one():
    assert complaint(format_header(0) + edited(1, "..0?........."), seats=2).startswith("line 2: ")
    assert complaint(edited(1, "..0?........."), first_line=31).startswith("line 31: ")


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        (1, "..0?.........", "line 1: expected one of . X 0 1 2 at x=3, found '?'"),
        (3, "...3.........", "line 3: expected one of . X 0 1 2 at x=3, found '3'"),
        (3, "............", "line 3: expected row 2 with 13 characters, found '............' with 12"),
        (3, "..............", "line 3: expected row 2 with 13 characters, found '..............' with 14"),
        (2, ".X.X.X.X.X...", "line 2: expected a wall X (x and y are both odd) at x=11, y=1, found '.'"),
        (2, ".X.X.X.X.X.0.", "line 2: expected a wall X (x and y are both odd) at x=11, y=1, found '0'"),
        (1, "X............", "line 1: expected no wall (x or y is even) at x=0, y=0, found 'X'"),
        (12, "six", "line 12: expected `number of entities`, found 'six'"),
        (12, "5", "line 12: expected 5 entity lines to follow, found 6"),
        (12, "7", "line 12: expected 7 entity lines to follow, found 6"),
        (12, "-1", "line 12: expected -1 entity lines to follow, found 6"),
        (13, "0 0 0 0 1", "line 13: expected `type owner x y param1 param2`, found '0 0 0 0 1'"),
        (13, "0 0 0 0 1 3 3", "line 13: expected `type owner x y param1 param2`, found '0 0 0 0 1 3 3'"),
        (13, "0 0 0 0 one 3", "line 13: expected `type owner x y param1 param2`, found '0 0 0 0 one 3'"),
        (13, "3 0 0 0 1 3", "line 13: expected type 0 (player), 1 (bomb) or 2 (item), found 3"),
        (13, "0 0 1 1 1 3", "line 13: expected an entity on the floor, found a wall at 1 1"),
        (13, "0 0 2 0 1 3", "line 13: expected an entity on the floor, found a box at 2 0"),
        (13, "0 0 13 0 1 3", "line 13: expected x 0 to 12 and y 0 to 10, found 13 0, off the board"),
        (15, "1 1 4 -1 8 5", "line 15: expected x 0 to 12 and y 0 to 10, found 4 -1, off the board"),
        (17, "2 0 8 11 1 1", "line 17: expected x 0 to 12 and y 0 to 10, found 8 11, off the board"),
        (13, "0 4 0 0 1 3", "line 13: expected a player's id 0 to 3, found 4"),
        (14, "0 0 12 10 2 5", "line 14: expected each player once, found player 0 again"),
        (13, "0 0 0 0 -1 3", "line 13: expected 0 to 255 bombs left, found -1"),
        (13, "0 0 0 0 1 0", "line 13: expected a range of 1 to 127, found 0"),
        (15, "1 4 4 4 8 5", "line 15: expected a bomb's owner 0 to 3, found 4"),
        (15, "1 1 4 4 0 5", "line 15: expected a timer of 1 to 8, found 0"),
        (15, "1 1 4 4 9 5", "line 15: expected a timer of 1 to 8, found 9"),
        (15, "1 1 4 4 8 128", "line 15: expected a range of 1 to 127, found 128"),
        (16, "1 1 6 2 8 3", "line 16: expected one bomb per player and timer (a turn drops one), "
                            "found a second one of player 1 with timer 8"),
        (17, "2 0 8 2 3 3", "line 17: expected an item of kind 1 (range) or 2 (bomb), found 3"),
        (18, "2 0 8 2 2 2", "line 18: expected one item per cell, found a second one at 8 2"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line_and_what_was_expected(line, text, expected):
    assert complaint(edited(line, text)) == expected


def test_a_missing_entity_line_is_a_wrong_count():
    assert complaint(without_line(18)) == "line 12: expected 6 entity lines to follow, found 5"


@pytest.mark.parametrize("header", ["13 12 0", "12 11 0", "13 11 4", "13 11 -1"])
def test_a_wrong_header_is_named(header):
    assert complaint(f"{header}\n{TEXT}") == f"line 1: expected `13 11 id` with id 0 to 3, found {header!r}"


def test_wrong_values_beside_the_text_are_named():
    assert complaint(TEXT, seats=1) == "1 players: this position needs 2 to 4"
    assert complaint(TEXT.replace("0 1 12 10", "0 3 12 10"), seats=2) == "2 players: this position needs 4"
    assert complaint(TEXT, boxes=[1]) == "boxes 1: expected 2 numbers, one per player"
    assert complaint(TEXT, turn=-1) == "turn -1: expected 0 to 200"


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


@pytest.mark.parametrize("number", ["2147483648", "-2147483649", "9" * 30, "9" * 5_000])
def test_a_number_that_is_no_32_bit_integer_is_refused(number):
    for line in (f"MOVE {number} 0", f"BOMB 0 {number}"):
        with pytest.raises(NotationError, match="expected 32-bit numbers, found ") as error:
            parse_order(line)
        assert len(str(error.value)) < 200


# Paths


def walk(drawn, line):
    """The name of the action that a line of player 0 becomes."""
    return ACTION_NAMES[resolve(position(drawn).state, 0, parse_order(line))]


@pytest.mark.parametrize("bomb", [False, True])
def test_the_own_cell_means_staying(bomb):
    assert walk("0 0 4 4 1 3", f"{'BOMB' if bomb else 'MOVE'} 4 4") == ("stay+bomb" if bomb else "stay")


@pytest.mark.parametrize(("move", "x", "y"), [("left", 3, 4), ("right", 5, 4), ("up", 4, 3), ("down", 4, 5)])
def test_a_free_neighbour_is_walked_to(move, x, y):
    assert walk("0 0 4 4 1 3", f"MOVE {x} {y}") == move
    assert walk("0 0 4 4 1 3", f"BOMB {x} {y}") == f"{move}+bomb"


@pytest.mark.parametrize(
    ("at", "target", "move"),
    [
        ("0 0", "2 2", "right"),  # right comes before down
        ("2 2", "0 0", "left"),  # left comes before up
        ("2 2", "4 0", "right"),  # right comes before up
        ("2 2", "0 4", "left"),  # left comes before down
        ("1 2", "1 4", "left"),  # around a wall, on the left side first
        ("2 1", "4 1", "up"),  # around a wall, above it first
    ],
)
def test_of_equally_short_paths_the_one_found_first_is_taken(at, target, move):
    assert walk(f"0 0 {at} 1 3", f"MOVE {target}") == move


def test_the_path_goes_around_boxes_and_bombs():
    drawn = """
        ...0.
        .X.X.
        .....
        0 0 2 0 1 3
        1 1 1 0 8 3
        """
    assert walk(drawn, "MOVE 4 0") == "down"
    assert walk(drawn, "MOVE 0 0") == "down"


@pytest.mark.parametrize(
    ("at", "target", "move"),
    [
        ("0 0", "1 1", "right"),  # a wall: (1, 0) is the first cell beside it that is found
        ("2 2", "1 1", "left"),
        ("3 2", "3 3", "stay"),  # nothing is nearer than the own cell
    ],
)
def test_a_wall_as_target_means_the_first_cell_found_nearest_to_it(at, target, move):
    assert walk(f"0 0 {at} 1 3", f"MOVE {target}") == move


def test_a_blocked_neighbour_means_staying_since_nothing_found_later_is_nearer():
    assert walk(".0.\n0 0 0 0 1 3", "MOVE 1 0") == "stay"
    assert walk("0 0 0 0 1 3\n1 1 1 0 8 3", "BOMB 1 0") == "stay+bomb"


def test_a_blocked_target_further_away_is_walked_up_to_even_from_behind():
    assert walk("....0.\n0 0 0 0 1 3", "MOVE 4 0") == "right"
    drawn = """
        ..00.
        0X.X.
        .....
        0 0 1 0 1 3
        """
    assert walk(drawn, "MOVE 3 0") == "stay"  # shut in: (1, 0) is as near as one gets
    drawn = """
        ..00.
        .X.X.
        .....
        0 0 1 0 1 3
        """
    assert walk(drawn, "MOVE 3 0") == "left"  # (4, 0) is nearer, behind the boxes


@pytest.mark.parametrize(
    ("at", "target", "move"),
    [
        ("2 0", "-5 -5", "left"),
        ("6 8", "6 100", "down"),
        ("12 0", "13 0", "stay"),
        ("2 2", "2147483647 -2147483648", "right"),
        ("2 2", "-2147483648 2147483647", "left"),
    ],
)
def test_a_target_off_the_board_means_the_cell_nearest_to_it(at, target, move):
    assert walk(f"0 0 {at} 1 3", f"MOVE {target}") == move


def test_who_is_shut_in_stays_wherever_he_wants_to_go():
    for target in ("12 10", "1 0", "-1 -1"):
        assert walk(".0\n0X\n0 0 0 0 1 3", f"MOVE {target}") == "stay"


def test_who_stands_on_a_bomb_may_leave_it():
    assert walk("0 0 0 0 1 3\n1 0 0 0 8 3", "MOVE 1 0") == "right"


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


# Real games


def seats_of(transition):
    return max(2, 1 + max(entity[1] for entity in transition["before"]["entities"] if entity[0] != 2))


@pytest.mark.skipif(not TRANSITIONS.exists(), reason=f"no recorded games at {TRANSITIONS}")
def test_every_recorded_transition_comes_out_in_the_recorded_order_of_entities():
    transitions = read_transitions()
    assert len(transitions) == 153
    for transition in transitions:
        game = parse_position(text_of_frame(transition["before"]), seats=seats_of(transition))
        actions = [0] * game.seats
        for player, action in transition["actions"].items():
            x, y = action["to"]
            line = f"{'BOMB' if action['bomb'] else 'MOVE'} {x} {y}"
            actions[int(player)] = resolve(game.state, int(player), parse_order(line))
        game.step(actions)
        assert format_position(game) == text_of_frame(transition["after"]), json.dumps(transition)


def test_leading_zeros_are_no_harm_but_the_number_behind_them_must_fit() -> None:
    assert parse_order(f"MOVE {'0' * 5000}7 -000").x == 7
    with pytest.raises(NotationError, match="32-bit"):
        parse_order("MOVE 00000000000099999999999 0")


def test_a_text_that_ends_after_its_first_line_misses_the_second() -> None:
    with pytest.raises(NotationError, match="line 2: expected row 0"):
        parse_position("13 11 0\n")


@pytest.mark.parametrize(
    ("bomb_range", "is_fine"), [(125, True), (126, False)]
)  # a box and the floor have an item each
def test_a_range_that_items_could_make_too_large_is_refused(bomb_range: int, is_fine: bool) -> None:
    text = TEXT.replace("0 0 0 0 1 3", f"0 0 0 0 1 {bomb_range}")
    if is_fine:
        assert parse_position(text).players()[0].range == bomb_range
    else:
        with pytest.raises(
            NotationError, match="line 13: expected a range of at most 125, for items add to it, found 126"
        ):
            parse_position(text)
