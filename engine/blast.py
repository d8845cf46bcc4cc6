"""How fire travels: the arms of one bomb, and chains of many.

One bomb burns along its row and its column. A line is cut out of the words and interleaved into one small
number (bit = x or y), and the nearest obstacle on either side is its highest bit below and its lowest bit
above the bomb; a sentinel bit at the end of the reach (or of the board) makes that exact for every range:

    x         0 1 2 3 4 5 6 7 8 9          obstacles at 1 and 7, bomb at 4 with reach 2 (range 3)
    line      . # . . B . . # . .
    below     . # S . . . . . . .          S = sentinel at 4 - 2; highest bit: 2
    above     . . . . . . S # . .          S = sentinel at 4 + 2; lowest bit: 6
    fire      . . * * * * * . . .

Chains run in waves: the fire of all waiting bombs, then every bomb that stands in it, until none is new.
The board is frozen meanwhile, so order never matters.
"""

import numpy as np

from engine.board import (
    FOUR,
    H_START,
    HEIGHT,
    ONE,
    SEVEN,
    TWO,
    U64,
    V_START,
    WIDTH,
    X_OF,
    Y_OF,
    ZERO,
    highest_bit,
    lowest_bit,
)
from engine.cells import NOTHING, common, count_cells, read, single, union, without
from engine.jit import inline
from engine.state import BYTE, SLOT, SLOT_BITS, bomb_in, cell_of, range_of

LAST_X = U64(WIDTH - 1)
LAST_Y = U64(HEIGHT - 1)
ROW = U64(0b1111111)
COLUMN = U64(sum(1 << 7 * row for row in range(6)))  # a column of A or V
GATHER = U64(sum(1 << 6 * k for k in range(6)))  # times this, bits 0, 7, 14 ... come together at bit 30
GATHERED = U64(30)
SIX_BITS = U64(0b111111)
THREE = U64(3)

# Four slots of 16 bits at once: with 15 ones added, a slot's top bit tells whether it was above 0.
EACH_SLOT = U64(0x0001000100010001)
EACH_CELL = U64(0x00FF00FF00FF00FF)
FIFTEEN_ONES = U64(0x7FFF7FFF7FFF7FFF)
TOP_BIT = U64(15)


def make_spaced() -> np.ndarray:
    """Seven bits with a gap after each: abc -> a0b0c."""
    table = np.zeros(128, np.uint64)
    for bits in range(128):
        table[bits] = sum((bits >> k & 1) << 2 * k for k in range(7))
    return table


SPACED = make_spaced()


@inline
def line_ends(line, position, reach, last):
    """First and last burning place on a line of obstacles (one on the bomb's own place doesn't count)."""
    low = position - reach if position > reach else ZERO
    high = position + reach if position + reach < last else last
    below = (line & ((ONE << position) - ONE)) | (ONE << low)
    above = ((line >> position) >> ONE << ONE << position) | (ONE << high)
    return highest_bit(below), lowest_bit(above)


@inline
def blast(cell, bomb_range, obstacles):
    """The fire of one bomb among the obstacles, as a set of cells."""
    a, h, v = obstacles
    x, y = U64(X_OF[cell]), U64(Y_OF[cell])
    column, row_shift = x >> ONE, SEVEN * (y >> ONE)
    reach = bomb_range - ONE
    fire_a = fire_h = fire_v = ZERO
    if cell < V_START:
        line = SPACED[(a >> row_shift) & ROW] | (SPACED[(h >> row_shift) & ROW] << ONE)
        first, last = line_ends(line, x, reach, LAST_X)
        fire_a = ((TWO << (last >> ONE)) - (ONE << ((first + ONE) >> ONE))) << row_shift
        fire_h = ((ONE << ((last + ONE) >> ONE)) - (ONE << (first >> ONE))) << row_shift
    if cell < H_START or cell >= V_START:
        crossings = ((((a >> column) & COLUMN) * GATHER) >> GATHERED) & SIX_BITS
        between = ((((v >> column) & COLUMN) * GATHER) >> GATHERED) & SIX_BITS
        line = SPACED[crossings] | (SPACED[between] << ONE)
        first, last = line_ends(line, y, reach, LAST_Y)
        fire_a |= (rows_before((last >> ONE) + ONE) - rows_before((first + ONE) >> ONE) & COLUMN) << column
        fire_v = (rows_before((last + ONE) >> ONE) - rows_before(first >> ONE) & COLUMN) << column
    return fire_a, fire_h, fire_v


@inline
def rows_before(row):
    """One above all bits of the rows before this one: the difference of two is the rows between."""
    return ONE << SEVEN * row


