"""The rules in plain code, on a grid and a list of bombs: the specification that the fast engine is tested against.

    field     holds
    grid      [y, x]: floor, wall, empty box, box with a range item, box with a bomb item
    items     [y, x]: nothing, a range item or a bomb item lying on the floor
    bombs     in order of placement, then of owner; the first bomb_count of them are on the board
    players   four of them, dead or alive
    turn      the round to be played next
    fire      [y, x]: the players whose bombs burn the cell in this round, one bit each

`fire`, a bomb's `explodes` and a player's `drops`, `to_x`, `to_y` are notes within a round: phases 2 and 3
write them, later phases read them, and they are no part of the position.

Every function runs as plain Python and compiled alike. Actions are numbered and packed as in `engine.rules`.
"""

import numpy as np

from engine.board import HEIGHT, WIDTH
from engine.jit import entry, kernel
from engine.state import FUSE, MAX_PLAYERS

FLOOR, WALL, EMPTY_BOX, RANGE_BOX, BOMB_BOX = range(5)
NO_ITEM, RANGE_ITEM, BOMB_ITEM = range(3)  # a box of kind EMPTY_BOX + k holds item k
MAX_BOMBS = 9 * MAX_PLAYERS  # each of the 8 fuses, and the bomb placed before the oldest one vanishes


def record(*fields: tuple[object, ...]) -> np.dtype:
    return np.dtype((np.record, list(fields)))


NUMBER = np.int16
BOMB = record(*((name, NUMBER) for name in ("owner", "x", "y", "timer", "range")), ("explodes", np.bool_))
PLAYER = record(
    ("alive", np.bool_),
    *((name, NUMBER) for name in ("x", "y", "bombs_left", "range", "scored")),
    ("drops", np.bool_),
    ("to_x", NUMBER),
    ("to_y", NUMBER),
)
NAIVE = record(
    ("grid", np.int8, (HEIGHT, WIDTH)),
    ("items", np.int8, (HEIGHT, WIDTH)),
    ("bombs", BOMB, MAX_BOMBS),
    ("bomb_count", NUMBER),
    ("players", PLAYER, MAX_PLAYERS),
    ("turn", NUMBER),
    ("fire", np.int8, (HEIGHT, WIDTH)),
)

DX = (0, -1, 1, 0, 0)  # [move]: stay, left, right, up, down
DY = (0, 0, 0, -1, 1)


def new_naives(count: int) -> np.ndarray:
    """An array of empty boards: walls, no boxes, no players, turn 0."""
    states = np.zeros(count, NAIVE)
    states["grid"][:, 1::2, 1::2] = WALL
    return states


def new_naive() -> np.record:
    return new_naives(1)[0]


@kernel
def is_box(state, x, y):
    return state.grid[y, x] >= EMPTY_BOX


@kernel
def has_bomb(state, x, y):
    bombs = state.bombs
    for i in range(state.bomb_count):
        bomb = bombs[i]
        if bomb.x == x and bomb.y == y:
            return True
    return False


@kernel
def is_blocked(state, x, y):
    """Whether nobody can walk there: off the board, wall, box or bomb."""
    if x < 0 or x >= WIDTH or y < 0 or y >= HEIGHT:
        return True
    return state.grid[y, x] != FLOOR or has_bomb(state, x, y)


@kernel
def can_drop(state, player):
    """Whether BOMB works: a bomb is left and none is on the player's cell."""
    me = state.players[player]
    return me.alive and me.bombs_left > 0 and not has_bomb(state, me.x, me.y)


@entry
def legal_actions(state, player):
    """Ten bits, one per action that means something: staying, moves not blocked, and each with a bomb."""
    me = state.players[player]
    if not me.alive:
        return 0
    moves = 1
    for move in range(1, 5):
        if not is_blocked(state, me.x + DX[move], me.y + DY[move]):
            moves |= 1 << move
    return moves | moves << 5 if can_drop(state, player) else moves


@kernel
def burn_fuses(state):
    """Phase 1. Every bomb's timer falls by 1. (Bombs at 0 explode: phase 2.)"""
    for i in range(state.bomb_count):
        state.bombs[i].timer -= 1


@kernel
def explode_bombs(state):
    """Phase 2. Bombs at 0 explode, and so does every bomb that is covered, until no more are found.

    Nothing is removed while blasts are computed, so order never matters.
    """
    state.fire[:] = 0
    found = True
    while found:
        found = False
        for i in range(state.bomb_count):
            bomb = state.bombs[i]
            if not bomb.explodes and (bomb.timer == 0 or state.fire[bomb.y, bomb.x] != 0):
                bomb.explodes = True
                blast(state, bomb)
                found = True


