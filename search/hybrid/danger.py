"""Which cells the bombs threaten, how soon, and whether a bomb can be dropped without suicide.

`fires[t]` is all that burns within t turns if nobody acts, chains included. A bomb is dangerous while its ticks are
below 5 + 2 x bombs around, so all dangerous bombs are those up to some timer, and their fire is one entry.

The no-suicide rule: a bomb is dropped only if, in time, a cell can be reached that no bomb reaches and that has at
least two free neighbours, so that nobody can shut the agent in. While boxes keep all others away nobody can, and any
safe cell will do: otherwise a bot in a corner with boxes on both sides would never drop its first bomb.

    . B 0      shut in with boxes 0: the bomb B leaves the cell on the lower left, which has one free neighbour
    . # .
    0 . .
"""

from typing import NamedTuple

import numpy as np

from engine.blast import blast
from engine.board import (
    CELLS,
    HEIGHT,
    NEIGHBOURS,
    ONE,
    OPEN_CELLS,
    PADDING_A,
    PADDING_H,
    PADDING_V,
    U64,
    WIDTH,
    ZERO,
    has_bit,
    words_of,
)
from engine.cells import (
    NOTHING,
    common,
    flood,
    has,
    is_empty,
    read,
    single,
    union,
    with_two_neighbours,
    without,
    write,
)
from engine.jit import inline, kernel
from engine.rules import legal_moves
from engine.state import FUSE, MAX_PLAYERS, bomb_in, cell_of
from engine.survival import FORECAST, fill_forecast
from search.hybrid.paths import free_cells, reachable


class Danger(NamedTuple):
    """What the bombs of one position threaten."""

    fires: np.ndarray  # [timer, word]
    forecast: np.ndarray  # one Forecast
    balls: np.ndarray  # [cell, word], the cells around a cell


def make_balls(radius: int) -> np.ndarray:
    """All open cells at most so far from each cell."""
    balls = np.zeros((256, 3), np.uint64)
    for x, y in OPEN_CELLS:
        balls[CELLS[y, x]] = words_of([to for to in OPEN_CELLS if abs(to[0] - x) + abs(to[1] - y) <= radius])
    return balls


def make_areas(radius: int) -> np.ndarray:
    """How many tiles, walls among them, are at most so far from each cell."""
    tiles = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    areas = np.zeros(256)
    for x, y in OPEN_CELLS:
        areas[CELLS[y, x]] = sum(abs(to[0] - x) + abs(to[1] - y) <= radius for to in tiles)
    return areas


def make_danger(near: int) -> Danger:
    return Danger(np.zeros((FUSE + 1, 3), np.uint64), np.zeros(1, FORECAST), make_balls(near))


@inline
def obstacles_of(state):
    """What stops fire."""
    return union(read(state.blocked), read(state.items))


@kernel
def foresee(state, map_, danger):
    """Fill in what burns when."""
    forecast = danger.forecast[0]
    fill_forecast(state, map_, forecast)
    fire = NOTHING
    write(danger.fires[0], fire)
    for timer in range(1, FUSE + 1):
        if timer <= forecast.rounds:
            fire = union(fire, read(forecast.fire[timer - 1]))
        write(danger.fires[timer], fire)


@inline
def bombs_around(state, cell, balls):
    """How many bombs are around the cell, and all cells that are around any bomb."""
    count, cells = 0, NOTHING
    for row in range(FUSE):
        for owner in range(MAX_PLAYERS):
            bomb = bomb_in(state.bombs[row], owner)
            if bomb != ZERO:
                count += 1 if has(balls[cell], cell_of(bomb)) else 0
                cells = union(cells, read(balls[cell_of(bomb)]))
    return count, cells


@inline
def last_dangerous(threshold, ticks):
    """The highest timer of a dangerous bomb, with so many ticks a turn; 0 if none is."""
    timer = 0
    while timer < FUSE and (timer + 1) * ticks < threshold:
        timer += 1
    return timer


@inline
def steps_left(danger, cell):
    """Moves until a bomb dropped on the cell explodes: its own fuse, or that of the bomb that sets it off."""
    for timer in range(1, FUSE + 1):
        if has(danger.fires[timer], cell):
            return timer - 1
    return FUSE


@kernel
def is_shut_off(state, player):
    """Whether boxes keep all others away from the player."""
    reach = reachable(cell_of(state.players[player]), union(read(state.boxes), (PADDING_A, PADDING_H, PADDING_V)))
    for other in range(MAX_PLAYERS):
        if other != player and state.players[other] != 0 and has(reach, cell_of(state.players[other])):
            return False
    return True


@kernel
def escapes(state, danger, cell, bomb_range, is_alone):
    """(moves, best): after which moves, five bits, a bomb dropped on the cell is no suicide, and the quickest of them.

    `best` is -1 if there is none.
    """
    obstacles = obstacles_of(state)
    fire = union(read(danger.fires[FUSE]), blast(cell, bomb_range, obstacles))
    blocked = union(read(state.blocked), single(cell))
    free = free_cells(blocked)
    havens = without(free if is_alone else with_two_neighbours(free), fire)
    left = steps_left(danger, cell)
    legal = legal_moves(state, cell)
    moves, best, fewest = ZERO, -1, FUSE + 1
    for move in range(5):
        if not has_bit(legal, move):
            continue
        reach = single(cell if move == 0 else U64(NEIGHBOURS[cell, move]))
        for steps in range(1, left + 1):
            if not is_empty(common(reach, havens)):
                moves |= ONE << U64(move)
                if steps < fewest:
                    best, fewest = move, steps
                break
            reach = flood(reach, blocked)
    return moves, best
