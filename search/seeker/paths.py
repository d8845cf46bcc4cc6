"""The way to a goal: A* over cells and rounds.

A step is a round, so what a way costs is when it arrives, and the Manhattan distance never says too much. The known
fires make it more than a matter of cells: one may be deadly in a round and free in the next, and waiting is a step too.
"""

from typing import NamedTuple

import numpy as np

from engine.board import NEIGHBOURS, OPEN_CELLS, U64, distance
from engine.cells import has, read, without, write
from engine.jit import inline, kernel
from engine.rules import BOMB
from engine.state import FUSE
from engine.survival import FORECAST, fill_forecast

NO_WAY = -1
CELL_BITS, ROUND_BITS = 8, 6
CELL, ROUND = (1 << CELL_BITS) - 1, (1 << ROUND_BITS) - 1
LONGEST = ROUND  # rounds of a way


class Ways(NamedTuple):
    """What a search for a way works on."""

    forecasts: np.ndarray  # [1], what the known bombs will do
    blocked: np.ndarray  # [FUSE + 1, 3], for moves of that round; the last when all is over
    queue: np.ndarray  # a binary heap of (cost << 14 | rounds left << 8 | cell)
    came: np.ndarray  # [round, cell], the move that led there + 1, 0 = none did
    moves: np.ndarray  # [round], the way that was found


def make_ways() -> Ways:
    return Ways(
        forecasts=np.zeros(1, FORECAST),
        blocked=np.zeros((FUSE + 1, 3), np.uint64),
        queue=np.zeros((LONGEST + 1) * len(OPEN_CELLS) + 1, np.int64),
        came=np.zeros((LONGEST + 1, 256), np.uint8),
        moves=np.zeros(LONGEST + 1, np.int64),
    )


@inline
def look_ahead(ways, state, map_):
    """Foresee the fires, and what blocks the way in each round."""
    forecast = ways.forecasts[0]
    fill_forecast(state, map_, forecast)
    for k in range(forecast.rounds):
        write(ways.blocked[k], read(forecast.blocked[k]))
    last = forecast.rounds
    if last == 0:
        write(ways.blocked[0], read(state.blocked))
    else:
        write(ways.blocked[last], without(read(forecast.blocked[last - 1]), read(forecast.fire[last - 1])))


@inline
def burns(ways, cell, rounds):
    """Whether whoever stands on the cell in that round burns."""
    forecast = ways.forecasts[0]
    return rounds < forecast.rounds and has(forecast.fire[rounds], cell)


@inline
def push(queue, size, key):
    """Add a key to the heap; returns its new size."""
    at = size
    while at > 0 and queue[(at - 1) >> 1] > key:
        queue[at] = queue[(at - 1) >> 1]
        at = (at - 1) >> 1
    queue[at] = key
    return size + 1


@inline
def drop_first(queue, size):
    """Take the smallest key, which is the first, off the heap; returns its new size."""
    size -= 1
    key, at = queue[size], 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and queue[below + 1] < queue[below]:
            below += 1
        if queue[below] >= key:
            break
        queue[at] = queue[below]
        at = below
    queue[at] = key
    return size


@inline
def key_of(cell, goal, rounds):
    """Least cost first; of equal ones that which is nearer to the goal."""
    cost = rounds + distance(cell, goal)
    return (cost << (CELL_BITS + ROUND_BITS)) | ((LONGEST - rounds) << CELL_BITS) | np.int64(cell)


@kernel
def find_way(ways, start, goal, not_before, longest):
    """Fill ways.moves with a shortest way that is on the goal in round `not_before` or later, at most `longest`.

    Returns its rounds, or NO_WAY, and how many positions it looked at.
    """
    ways.came[: longest + 1] = 0
    ways.came[0, start] = 1
    size, looked = push(ways.queue, 0, key_of(start, goal, 0)), 0
    while size > 0:
        first = ways.queue[0]
        size = drop_first(ways.queue, size)
        cell, rounds = U64(first & CELL), LONGEST - ((first >> CELL_BITS) & ROUND)
        if burns(ways, cell, rounds):
            continue
        if cell == goal and rounds >= not_before:
            trace_back(ways, cell, rounds)
            return rounds, looked
        if rounds == longest:
            continue
        blocked = ways.blocked[min(rounds, ways.forecasts[0].rounds)]
        for move in range(BOMB):
            to = U64(NEIGHBOURS[cell, move])
            if (move == 0 or not has(blocked, to)) and ways.came[rounds + 1, to] == 0:
                ways.came[rounds + 1, to] = move + 1
                size = push(ways.queue, size, key_of(to, goal, rounds + 1))
                looked += 1
    return NO_WAY, looked


@inline
def trace_back(ways, cell, rounds):
    """Fill in the moves that led to a cell in a round."""
    for k in range(rounds, 0, -1):
        move = ways.came[k, cell] - 1
        ways.moves[k - 1] = move
        if move != 0:  # left and right, up and down undo each other
            cell = U64(NEIGHBOURS[cell, ((move - 1) ^ 1) + 1])
