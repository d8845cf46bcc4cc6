"""The board without its walls: 113 open cells in three 64-bit words.

There is a wall where x and y are both odd, so open cells fall into three classes:

    A  even row, even column   6 x 7 crossings        A H A H A ...     y = 0
    H  even row, odd column    6 x 6 between them     V # V # V ...     y = 1
    V  odd row, even column    5 x 7 between them     A H A H A ...     y = 2

Each class is one word with a stride of 7 bits a row: bit 7 * (y // 2) + x // 2. A neighbour is then a
shift of one word into another, never a wrap around an edge (bits that belong to no cell are PADDING and
count as blocked):

    from A   right H      left H >> 1    down V     up V >> 7      (seen from H: left A, right A << 1;
                                                                    seen from V: up A, down A << 7)

A set of cells is three words (a, h, v). A cell is one number, 64 * class + bit.
"""

from typing import Any

import numpy as np
from llvmlite import ir

from engine.compile.numba_parts import intrinsic, types
from engine.compile.plain import with_plain
from engine.jit import inline

WIDTH = 13
HEIGHT = 11
NO_CELL = 255  # the entry of CELLS for a wall
OFF = 63  # a bit of A's PADDING: where a move into a wall or off the board would lead

STAY, LEFT, RIGHT, UP, DOWN = range(5)  # the order of the arena's path-finding
MOVES = ("stay", "left", "right", "up", "down")
DELTAS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))

U64 = np.uint64
ZERO = U64(0)
ONE = U64(1)
TWO = U64(2)
FOUR = U64(4)
SEVEN = U64(7)
CLASS_SHIFT = U64(6)
BIT_MASK = U64(63)
H_START = U64(64)
V_START = U64(128)


def is_wall(x: int, y: int) -> bool:
    return x % 2 == 1 and y % 2 == 1


def is_on_board(x: int, y: int) -> bool:
    return 0 <= x < WIDTH and 0 <= y < HEIGHT


def cell_number(x: int, y: int) -> int:
    """The number of an open cell; walls and cells off the board have none."""
    return 64 * (x % 2 + 2 * (y % 2)) + 7 * (y // 2) + x // 2


def make_cells() -> np.ndarray:
    cells = np.full((HEIGHT, WIDTH), NO_CELL, np.uint8)  # [y, x]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if not is_wall(x, y):
                cells[y, x] = cell_number(x, y)
    return cells


CELLS = make_cells()
OPEN_CELLS = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if not is_wall(x, y)]


PLACES = {(x, y): divmod(cell_number(x, y), 64) for x, y in OPEN_CELLS}  # (x, y) -> word, bit; row by row


def make_coordinates() -> tuple[np.ndarray, np.ndarray]:
    xs, ys = np.zeros(256, np.uint8), np.zeros(256, np.uint8)  # [cell]
    for x, y in OPEN_CELLS:
        xs[CELLS[y, x]], ys[CELLS[y, x]] = x, y
    return xs, ys


X_OF, Y_OF = make_coordinates()


def make_neighbours() -> np.ndarray:
    """The cell that a move leads to; OFF, which is always blocked, where a wall or the edge is in the way."""
    table = np.zeros((256, 5), np.uint8)  # [cell, move]
    for x, y in OPEN_CELLS:
        for move, (dx, dy) in enumerate(DELTAS):
            to_x, to_y = x + dx, y + dy
            goes = is_on_board(to_x, to_y) and not is_wall(to_x, to_y)
            table[CELLS[y, x], move] = CELLS[to_y, to_x] if goes else OFF
    return table


NEIGHBOURS = make_neighbours()


