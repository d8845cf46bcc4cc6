"""Positions drawn as text: a corner of the board and its entities.

..0.            rows from the top left; what isn't drawn is floor (and the walls)
.X.X
0 0 2 0 1 3     lines with spaces are entities as the arena writes them, in its order
1 1 0 0 8 3
"""

from textwrap import dedent
from typing import NamedTuple

import numpy as np

from engine.board import HEIGHT, WIDTH, is_wall
from engine.notation import parse_position
from engine.rules import ACTION_NAMES, play_round
from engine.spec.bridge import FIELDS, difference, draw, from_state
from engine.spec.naive import new_naive
from engine.state import copy_state


class Position(NamedTuple):
    state: np.record
    map: np.record


def whole_rows(lines: list[str]) -> list[str]:
    """The rows of a drawn corner, completed to the whole board."""
    rows = []
    for y in range(HEIGHT):
        row = lines[y] if y < len(lines) else ""
        rows.append(row + "".join("X" if is_wall(x, y) else "." for x in range(len(row), WIDTH)))
    return rows


def board(drawn: str) -> str:
    """The arena's text of a drawn corner."""
    lines = dedent(drawn).split("\n")
    rows = [line.strip() for line in lines if line.strip() and " " not in line.strip()]
    entities = [line.strip() for line in lines if " " in line.strip()]
    return "\n".join([*whole_rows(rows), str(len(entities)), *entities]) + "\n"


def position(drawn: str, turn: int = 0) -> Position:
    game = parse_position(board(drawn), turn)
    return Position(game.state, game.map)


def text_of(state: np.record, map_: np.record) -> str:
    """The arena's text of a State (items row by row)."""
    return draw(from_state(state, map_))


def pack(actions: dict[int, str]) -> np.uint64:
    """`{0: "left", 2: "stay+bomb"}` as the engines take it; everybody else stays."""
    return np.uint64(sum(ACTION_NAMES.index(name) << 4 * player for player, name in actions.items()))


def assert_same(naive: np.record, state: np.record, map_: np.record) -> None:
    assert FIELDS[difference(naive, state, map_, new_naive())] == ""


def play_on(state: np.record, map_: np.record, actions: np.uint64) -> np.record:
    """The State after a round; the one given stays as it is."""
    after = copy_state(state)
    play_round(after, map_, actions)
    return after
