"""Sets of cells: three words, one per class of cell (see `engine.board`).

    in a kernel   a tuple (a, h, v); every operation returns a new one
    in a record   an array of three words: `read` takes the set out, `write` puts one in, and `has`, `add` and
                  `remove` touch only the word in which the cell has its bit

`has` takes either kind.
"""

import numpy as np

from engine.board import (
    BIT_MASK,
    CLASS_SHIFT,
    H_START,
    ONE,
    OPEN_A,
    OPEN_H,
    OPEN_V,
    SEVEN,
    V_START,
    ZERO,
    bit_of,
    count_bits,
    lowest_bit,
)
from engine.jit import entry, inline

NOTHING = (ZERO, ZERO, ZERO)
ALL_CELLS = (OPEN_A, OPEN_H, OPEN_V)


@inline
def read(words):
    return words[0], words[1], words[2]


@inline
def write(words, cells):
    words[0], words[1], words[2] = cells


@inline
def has(cells, cell):
    """Whether the set holds the cell."""
    return (cells[cell >> CLASS_SHIFT] >> (cell & BIT_MASK)) & ONE != ZERO


@inline
def holds(cells, cell):
    """`has` of a tuple without a branch on the class of the cell."""
    a, h, v = cells
    word = a if cell < H_START else h if cell < V_START else v
    return (word >> (cell & BIT_MASK)) & ONE != ZERO


@inline
def add(words, cell):
    words[cell >> CLASS_SHIFT] |= bit_of(cell)


@inline
def remove(words, cell):
    words[cell >> CLASS_SHIFT] &= ~bit_of(cell)


@inline
def single(cell):
    """The set of one cell."""
    bit = bit_of(cell)
    return (
        bit if cell < H_START else ZERO,
        bit if cell >= H_START and cell < V_START else ZERO,
        bit if cell >= V_START else ZERO,
    )


@inline
def without(some, others):
    return some[0] & ~others[0], some[1] & ~others[1], some[2] & ~others[2]


@inline
def union(some, others):
    return some[0] | others[0], some[1] | others[1], some[2] | others[2]


@inline
def common(some, others):
    return some[0] & others[0], some[1] & others[1], some[2] & others[2]


@inline
def is_empty(cells):
    return cells[0] | cells[1] | cells[2] == ZERO


@entry
@inline
def count_cells(cells):
    return np.int64(count_bits(cells[0]) + count_bits(cells[1]) + count_bits(cells[2]))


@inline
def first_cell(cells):
    """The lowest cell of a set that is not empty."""
    if cells[0] != ZERO:
        return lowest_bit(cells[0])
    if cells[1] != ZERO:
        return lowest_bit(cells[1]) | H_START
    return lowest_bit(cells[2]) | V_START


@inline
def spread(cells):
    """The set and all neighbours of its cells. Walls have no bits to spread to; bits that belong to no cell do."""
    a, h, v = cells
    return (
        a | h | (h << ONE) | v | (v << SEVEN),
        h | a | (a >> ONE),
        v | a | (a >> SEVEN),
    )


@inline
def flood(reach, blocked):
    """The set and all free cells one move away."""
    return union(reach, without(spread(reach), blocked))


@inline
def with_two_neighbours(free):
    """The free cells with at least two free neighbours."""
    a, h, v = free
    left, right, up, down = h << ONE, h, v << SEVEN, v
    two = (left & right) | (up & down) | ((left | right) & (up | down))
    return a & two, h & a & (a >> ONE), v & a & (a >> SEVEN)


@inline
def live_bombs(blocked, boxes):
    """The cells with bombs: blocked, but not boxes."""
    return common(without(blocked, boxes), ALL_CELLS)
