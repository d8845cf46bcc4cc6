"""Survival by brute force on the naive engine: the specification of `engine.survival`.

A player is survivable if they can live through the next eight rounds (by then every known bomb has exploded)
when nobody else acts, they only move themselves, and nobody picks up items. So the board burns by itself, and
the search is over cells and rounds: reach[k, y, x] = they can be on (x, y) before round k.
"""

import numpy as np

from engine.board import HEIGHT, U64, WIDTH
from engine.jit import entry
from engine.rules import ACTIONS
from engine.spec.naive import (
    DX,
    DY,
    apply_blasts,
    burn_fuses,
    explode_bombs,
    is_blocked,
    is_box,
    legal_actions,
    new_naives,
    open_boxes,
    step,
)
from engine.state import FUSE


def new_boards() -> np.ndarray:
    """Memory for the board that burns, and for those after the first and the second round of can_kill."""
    return new_naives(3)


def new_reach() -> np.ndarray:
    return np.zeros((FUSE + 1, HEIGHT, WIDTH), np.bool_)  # [round, y, x]


@entry
def walk(board, here, there):
    """From every reached cell that doesn't burn, every move of this round."""
    there[:] = False
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if here[y, x] and board.fire[y, x] == 0:
                there[y, x] = True
                for move in range(1, 5):
                    if not is_blocked(board, x + DX[move], y + DY[move]):
                        there[y + DY[move], x + DX[move]] = True


@entry
def has_any(cells):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if cells[y, x]:
                return True
    return False


@entry
def survives_on(state, x, y, boards, reach):
    """Whether a player standing on (x, y) can survive."""
    board = boards[0]
    boards[0] = state
    reach[0] = False
    reach[0, y, x] = True
    for k in range(FUSE):
        burn_fuses(board)
        explode_bombs(board)
        walk(board, reach[k], reach[k + 1])
        apply_blasts(board)
        open_boxes(board)
    return has_any(reach[FUSE])


@entry
def survives(state, player, boards, reach):
    """Whether the player lives and can survive."""
    me = state.players[player]
    return me.alive and survives_on(state, me.x, me.y, boards, reach)


@entry
def mark_survivable(state, cells, boards, reach):
    for y in range(HEIGHT):
        for x in range(WIDTH):
            is_open = not (x % 2 == 1 and y % 2 == 1) and not is_box(state, x, y)
            cells[y, x] = is_open and survives_on(state, x, y, boards, reach)


@entry
def is_legal(state, player, action):
    return legal_actions(state, player) >> action & 1 == 1


@entry
def has_escape(state, player, rival, first, second, boards, reach):
    """Whether some two actions of the player leave them survivable after these two of the opponent."""
    for my_first in range(ACTIONS):
        if is_legal(state, player, my_first):
            boards[1] = state
            step(boards[1], U64(my_first << 4 * player | first << 4 * rival))
            for my_second in range(ACTIONS):
                if is_legal(boards[1], player, my_second):
                    boards[2] = boards[1]
                    step(boards[2], U64(my_second << 4 * player | second << 4 * rival))
                    if survives(boards[2], player, boards, reach):
                        return True
    return False


@entry
def has_trap(state, player, rival, boards, reach):
    """Whether the opponent has two actions that leave the player no escape. It tries all ten as the second
    one, because the legal ones depend on the player."""
    for first in range(ACTIONS):
        if is_legal(state, rival, first):
            for second in range(ACTIONS):
                if not has_escape(state, player, rival, first, second, boards, reach):
                    return True
    return False


def is_survivable(naive: np.record, player: int) -> bool:
    """Whether the player lives and can survive the bombs on the board."""
    return bool(survives(naive, player, new_boards(), new_reach()))


def survivable_cells(naive: np.record) -> np.ndarray:
    """[y, x]: whether a player standing there would survive the bombs on the board. Never true for boxes."""
    cells = np.zeros((HEIGHT, WIDTH), np.bool_)
    mark_survivable(naive, cells, new_boards(), new_reach())
    return cells


def can_kill(naive: np.record, player: int, rival: int) -> bool:
    """Whether the opponent has two actions, fixed in advance, after which the player is dead or not survivable
    whatever two actions they take, everybody else staying."""
    return bool(has_trap(naive, player, rival, new_boards(), new_reach()))
