"""The hash of a state: equal states have equal hashes; different states collide once in 2^64.

Zobrist's idea (a random key for everything that can be on the board, all keys combined) is kept, but the keys
are multiplied with whole words of the State instead of looked up bit by bit: the hash is computed afresh in a
few nanoseconds, and `step` needs no bookkeeping for it. The sum comes in parts, so that a search computes the part
that all children of a state share only once.
"""

import numpy as np

from engine.board import ONE, U64, ZERO
from engine.jit import entry, inline
from engine.state import FUSE

HIGH_HALF = U64(32)


@inline
def is_new(seen, mask, hash_):
    """Whether the hash is new to a search's table, which has a power of two places and is never full; adds it."""
    hash_ |= ONE
    at = (hash_ >> HIGH_HALF) & mask
    while seen[at] != ZERO:
        if seen[at] == hash_:
            return False
        at = (at + ONE) & mask
    seen[at] = hash_
    return True


FOLD = U64(29)


def make_keys(count: int) -> np.ndarray:
    """Odd random words by splitmix64, the same on every machine."""
    keys, seed, mask = [], 0x9E3779B97F4A7C15, (1 << 64) - 1
    for k in range(1, count + 1):
        z = seed * k & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        keys.append((z ^ z >> 31) | 1)
    return np.array(keys, np.uint64)


KEYS = make_keys(3 + 4 + FUSE + 3 + 4)  # items, players, bombs, boxes, scores


@inline
def mix(word, key):
    """A word times its key; the fold carries differences of high bits down, where the product keeps them."""
    return (word ^ (word >> FOLD)) * key


@inline
def sum_items(state):
    return mix(state.items[0], KEYS[0]) + mix(state.items[1], KEYS[1]) + mix(state.items[2], KEYS[2])


@inline
def sum_players(state):
    total = U64(0)
    for k in range(4):
        total += mix(U64(state.players[k]), KEYS[3 + k])
    return total


@inline
def sum_row(state, row):
    return mix(state.bombs[row], KEYS[U64(7) + row])


@inline
def sum_rest(state, row):
    """Everything that no action can change: all but the items, the players and one row of bombs."""
    total = U64(0)
    for k in range(FUSE):
        total += sum_row(state, U64(k))
    for k in range(3):
        total += mix(state.boxes[k], KEYS[15 + k])
    for k in range(4):
        total += U64(state.scored[k]) * KEYS[18 + k]
    return total - sum_row(state, row)


@inline
def finish(total):
    return total ^ (total >> FOLD)


@entry
@inline
def hash_state(state):
    """The hash of boxes, items, bombs, players and scores. Blocked cells follow from these; turns don't count."""
    row = U64(0)
    return finish(sum_items(state) + sum_players(state) + sum_row(state, row) + sum_rest(state, row))
