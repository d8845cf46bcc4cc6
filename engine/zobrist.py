"""The hash of a state: equal states, equal numbers; different ones differ but for one in 2^64.

Zobrist's idea (a random key for everything that can be on the board, all keys combined) is kept, but the keys
are multiplied with whole words of the State instead of looked up bit by bit: the hash is computed afresh in a
few nanoseconds, and `step` needs no bookkeeping for it.
"""

import numpy as np

from engine.board import U64
from engine.jit import inline
from engine.state import FUSE

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


KEYS = make_keys(3 + 3 + FUSE + 4 + 4)


@inline
def mix(word, key):
    """A word times its key; the fold carries differences of high bits down, where the product keeps them."""
    return (word ^ (word >> FOLD)) * key


@inline
def hash_state(state):
    """The hash of boxes, items, bombs, players and scores. Blocked cells follow from these; turns don't count."""
    total = U64(0)
    for k in range(3):
        total += mix(state.boxes[k], KEYS[k])
        total += mix(state.items[k], KEYS[3 + k])
    for k in range(FUSE):
        total += mix(state.bombs[k], KEYS[6 + k])
    for k in range(4):
        total += mix(U64(state.players[k]), KEYS[14 + k])
        total += U64(state.scored[k]) * KEYS[18 + k]
    return total ^ (total >> FOLD)
