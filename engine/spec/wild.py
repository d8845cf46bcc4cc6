"""Random positions and actions that reach every corner of the rules, far more often than real games do.

Crowded and empty boards, bombs of every fuse from the start, several of them on one cell, players on one cell,
ranges and stocks of any size, and positions that only text made by hand can hold (a player on an item, a
range of 1). Randomness is an explicit state of one word, so a seed repeats a game.
"""

import numpy as np

from engine.board import (
    CELLS,
    CLASS_SHIFT,
    HEIGHT,
    NO_CELL,
    ONE,
    PADDING,
    U64,
    WIDTH,
    ZERO,
    bit_of,
    count_bits,
    lowest_bit,
)
from engine.cells import has
from engine.jit import entry, kernel
from engine.random import below as share_of
from engine.random import next_random
from engine.rules import ACTION_MASK, ACTIONS, BOMB, legal_actions, play_round
from engine.state import FUSE, MAX_PLAYERS, RANGE_SHIFT, STOCK_SHIFT
from engine.survival import is_survivable

MOVES_ONLY = U64(0b11111)  # of the ten bits of legal actions
SPREAD = 0x9E3779B97F4A7C15  # seeds are small numbers: this makes big ones of them


def new_random(seed: int) -> np.ndarray:
    """A random state of one word for this module's kernels, which change it."""
    return np.array([(seed + 1) * SPREAD % (1 << 64) or 1], np.uint64)


@entry
def below(random, limit):
    """A number from 0 to limit - 1."""
    random[0] = next_random(random[0])
    return int(share_of(random[0], limit))


@kernel
def happens(random, percent):
    return below(random, 100) < percent


@kernel
def one_of(random, a, b, c, d):
    k = below(random, 4)
    return a if k == 0 else (b if k == 1 else (c if k == 2 else d))


@kernel
def random_cell(state, random):
    """An open cell without a box."""
    while True:
        cell = U64(CELLS[below(random, HEIGHT), below(random, WIDTH)])
        if cell != NO_CELL and not has(state.boxes, cell):
            return cell


@kernel
def scatter_boxes(state, map_, random):
    """Boxes and items, sometimes many."""
    boxes, items = one_of(random, 0, 15, 35, 60), one_of(random, 0, 0, 5, 25)  # percent
    for y in range(HEIGHT):
        for x in range(WIDTH):
            cell = U64(CELLS[y, x])
            if cell != NO_CELL:
                scatter_box(state, map_, random, cell, happens(random, boxes), happens(random, items))


@kernel
def scatter_box(state, map_, random, cell, is_box, is_item):
    kind, bit = cell >> CLASS_SHIFT, bit_of(cell)
    content = below(random, 3)
    if content == 1:
        map_.range_items[kind] |= bit
    elif content == 2:
        map_.bomb_items[kind] |= bit
    if is_box:
        state.boxes[kind] |= bit
        state.blocked[kind] |= bit
    elif is_item and content != 0:
        state.items[kind] |= bit


@kernel
def random_range(random, limit):
    return U64(1 + below(random, 3)) if happens(random, 5) else U64(3 + below(random, limit))


@kernel
def place_players(state, random, players):
    """Players anywhere, often together, poor or rich."""
    stocks, ranges, meet = one_of(random, 1, 3, 9, 30), one_of(random, 1, 3, 12, 25), one_of(random, 0, 0, 30, 100)
    cell = random_cell(state, random)
    for player in range(players):
        if not happens(random, meet):
            cell = random_cell(state, random)
        bomb_range, stock = random_range(random, ranges), U64(1 + below(random, stocks))
        state.players[player] = cell | bomb_range << RANGE_SHIFT | stock << STOCK_SHIFT


@kernel
def place_bombs(state, random, players):
    """Bombs of every fuse, often on one cell."""
    percent, ranges, meet = one_of(random, 0, 15, 50, 100), one_of(random, 1, 3, 12, 25), one_of(random, 0, 10, 30, 60)
    cell = random_cell(state, random)
    for row in range(FUSE):
        for owner in range(players):
            if not happens(random, meet):
                cell = random_cell(state, random)
            if happens(random, percent):
                state.bombs[row] |= (cell | random_range(random, ranges) << RANGE_SHIFT) << U64(16 * owner)
                state.blocked[cell >> CLASS_SHIFT] |= bit_of(cell)


@entry
def make_position(state, map_, random, players):
    """Fill State and Map with a random position."""
    for kind in range(3):
        state.blocked[kind] = PADDING[kind]
        state.boxes[kind] = state.items[kind] = ZERO
        map_.range_items[kind] = map_.bomb_items[kind] = ZERO
    for row in range(FUSE):
        state.bombs[row] = ZERO
    for player in range(MAX_PLAYERS):
        state.players[player] = state.scored[player] = 0
    state.turn = below(random, 100)
    scatter_boxes(state, map_, random)
    place_players(state, random, players)
    place_bombs(state, random, players)


@kernel
def random_bit(word, random):
    """The position of one of the set bits, each as likely as the others; 0 if there is none."""
    for _ in range(below(random, max(int(count_bits(word)), 1))):
        word &= word - ONE
    return int(lowest_bit(word)) if word != ZERO else 0


@kernel
def random_action(state, random, player, bombs):
    """A legal action, with a bomb in so many percent; now and then an illegal one."""
    if happens(random, 10):
        return U64(below(random, ACTIONS))
    legal = legal_actions(state, player)
    move = random_bit(legal & MOVES_ONLY, random)
    drops = legal > MOVES_ONLY and happens(random, bombs)
    return U64(move + BOMB if drops else move)


@entry
def random_actions(state, random, bombs):
    """An action for every player, packed."""
    actions = ZERO
    for player in range(MAX_PLAYERS):
        actions |= random_action(state, random, player, bombs) << U64(4 * player)
    return actions


@entry
def careful_actions(state, map_, random, bombs, room):
    """Random actions, drawn again for players they would doom: this makes long games with many bombs."""
    actions = random_actions(state, random, bombs)
    for _ in range(8):
        room[0] = state
        play_round(room[0], map_, actions)
        doomed = False
        for player in range(MAX_PLAYERS):
            if state.players[player] != 0 and not is_survivable(room[0], map_, player):
                shift = U64(4 * player)
                actions &= ~(ACTION_MASK << shift)
                actions |= random_action(state, random, player, bombs) << shift
                doomed = True
        if not doomed:
            break
    return actions
