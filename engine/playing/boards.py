"""The arena's boards made by a kernel: what `Game.start` draws, for whoever starts games by the thousand."""

import numpy as np

from engine.board import CELLS, HEIGHT, NO_CELL, ONE, PADDING_A, PADDING_H, PADDING_V, U64, WIDTH, ZERO
from engine.cells import NOTHING, add, has, write
from engine.jit import entry, inline
from engine.maps import CORNERS, MAX_TRIES, START_BOMBS, START_RANGE, is_near_corner
from engine.position import Player, pack_player
from engine.state import FUSE, MAX_PLAYERS

FACTOR, INCREMENT = U64(0x5DEECE66D), U64(0xB)  # of java.util.Random
LOW_48, DRAWN_SHIFT, DRAWN_END = U64((1 << 48) - 1), U64(17), U64(1 << 31)
COLUMNS, ROWS = U64(WIDTH), U64(HEIGHT)
LEAST_BOXES, SPREAD_OF_BOXES, KINDS = 30, U64(36), 3


def make_places() -> np.ndarray:
    """Where a box may be drawn: the cell's number, NO_CELL for a wall or next to a corner."""
    places = CELLS.copy()  # [y, x]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if is_near_corner(x, y):
                places[y, x] = NO_CELL
    return places


def make_starters() -> np.ndarray:
    """Everybody in their corner, packed: [seat]."""
    players = [Player(at, *CORNERS[at], START_BOMBS, START_RANGE, 0) for at in range(MAX_PLAYERS)]
    return np.array([pack_player(player) for player in players], np.uint32)


BOX_PLACES = make_places()
STARTERS = make_starters()


@inline
def draw_below(random, bound):
    """The next state of Java's generator and a number below the bound (no power of two), by rejection as Java does."""
    while True:
        random = (random * FACTOR + INCREMENT) & LOW_48
        drawn = random >> DRAWN_SHIFT
        value = drawn % bound
        if drawn - value + (bound - ONE) < DRAWN_END:
            return random, value


@inline
def clear_board(state, map_, players):
    """Nothing but so many players in their corners, on turn 0."""
    write(state.blocked, (PADDING_A, PADDING_H, PADDING_V))
    write(state.boxes, NOTHING)
    write(state.items, NOTHING)
    write(map_.range_items, NOTHING)
    write(map_.bomb_items, NOTHING)
    for row in range(FUSE):
        state.bombs[row] = ZERO
    for at in range(MAX_PLAYERS):
        state.players[at] = STARTERS[at] if at < players else 0
        state.scored[at] = 0
    state.turn = 0


@inline
def put_box(state, items, cell):
    """A box on a cell, with an item of the kind whose set is given; returns 1 unless there is a box already."""
    if has(state.boxes, cell):
        return 0
    add(state.boxes, cell)
    add(state.blocked, cell)
    add(items, cell)
    return 1


@entry
def draw_board(seed, players, state, map_, room):
    """The arena's board of a seed, into a state and a map. `room` is a map too: where empty boxes have no item."""
    clear_board(state, map_, players)
    random, extra = draw_below((U64(seed) ^ FACTOR) & LOW_48, SPREAD_OF_BOXES)
    target = LEAST_BOXES + np.int64(extra)
    ranges = bombs = target // KINDS  # of each kind of item, still to be hidden
    count = 0
    for _ in range(MAX_TRIES):
        if count >= target:
            break
        random, x = draw_below(random, COLUMNS)
        random, y = draw_below(random, ROWS)
        if BOX_PLACES[y, x] == NO_CELL or has(state.boxes, U64(BOX_PLACES[y, x])):
            continue
        items = map_.range_items if ranges > 0 else map_.bomb_items if bombs > 0 else room.range_items
        right, down = COLUMNS - ONE - x, ROWS - ONE - y
        new = put_box(state, items, U64(CELLS[y, x])) + put_box(state, items, U64(CELLS[y, right]))
        new += put_box(state, items, U64(CELLS[down, right])) + put_box(state, items, U64(CELLS[down, x]))
        count += new
        if ranges > 0:
            ranges -= new
        elif bombs > 0:
            bombs -= new
