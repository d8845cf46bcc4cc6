"""Between the engines: a State read as a naive position, its drawing, and where the two differ."""

import numpy as np

from engine import rules as fast
from engine.board import CELLS, CLASS_SHIFT, HEIGHT, NO_CELL, PADDING, U64, WIDTH, X_OF, Y_OF, ZERO, bit_of
from engine.jit import entry, kernel
from engine.spec import naive as slow
from engine.spec.naive import BOMB_ITEM, EMPTY_BOX, FLOOR, NO_ITEM, RANGE_ITEM, new_naive
from engine.state import FUSE, MAX_PLAYERS

GRID_SYMBOLS = ".X012"

FIELDS = ("", "grid", "items", "bombs", "players", "scored", "turn", "legal actions", "blocked", "padding")
SAME, GRID, ITEMS, BOMBS, PLAYERS, SCORED, TURN, LEGAL, BLOCKED, PADDED = range(10)


@entry
def read_state(naive, state, map_):
    """Make `naive`, which has its walls, the position that a State and its Map hold."""
    read_cells(naive.grid, naive.items, state.boxes, state.items, map_.range_items, map_.bomb_items)
    naive.bomb_count = 0
    for timer in range(1, FUSE + 1):
        row = int(state.bombs[(int(state.turn) + timer - 1) % FUSE])
        for owner in range(MAX_PLAYERS):
            slot = row >> 16 * owner & 0xFFFF
            if slot != 0:
                read_bomb(naive, owner, timer, slot)
    for player in range(MAX_PLAYERS):
        read_player(naive.players[player], int(state.players[player]), state.scored[player])
    naive.turn = state.turn


@kernel
def read_cells(grid, items, boxes, lying, range_items, bomb_items):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            cell = CELLS[y, x]
            if cell != NO_CELL:
                item = RANGE_ITEM if holds(range_items, cell) else (BOMB_ITEM if holds(bomb_items, cell) else NO_ITEM)
                grid[y, x] = EMPTY_BOX + item if holds(boxes, cell) else FLOOR
                items[y, x] = item if holds(lying, cell) else NO_ITEM


@kernel
def holds(words, cell):
    """Whether a State's set of cells holds this one."""
    return int(words[cell >> 6] >> np.uint64(cell & 63)) & 1 == 1


@kernel
def read_bomb(naive, owner, timer, slot):
    """Add the bomb of a State's slot."""
    bomb = naive.bombs[naive.bomb_count]
    bomb.owner, bomb.timer, bomb.range = owner, timer, slot >> 8
    bomb.x, bomb.y = X_OF[slot & 0xFF], Y_OF[slot & 0xFF]
    bomb.explodes = False
    naive.bomb_count += 1


@kernel
def read_player(me, number, scored):
    me.alive = number != 0
    me.x, me.y = X_OF[number & 0xFF], Y_OF[number & 0xFF]
    me.range, me.bombs_left = number >> 8 & 0xFF, number >> 16
    me.scored = scored


def from_state(state: np.record, map_: np.record) -> np.record:
    """The position that a State and its Map hold."""
    naive = new_naive()
    read_state(naive, state, map_)
    return naive


def draw(naive: np.record) -> str:
    """The position as the arena writes it: the rows, the number of entities, the entities (items row by row)."""
    rows = ["".join(GRID_SYMBOLS[kind] for kind in row) for row in naive.grid]
    entities = [
        f"0 {player} {me.x} {me.y} {me.bombs_left} {me.range}" for player, me in enumerate(naive.players) if me.alive
    ]
    for bomb in naive.bombs[: naive.bomb_count]:
        entities.append(f"1 {bomb.owner} {bomb.x} {bomb.y} {bomb.timer} {bomb.range}")
    for y, x in zip(*np.nonzero(naive.items), strict=True):
        entities.append(f"2 0 {x} {y} {naive.items[y, x]} {naive.items[y, x]}")
    return "\n".join([*rows, str(len(entities)), *entities]) + "\n"


@entry
def difference(naive, state, map_, other):
    """The first of FIELDS in which a naive position and a State differ, or SAME. `other` is scratch."""
    read_state(other, state, map_)
    if not is_same_grid(naive.grid, other.grid):
        return GRID
    if not is_same_grid(naive.items, other.items):
        return ITEMS
    if naive.bomb_count != other.bomb_count:
        return BOMBS
    for i in range(naive.bomb_count):
        if not is_same_bomb(naive.bombs[i], other.bombs[i]):
            return BOMBS
    for player in range(MAX_PLAYERS):
        if not is_same_player(naive.players[player], other.players[player]):
            return PLAYERS
        if naive.players[player].scored != other.players[player].scored:
            return SCORED
        if slow.legal_actions(naive, player) != int(fast.legal_actions(state, player)):
            return LEGAL
    return TURN if naive.turn != other.turn else check_words(naive, state)


@kernel
def is_same_grid(grid, other):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if grid[y, x] != other[y, x]:
                return False
    return True


@kernel
def is_same_bomb(bomb, other):
    is_same_place = bomb.x == other.x and bomb.y == other.y
    return is_same_place and bomb.owner == other.owner and bomb.timer == other.timer and bomb.range == other.range


@kernel
def is_same_player(me, other):
    """Whether two players are equal; the dead always are."""
    if not me.alive:
        return not other.alive
    is_same_place = other.alive and me.x == other.x and me.y == other.y
    return is_same_place and me.bombs_left == other.bombs_left and me.range == other.range


@kernel
def check_words(naive, state):
    """Whether `blocked` is boxes and bombs, and no set has bits outside the cells."""
    for kind in range(3):
        if (state.boxes[kind] | state.items[kind]) & PADDING[kind] != ZERO:
            return PADDED
        blocked = state.boxes[kind] | PADDING[kind]
        for i in range(naive.bomb_count):
            cell = U64(CELLS[naive.bombs[i].y, naive.bombs[i].x])
            if cell >> CLASS_SHIFT == U64(kind):
                blocked |= bit_of(cell)
        if state.blocked[kind] != blocked:
            return BLOCKED
    return SAME
