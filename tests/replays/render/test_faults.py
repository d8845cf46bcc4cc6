"""Silent faults: each kind is told from an answer that does what it says."""

import pytest

from engine.game import Game
from engine.notation import parse_order, parse_position, resolve
from replays.faults import (
    AHEAD,
    LOWER_CASE,
    MEANINGS,
    NO_BOMB,
    NO_EFFECT,
    OFF_BOARD,
    describe_fault,
    faults_of,
    format_faults,
)
from replays.render.turn import player_panel
from replays.replay import Move
from tests.replays.render.test_views import screen

POSITION = """\
..1..........
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
.X.X.X.X.X.X.
.............
4
0 0 1 0 1 3
0 1 12 10 0 3
0 2 4 2 1 3
1 2 4 2 5 3
"""


@pytest.fixture
def game() -> Game:
    return parse_position(POSITION, seats=3)


def answer(game: Game, seat: int, line: str, ahead: bool = False) -> Move:
    return Move(resolve(game.state, seat, parse_order(line)), line=line, ahead=ahead)


@pytest.mark.parametrize(
    ("seat", "line", "faults"),
    [
        (0, "MOVE 0 0", []),
        (0, "BOMB 0 0 and a message", []),
        (0, "MOVE 1 0", []),  # staying on purpose
        (0, "MOVE 12 10", []),  # a long way is no fault
        (0, "move 0 0", [LOWER_CASE]),
        (0, "Bomb 0 0", [LOWER_CASE]),
        (0, "MOVE -5 0", [OFF_BOARD]),
        (0, "MOVE 2 0", [NO_EFFECT]),  # a box
        (0, "MOVE 1 1", [NO_EFFECT]),  # a wall
        (1, "BOMB 12 9", [NO_BOMB]),
        (1, "bomb 99 10", [LOWER_CASE, OFF_BOARD, NO_BOMB, NO_EFFECT]),
        (2, "BOMB 4 3", [NO_BOMB]),  # onto a bomb
    ],
)
def test_an_answer_has_the_faults_that_it_has(game: Game, seat: int, line: str, faults: list[str]) -> None:
    assert faults_of(game, seat, answer(game, seat, line)) == faults


def test_a_line_that_was_printed_before_its_turn_is_told(game: Game) -> None:
    assert faults_of(game, 0, answer(game, 0, "MOVE 0 0", ahead=True)) == [AHEAD]


def test_who_gave_no_order_in_words_has_no_fault(game: Game) -> None:
    assert faults_of(game, 0, None) == []
    assert faults_of(game, 0, Move(2)) == []
    assert faults_of(game, 0, Move(None, line="nonsense")) == []
    assert faults_of(game, 0, Move(2, line="nonsense")) == []


def test_a_panel_shows_the_faults_of_a_bot(game: Game) -> None:
    shown = screen(player_panel(game, 1, "./mybot", answer(game, 1, "BOMB 13 10")))
    assert "! off the board, no bomb" in shown
    assert format_faults([]) == ""


def test_one_answer_and_several_are_told_in_plain_english() -> None:
    told = {count: [describe_fault(name, count, "turn 3", "MOVE 13 5") for name in MEANINGS] for count in (1, 2)}
    late = "turn: more than one line for a turn, and answers are late from there on"
    first = " (first on turn 3: 'MOVE 13 5')"
    assert told[1] == [
        f"1 answer was printed before its {late}{first}",
        f"1 answer was in lower case{first}",
        f"1 answer had a target off the board{first}",
        f"1 answer was BOMB without a bomb to drop{first}",
        f"1 answer was a move that leads nowhere{first}",
    ]
    assert told[2] == [
        f"2 answers were printed before their {late}{first}",
        f"2 answers were in lower case{first}",
        f"2 answers had a target off the board{first}",
        f"2 answers were BOMB without a bomb to drop{first}",
        f"2 answers were moves that lead nowhere{first}",
    ]
