"""Whom a search for two plays against: the nearest living opponent, by path, then by seat.

A path leads over free cells (no box, no bomb); who can be reached by none is farther than all who can.
"""

import numpy as np

from engine.board import BIT_MASK, CLASS_SHIFT, ONE, OPEN_CELLS, U64, ZERO, spread
from engine.jit import kernel
from engine.state import BYTE, MAX_PLAYERS
from engine.survival import flood, read, single

NO_PATH = len(OPEN_CELLS)  # longer than any path


@kernel
def path_length(state, player, other):
    """Steps from one player to another; whoever stands on a bomb can be walked up to. NO_PATH if there is no way."""
    to = U64(state.players[other]) & BYTE
    reach = single(U64(state.players[player]) & BYTE)
    blocked = read(state.blocked)
    if U64(state.players[player]) & BYTE == to:
        return 0
    for steps in range(1, NO_PATH):
        word = spread(reach[0], reach[1], reach[2])[to >> CLASS_SHIFT]
        if (word >> (to & BIT_MASK)) & ONE != ZERO:
            return steps
        before = reach
        reach = flood(reach, blocked)
        if before == reach:
            break
    return NO_PATH


def nearest_opponent(state: np.record, player: int, mates: tuple[int, ...] = ()) -> int | None:
    """The adversary of a living player; None if nobody lives but he and his mates."""
    living = [other for other in range(MAX_PLAYERS) if state.players[other] and other not in (player, *mates)]
    return min(living, key=lambda other: (path_length(state, player, other), other), default=None)


def empty_seat(state: np.record) -> int:
    """Somebody who isn't there, to play against when nobody is."""
    return next(seat for seat in range(MAX_PLAYERS) if not state.players[seat])
