"""Positions drawn as text: a corner of the board and its entities, played on both engines at once.

    ..0.            rows from the top left; what isn't drawn is floor (and the walls)
    .X.X
    0 0 2 0 1 3     lines with spaces are entities as the arena writes them, in its order
    1 1 0 0 8 3

The expected board is drawn the same way.
"""

from textwrap import dedent
from typing import NamedTuple

import numpy as np

from engine.board import HEIGHT, WIDTH, cells_of, is_wall
from engine.notation import parse_position
from engine.rules import ACTION_NAMES, ACTIONS, play_round
from engine.rules import legal_actions as fast_legal_actions
from engine.spec.bridge import FIELDS, difference, draw, from_state
from engine.spec.naive import legal_actions as slow_legal_actions
from engine.spec.naive import new_naive
from engine.spec.naive import step as slow_step
from engine.state import MAX_PLAYERS, copy_state
from engine.survival import fill_forecast, new_forecast

FIRE = "*"


class Position(NamedTuple):
    state: np.record
    map: np.record


class Played(NamedTuple):
    """A position after a round, as both engines agreed on it."""

    text: str
    scored: list[int]


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


def play(drawn: str, actions: dict[int, str] | None = None, turn: int = 0) -> Played:
    """One round on both engines, which must agree in every field."""
    state, map_ = position(drawn, turn)
    naive = from_state(state, map_)
    play_round(state, map_, pack(actions or {}))
    slow_step(naive, pack(actions or {}))
    assert_same(naive, state, map_)
    return Played(draw(naive), [int(me.scored) for me in naive.players])


def check(before: str, actions: dict[int, str], after: str, scored: tuple[int, ...] = ()) -> None:
    """Both engines make `after` (and the scores) of `before`, whatever row of the ring is due."""
    expected = Played(board(after), [*scored, *[0] * (MAX_PLAYERS - len(scored))])
    for turn in (0, 3, 7):
        assert play(before, actions, turn) == expected


def fire_of(drawn: str) -> str:
    """The board's rows with the cells that burn in the coming round, the same on both engines."""
    state, map_ = position(drawn)
    naive = from_state(state, map_)
    forecast = new_forecast()
    fill_forecast(state, map_, forecast)
    slow_step(naive, np.uint64(0))
    burning = {(int(x), int(y)) for y, x in zip(*np.nonzero(naive.fire), strict=True)}
    assert set(cells_of(forecast.fire[0])) == burning
    rows = board(drawn).split("\n")[:HEIGHT]
    return "\n".join("".join(FIRE if (x, y) in burning else rows[y][x] for x in range(WIDTH)) for y in range(HEIGHT))


def burns(before: str, after: str) -> None:
    """The fire of the coming round is drawn in `after`."""
    assert fire_of(before) == "\n".join(whole_rows(dedent(after).split()))


def legal(drawn: str, player: int) -> list[str]:
    """The names of a player's legal actions, the same on both engines."""
    state, map_ = position(drawn)
    bits = int(slow_legal_actions(from_state(state, map_), player))
    assert int(fast_legal_actions(state, player)) == bits
    return [ACTION_NAMES[action] for action in range(ACTIONS) if bits >> action & 1]


def play_on(state: np.record, map_: np.record, actions: np.uint64) -> np.record:
    """The State after a round; the one given stays as it is."""
    after = copy_state(state)
    play_round(after, map_, actions)
    return after