@kernel
def blast(state, bomb):
    """Phase 2. A bomb of range r covers its own cell and up to r-1 cells in each of the four directions.

    Edge and wall stop it and are not covered; the first box, item or other bomb is covered and stops it.
    """
    state.fire[bomb.y, bomb.x] |= 1 << bomb.owner
    for direction in range(1, 5):
        x, y = bomb.x, bomb.y
        for _ in range(bomb.range - 1):
            x, y = x + DX[direction], y + DY[direction]
            if x < 0 or x >= WIDTH or y < 0 or y >= HEIGHT or state.grid[y, x] == WALL:
                break
            state.fire[y, x] |= 1 << bomb.owner
            if is_box(state, x, y) or state.items[y, x] != NO_ITEM or has_bomb(state, x, y):
                break


@kernel
def kill_players(state):
    """Phase 2. Every living player whose cell is covered dies, the bomb's owner too; a dead player's bombs stay."""
    for player in range(MAX_PLAYERS):
        me = state.players[player]
        if state.fire[me.y, me.x] != 0:
            me.alive = False


@kernel
def read_intentions(state, actions):
    """Phase 3. The survivors' actions, on the board as it was sent: burning boxes and bombs still block.

    A blocked move stays. A bomb that can't be dropped is ignored, and its move still happens.
    """
    for player in range(MAX_PLAYERS):
        me = state.players[player]
        action = int(actions) >> 4 * player & 15
        move = action % 5
        me.drops = action >= 5 and can_drop(state, player)
        me.to_x, me.to_y = me.x, me.y
        if me.alive and not is_blocked(state, me.x + DX[move], me.y + DY[move]):
            me.to_x, me.to_y = me.x + DX[move], me.y + DY[move]


@kernel
def place_bombs(state):
    """Phase 4. New bombs appear where their players were before moving, timer 8, range before pick-ups.

    This round's blasts don't touch them.
    """
    for player in range(MAX_PLAYERS):
        me = state.players[player]
        if me.drops:
            bomb = state.bombs[state.bomb_count]
            bomb.owner, bomb.x, bomb.y = player, me.x, me.y
            bomb.timer, bomb.range, bomb.explodes = FUSE, me.range, False
            state.bomb_count += 1
            me.bombs_left -= 1


@kernel
def apply_blasts(state):
    """Phase 5. Exploded bombs vanish and give their owner one bomb back, boxes are scored, items hit vanish."""
    remove_exploded_bombs(state)
    fire = state.fire
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if fire[y, x] != 0:
                score_box(state, x, y)
                state.items[y, x] = NO_ITEM


@kernel
def remove_exploded_bombs(state):
    kept = 0
    for i in range(state.bomb_count):
        if state.bombs[i].explodes:
            state.players[state.bombs[i].owner].bombs_left += 1
        else:
            state.bombs[kept] = state.bombs[i]
            kept += 1
    state.bomb_count = kept


@kernel
def score_box(state, x, y):
    """A box scores once for each player, dead or alive, with at least one bomb that hit it."""
    if is_box(state, x, y):
        for player in range(MAX_PLAYERS):
            state.players[player].scored += state.fire[y, x] >> player & 1


@kernel
def move_players(state):
    """Phase 6. A player who moves onto a surviving item gets it. All who enter together get it; then it vanishes."""
    for player in range(MAX_PLAYERS):
        me = state.players[player]
        if has_moved(me):
            take_item(me, state.items[me.to_y, me.to_x])
    for player in range(MAX_PLAYERS):
        me = state.players[player]
        if has_moved(me):
            state.items[me.to_y, me.to_x] = NO_ITEM
            me.x, me.y = me.to_x, me.to_y


@kernel
def has_moved(me):
    return me.to_x != me.x or me.to_y != me.y


@kernel
def take_item(me, item):
    if item == RANGE_ITEM:
        me.range += 1
    elif item == BOMB_ITEM:
        me.bombs_left += 1


@kernel
def open_boxes(state):
    """Phase 7. Boxes hit become floor and their items appear: they survive the round that freed them."""
    fire = state.fire
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if fire[y, x] != 0 and is_box(state, x, y):
                state.items[y, x] = state.grid[y, x] - EMPTY_BOX
                state.grid[y, x] = FLOOR


@entry
def step(state, actions):
    """Play one round in place."""
    burn_fuses(state)
    explode_bombs(state)
    kill_players(state)
    read_intentions(state, actions)
    place_bombs(state)
    apply_blasts(state)
    move_players(state)
    open_boxes(state)
    state.turn += 1
