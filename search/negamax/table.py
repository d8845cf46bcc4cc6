"""The transposition table: what was found out about positions that are met again.

An entry holds a value with how sure it is (exact, at least, at most), the plies it was searched with, and the best
action. It is used only for exactly as many plies: the value is then the one a search without a table would find.
Entries of earlier decisions count as empty, by a generation number, so that decisions can be repeated.
"""

import numpy as np

from engine.board import ONE, U64
from engine.jit import inline
from engine.playing.zobrist import finish, hash_state
from engine.state import record
from search.memory import MOST_PLACES

NO_ACTION = -1
EXACT, AT_LEAST, AT_MOST = 0, 1, 2  # kinds of values
TURN_KEY, ACTION_KEY = U64(0xD6E8FEB86659FD93), U64(0xA0761D6478BD642F)

ENTRY = record(
    [
        ("key", np.uint64),
        ("value", np.float64),
        ("generation", np.int32),
        ("plies", np.int16),
        ("kind", np.int8),
        ("action", np.int8),
    ]
)


def make_table(bits: int) -> np.ndarray:
    """An empty table of 2^bits entries; generations count from 1."""
    assert 1 <= bits < MOST_PLACES.bit_length()
    return np.zeros(1 << bits, ENTRY)


@inline
def key_of(state, pending):
    """The key of a state in which a side has announced an action (0 = none yet, else the action + 1).

    The turn belongs to it: how soon a game was won is part of a value.
    """
    return finish(hash_state(state) + U64(state.turn) * TURN_KEY + U64(pending) * ACTION_KEY)


@inline
def slot_of(table, key):
    return key & (U64(table.size) - ONE)


@inline
def is_known(table, slot, key, generation):
    return table[slot].key == key and table[slot].generation == generation


@inline
def is_enough(entry, plies, alpha, beta):
    """Whether the entry alone gives the value of a position within this window."""
    if entry.plies != plies:
        return False
    return (
        entry.kind == EXACT
        or (entry.kind == AT_LEAST and entry.value >= beta)
        or (entry.kind == AT_MOST and entry.value <= alpha)
    )


@inline
def store(table, key, generation, plies, value, kind, action):
    """The newest entry stays."""
    entry = table[slot_of(table, key)]
    entry.key = key
    entry.generation = generation
    entry.plies = plies
    entry.value = value
    entry.kind = kind
    entry.action = action