@inline
def cells_in_row(row):
    """Where the bombs of one row of the ring stand, as three words."""
    cells = NOTHING
    while row != ZERO:
        bomb = row & SLOT
        if bomb != ZERO:
            cells = union(cells, single(cell_of(bomb)))
        row >>= SLOT_BITS
    return cells


@inline
def slots_on(bombs, cell):
    """The slots of the ring whose bombs stand on the cell: bit 16 * owner + row."""
    pattern = cell * EACH_SLOT
    found = ZERO
    for row in range(8):
        other = (bombs[row] & EACH_CELL) ^ pattern
        same = ~(other + FIFTEEN_ONES) & (bombs[row] + FIFTEEN_ONES)
        found |= ((same >> TOP_BIT) & EACH_SLOT) << U64(row)
    return found


# Boxes hit by each player: three words for player 0, three for player 1, ...
NO_HITS = (ZERO,) * 12


@inline
def credit(hits, owner, a, h, v):
    """Add the boxes (a, h, v) to those hit by the owner."""
    p0, p1 = ZERO - U64(owner == ZERO), ZERO - U64(owner == ONE)
    p2, p3 = ZERO - U64(owner == TWO), ZERO - U64(owner == THREE)
    return (
        hits[0] | a & p0, hits[1] | h & p0, hits[2] | v & p0,
        hits[3] | a & p1, hits[4] | h & p1, hits[5] | v & p1,
        hits[6] | a & p2, hits[7] | h & p2, hits[8] | v & p2,
        hits[9] | a & p3, hits[10] | h & p3, hits[11] | v & p3,
    )  # fmt: skip


@inline
def count_hits(hits):
    """Boxes hit by each player, 16 bits each, player 0 lowest."""
    return (
        U64(count_cells(hits[0:3]))
        | U64(count_cells(hits[3:6])) << U64(16)
        | U64(count_cells(hits[6:9])) << U64(32)
        | U64(count_cells(hits[9:12])) << U64(48)
    )


@inline
def hits_of(counts, player):
    """One player's number out of those that count_hits returns."""
    return (counts >> (U64(player) << FOUR)) & BYTE


@inline
def explode(bombs, due, obstacles, boxes, live):
    """Explode row `due` of the ring among the obstacles, with all chains over the live bombs.

    `live` are the cells of bombs that haven't exploded yet. Returns the fire (three words), the slots
    that explode (bit 16 * owner + row) and the boxes hit by each player. Changes nothing.
    """
    boxes_a, boxes_h, boxes_v = boxes
    live_a, live_h, live_v = live
    fire_a, fire_h, fire_v = cells_in_row(bombs[due])
    fire_a, fire_h, fire_v = fire_a & live_a, fire_h & live_h, fire_v & live_v
    exploded = ZERO
    hits = NO_HITS
    while True:
        wave_a, wave_h, wave_v = live_a & fire_a, live_h & fire_h, live_v & fire_v
        if wave_a | wave_h | wave_v == ZERO:
            return (fire_a, fire_h, fire_v), exploded, hits
        live_a ^= wave_a
        live_h ^= wave_h
        live_v ^= wave_v
        while wave_a | wave_h | wave_v != ZERO:
            if wave_a != ZERO:
                cell = lowest_bit(wave_a)
                wave_a &= wave_a - ONE
            elif wave_h != ZERO:
                cell = lowest_bit(wave_h) | H_START
                wave_h &= wave_h - ONE
            else:
                cell = lowest_bit(wave_v) | V_START
                wave_v &= wave_v - ONE
            slots = slots_on(bombs, cell)
            exploded |= slots
            while slots != ZERO:
                slot = lowest_bit(slots)
                slots &= slots - ONE
                owner = slot >> FOUR
                bomb = bomb_in(bombs[slot & SEVEN], owner)
                one_a, one_h, one_v = blast(cell, range_of(bomb), obstacles)
                fire_a |= one_a
                fire_h |= one_h
                fire_v |= one_v
                one_a, one_h, one_v = one_a & boxes_a, one_h & boxes_h, one_v & boxes_v
                if one_a | one_h | one_v != ZERO:
                    hits = credit(hits, owner, one_a, one_h, one_v)


@inline
def contents(map_):
    """All cells that hold or held an item."""
    return union(read(map_.range_items), read(map_.bomb_items))


@inline
def burn_away(fire, blocked, boxes, items, map_):
    """Blocked cells, boxes and items after a fire."""
    freed = common(common(boxes, fire), contents(map_))
    return without(blocked, fire), without(boxes, fire), union(without(items, fire), freed)
