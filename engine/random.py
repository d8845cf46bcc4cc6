"""Random numbers for kernels: one explicit 64-bit state, no hidden generator (xorshift64)."""

import numpy as np

from engine.board import NEIGHBOURS, U64, ZERO
from engine.jit import inline
from engine.rules import FIVE, can_drop, choice, legal_moves
from engine.state import cell_of

SHIFT_13, SHIFT_7, SHIFT_17 = U64(13), U64(7), U64(17)
HALF = U64(32)


def make_picks() -> np.ndarray:
    """Which action the k-th of 60 equal shares falls to, for each set of moves (60 divides by 1 to 5)."""
    table = np.zeros((32, 64), np.uint8)  # [set of moves, share of 60]
    for moves in range(1, 32):
        members = [move for move in range(5) if moves >> move & 1]
        for share in range(60):
            table[moves, share] = members[share * len(members) // 60]
    return table


PICKS = make_picks()
SHARES = U64(60)


@inline
def next_random(random):
    """The next state, which is also the next number. Never 0."""
    random ^= random << SHIFT_13
    random ^= random >> SHIFT_7
    random ^= random << SHIFT_17
    return random


@inline
def below(random, bound):
    """A number below the bound (at most 2^32), from the high half of a random number."""
    return ((random >> HALF) * U64(bound)) >> HALF


@inline
def pick_move(state, me, random):
    """A legal move of a packed player, all equally likely."""
    return U64(PICKS[legal_moves(state, cell_of(me)), below(random, SHARES)])


@inline
def pick_legal(state, player, random):
    """A legal action, all equally likely; 0 for a dead player."""
    me = U64(state.players[player])
    if me == ZERO:
        return ZERO
    return pick_move(state, me, random) + FIVE * (can_drop(state, me) & random)


@inline
def pick_choice(state, player, random):
    """The action of `pick_legal` as a `choice`; 0 for a dead player."""
    me = U64(state.players[player])
    if me == ZERO:
        return ZERO
    target = U64(NEIGHBOURS[cell_of(me), pick_move(state, me, random)])
    return choice(target, can_drop(state, me) & random)
