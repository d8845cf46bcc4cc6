"""Which states a search has seen, by their hash: a table of a power of two places, 0 = free."""

from engine.board import ONE, U64, ZERO
from engine.jit import inline

HIGH_HALF = U64(32)


@inline
def is_new(seen, mask, hash_):
    """Whether the hash was not there yet; remembers it. The table must never be full."""
    hash_ |= ONE
    at = (hash_ >> HIGH_HALF) & mask
    while seen[at] != ZERO:
        if seen[at] == hash_:
            return False
        at = (at + ONE) & mask
    seen[at] = hash_
    return True