def make_turns() -> np.ndarray:
    """Which word has a cell's neighbours, and how far it is turned right to bring left to bit 0 and right to bit 1;
    the same for up at bit 0 and down at bit 7. Between two walls, these bits are PADDING."""
    a, h, v = range(3)
    walls = a, 50
    table = np.zeros((256, 4), np.uint8)  # [cell] of word, turn (left and right), word, turn (up and down)
    for x, y in OPEN_CELLS:
        word, bit = PLACES[x, y]
        beside = {a: (h, (bit - 1) % 64), h: (a, bit), v: walls}
        above = {a: (v, (bit - 7) % 64), h: walls, v: (a, bit)}
        table[CELLS[y, x]] = *beside[word], *above[word]
    return table


TURNS = make_turns()


def words_of(cells: list[tuple[int, int]]) -> np.ndarray:
    """A set of (x, y) as three words."""
    words = [0, 0, 0]
    for place in cells:
        word, bit = PLACES[place]
        words[word] |= 1 << bit
    return np.array(words, np.uint64)


def cells_of(words: np.ndarray) -> list[tuple[int, int]]:
    """Three words as a list of (x, y), row by row."""
    sets = [int(word) for word in words]
    return [place for place, (word, bit) in PLACES.items() if sets[word] >> bit & 1]


OPEN = words_of(OPEN_CELLS)
PADDING = ~OPEN
OPEN_A, OPEN_H, OPEN_V = OPEN
PADDING_A, PADDING_H, PADDING_V = PADDING


# Bits. Each of these compiles to a single instruction.

M1, M2, M4 = U64(0x5555555555555555), U64(0x3333333333333333), U64(0x0F0F0F0F0F0F0F0F)
BYTES, TOP_BYTE = U64(0x0101010101010101), U64(56)

FOR_ZERO_TOO = ir.IntType(1)(0)  # LLVM must not assume that a bit is set


def counting(instruction: str) -> Any:
    """A function for kernels that counts bits of a word by an instruction of LLVM."""

    def typed(context: Any, word: Any) -> Any:
        def generate(target: Any, builder: ir.IRBuilder, signature: Any, given: Any) -> Any:
            return getattr(builder, instruction)(given[0], FOR_ZERO_TOO)

        return types.uint64(types.uint64), generate

    return intrinsic(typed)


count_leading = counting("ctlz")  # zeros above the highest set bit
count_trailing = counting("cttz")  # zeros below the lowest set bit


def plain_count_bits(word: np.uint64) -> np.uint64:
    return U64(int(word).bit_count())


def plain_lowest_bit(word: np.uint64) -> np.uint64:
    return U64((int(word) & -int(word)).bit_length() - 1)


def plain_highest_bit(word: np.uint64) -> np.uint64:
    return U64(int(word).bit_length() - 1)


@with_plain(plain_count_bits)
@inline
def count_bits(word):
    word -= (word >> ONE) & M1
    word = (word & M2) + ((word >> TWO) & M2)
    word = (word + (word >> FOUR)) & M4
    return (word * BYTES) >> TOP_BYTE


@with_plain(plain_lowest_bit)
@inline
def lowest_bit(word):
    """Position of the lowest set bit; the word must not be 0."""
    return U64(count_trailing(word))


@with_plain(plain_highest_bit)
@inline
def highest_bit(word):
    """Position of the highest set bit; the word must not be 0."""
    return BIT_MASK - U64(count_leading(word))


@inline
def has_bit(bits, k):
    """Whether a small set (of actions, moves or players) has bit k."""
    return (bits >> U64(k)) & ONE != ZERO


@inline
def distance(cell, other):
    """The Manhattan distance between two cells; ignores walls and boxes."""
    return abs(np.int64(X_OF[cell]) - np.int64(X_OF[other])) + abs(np.int64(Y_OF[cell]) - np.int64(Y_OF[other]))


@inline
def turn_right(word, count):
    """The word with its bits moved down, those that fall out at the bottom coming in at the top."""
    return (word >> count) | (word << ((ZERO - count) & BIT_MASK))


@inline
def bit_of(cell):
    """The bit of a cell within its word."""
    return ONE << (cell & BIT_MASK)
