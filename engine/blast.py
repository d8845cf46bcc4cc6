"""How fire travels: the arms of one bomb, and chains of many.

One bomb burns along its row and its column. A line of the board is laid out in one number, place by place, and the
fire fills it from the nearest obstacle below the bomb to the nearest above, within its reach:

    x         0 1 2 3 4 5 6 7 8 9          obstacles at 1 and 7, bomb at 4 with range 3
    line      . # . . B . . # . .
    between   . * * * * * * * . .          from the highest obstacle below to the lowest above
    reach     . . * * * * * . . .
    fire      . . * * * * * . . .          the cells in both

A row is two words interleaved (A H A H ...). A column stays where it is: A and V have it at the same bits, seven
apart, so V's moved up by three fall between A's. A mask removes the direction in which a cell has walls on both sides,
so a blast needs neither a loop nor a branch.

Chains run in waves: the fire of all waiting bombs, then every bomb in it, until none is new. The board is
frozen meanwhile, so order never matters. Each bomb is identified by its slot of the ring, one bit each
(`engine/instructions.py`).
"""

from collections.abc import Callable

import numpy as np

from engine.board import (
    FOUR,
    HEIGHT,
    ONE,
    OPEN_CELLS,
    TWO,
    U64,
    WIDTH,
    ZERO,
    cell_number,
    highest_bit,
    lowest_bit,
)
from engine.cells import common, count_cells, read, union, without
from engine.instructions import add_to_set, bomb_at, evens, new_sets, read_set, space, standing_in
from engine.jit import inline
from engine.state import BYTE, cell_of, range_of

ROW = U64(0b1111111)
COLUMN = U64(sum(1 << 7 * row for row in range(6)))  # a column of A or V
THREE = U64(3)
ROW_SLOTS = U64(0b1111)  # the slots of one row of the ring

NO_LINE = 13  # the place of a cell in a row of which it is the only open cell
LONGEST = U64(WIDTH)  # a range that covers every line


def make_lines() -> np.ndarray:
    """Where each cell has its row and its column: [cell] of row's shift, place in the row, column's shift and place."""
    lines = np.zeros((256, 4), np.uint8)
    for x, y in OPEN_CELLS:
        row_place = x if y % 2 == 0 else NO_LINE
        column_place = y if x % 2 == 0 else NO_LINE
        lines[cell_number(x, y)] = 7 * (y // 2), row_place, x // 2, column_place
    return lines


def column_bit(y: int) -> int:
    """The bit of a place of a column laid out between A and V."""
    return 7 * (y // 2) + 3 * (y % 2)


def make_reaches(length: int, bit_of_place: Callable[[int], int]) -> np.ndarray:
    """The places that a bomb reaches on an empty line: [place, range]."""
    reaches = np.zeros((16, 16), np.uint64)
    for place in range(length):
        for bomb_range in range(16):
            near = [other for other in range(length) if abs(other - place) < bomb_range]
            reaches[place, bomb_range] = sum(1 << bit_of_place(other) for other in near)
    return reaches


LINES = make_lines()
IN_ROW = make_reaches(WIDTH, lambda x: x)
IN_COLUMN = make_reaches(HEIGHT, column_bit)
COLUMN_BITS = np.array([column_bit(y) if y < HEIGHT else 0 for y in range(16)], np.uint64)


@inline
def between(line, place):
    """The places from the nearest obstacle below a place to the nearest above, or to the end of the line."""
    above = line & ~((TWO << place) - ONE)
    below = line & ((ONE << place) - ONE)
    return ((above & (ZERO - above)) << ONE) - (ONE << highest_bit(below | ONE))


@inline
def blast(cell, bomb_range, obstacles):
    """The fire of one bomb among the obstacles, as a set of cells with the bomb's own, which never blocks it."""
    a, h, v = obstacles
    reach = min(bomb_range, LONGEST)
    row, x = U64(LINES[cell, 0]), U64(LINES[cell, 1])
    line = space(a >> row) | (space(h >> row) << ONE)
    fire = between(line, x) & IN_ROW[x, reach]
    fire_a, fire_h = evens(fire) << row, evens(fire >> ONE) << row
    column, y = U64(LINES[cell, 2]), U64(LINES[cell, 3])
    cells = COLUMN << column
    line = (a & cells) | ((v & cells) << THREE)
    fire = between(line, COLUMN_BITS[y] + column) & (IN_COLUMN[y, reach] << column)
    return fire_a | (fire & cells), fire_h, (fire >> THREE) & cells


@inline
def due_in(live, row):
    """The live bombs in a row of the ring."""
    return live & (ROW_SLOTS << (row << TWO))


@inline
def hits_of(counts, player):
    """One player's number out of the hits that `explode` returns."""
    return (counts >> (U64(player) << FOUR)) & BYTE


@inline
def count_hits(fires, boxes):
    """Boxes hit by each player, 16 bits each, player 0 lowest."""
    counts = ZERO
    for owner in range(4):
        counts |= U64(count_cells(common(read_set(fires, U64(owner)), boxes))) << U64(16 * owner)
    return counts


@inline
def explode(bombs, wave, live, obstacles, boxes):
    """Explode a wave of bombs among the obstacles, with all chains.

    `wave` and `live` are slots: of the bombs that are due, and of all that haven't exploded yet. Returns the fire
    (three words), the slots that are left and how many boxes each player hits, 16 bits each. Changes nothing.
    """
    fire_a = fire_h = fire_v = ZERO
    fires = new_sets()  # [owner]
    while wave != ZERO:
        live ^= wave
        while wave != ZERO:
            slot = lowest_bit(wave)
            wave &= wave - ONE
            bomb = bomb_at(bombs, slot)
            one_a, one_h, one_v = blast(cell_of(bomb), range_of(bomb), obstacles)
            fire_a |= one_a
            fire_h |= one_h
            fire_v |= one_v
            add_to_set(fires, slot & THREE, (one_a, one_h, one_v))
        wave = standing_in(bombs, (fire_a, fire_h, fire_v), live)
    return (fire_a, fire_h, fire_v), live, count_hits(fires, boxes)


@inline
def contents(map_):
    """All cells that hold or held an item."""
    return union(read(map_.range_items), read(map_.bomb_items))


@inline
def burn_away(fire, blocked, boxes, items, map_):
    """Blocked cells, boxes and items after a fire."""
    freed = common(common(boxes, fire), contents(map_))
    return without(blocked, fire), without(boxes, fire), union(without(items, fire), freed)
