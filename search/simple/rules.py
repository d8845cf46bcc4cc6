"""What `simple` thinks of cells and actions: boxes to bomb, items to fetch, the way there, a way out."""

import numpy as np

from engine.blast import blast
from engine.board import BIT_MASK, H_START, ONE, OPEN_CELLS, TWO, U64, V_START, ZERO, cell_number, count_cells
from engine.jit import inline, kernel
from engine.rules import ACTIONS, FIVE, has, legal_actions, play_round
from engine.state import BYTE, ONE_BOMB, RANGE_SHIFT
from engine.survival import common, flood, forecast, is_empty, is_survivable, read, single, union, without

CELL_NUMBERS = np.array([cell_number(x, y) for x, y in OPEN_CELLS], np.uint64)
HORIZON = 24  # steps looked ahead for something worth going to
NO_VALUE = -1.0


@inline
def boxes_hit(state, cell, bomb_range, fair):
    """How many of the `fair` boxes a bomb on the cell would hit."""
    obstacles = union(read(state.blocked), read(state.items))
    hit = common(blast(cell, bomb_range, obstacles), fair)
    return count_cells(hit[0], hit[1], hit[2])


@inline
def can_bomb_from(states, map_, player, cell):
    """Whether the player, if he stood on the cell now, could drop a bomb there and get away."""
    after = states[1]
    states[1] = states[0]
    after.players[player] = U64(after.players[player]) & ~BYTE | cell | ONE_BOMB
    play_round(after, map_, FIVE << (U64(player) << TWO))
    return is_survivable(after, map_, player)


@inline
def weigh_cells(states, map_, player, fair, box, item, worth):
    """worth[cell] of every cell; returns the set of those above 0."""
    state = states[0]
    bomb_range = (U64(state.players[player]) >> RANGE_SHIFT) & BYTE
    some = (ZERO, ZERO, ZERO)
    for k in range(CELL_NUMBERS.size):
        cell = CELL_NUMBERS[k]
        worth[cell] = box * boxes_hit(state, cell, bomb_range, fair)
        if worth[cell] > 0.0 and (has(state.blocked, cell) or not can_bomb_from(states, map_, player, cell)):
            worth[cell] = 0.0
        if has(state.items, cell):
            worth[cell] = max(worth[cell], item)
        if worth[cell] > 0.0:
            some = union(some, single(cell))
    return some


@inline
def best_of(cells, worth):
    """The highest worth in a set."""
    best = 0.0
    for k in range(CELL_NUMBERS.size):
        cell = CELL_NUMBERS[k]
        word = cells[0] if cell < H_START else (cells[1] if cell < V_START else cells[2])
        if (word >> (cell & BIT_MASK)) & ONE != ZERO and worth[cell] > best:
            best = worth[cell]
    return best


@inline
def best_reachable(state, cell, some, worth, decay):
    """The best worth that can be walked to from the cell, discounted per step."""
    reach = single(cell)
    best, factor = 0.0, 1.0
    left = some
    for _ in range(HORIZON):
        found = common(reach, left)
        if not is_empty(found):
            best = max(best, factor * best_of(found, worth))
            left = without(left, found)
        factor *= decay
        reach = flood(reach, read(state.blocked))
    return best


@kernel
def decide_simple(states, map_, player, box, item, decay, future, worth, values):
    """Fill values[action] (NO_VALUE for illegal, below 0 for deadly ones). states[0] is given, states[1] is room."""
    state, after = states[0], states[1]
    me = U64(state.players[player])
    forecast(state, map_, future)
    fair = read(state.boxes)
    for k in range(future.rounds):
        fair = without(fair, read(future.fire[k]))
    some = weigh_cells(states, map_, player, fair, box, item, worth)
    legal = legal_actions(state, player)
    nodes = 0
    for action in range(ACTIONS):
        values[action] = NO_VALUE
        if (legal >> U64(action)) & ONE == ZERO:
            continue
        states[1] = state
        play_round(after, map_, U64(action) << (U64(player) << TWO))
        nodes += 1
        if not is_survivable(after, map_, player):
            values[action] = NO_VALUE / 2
            continue
        cell = U64(after.players[player]) & BYTE
        drops = action >= FIVE
        hits = boxes_hit(state, me & BYTE, (me >> RANGE_SHIFT) & BYTE, fair) if drops else ZERO
        if drops and hits == ZERO:
            values[action] = NO_VALUE / 4  # a bomb for nothing only if all else is deadly
            continue
        taken = item if has(state.items, cell) and cell != me & BYTE else 0.0
        values[action] = box * hits + taken + decay * best_reachable(after, cell, some, worth, decay)
    return nodes
