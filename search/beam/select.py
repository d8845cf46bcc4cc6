"""Select which children make the next layer: sort all of them, keep the best, at most so many per own cell.

Scores are sorted as the distance to the layer's best, in 22 bits: two rounds of counting. Whatever is 64 points or more
behind the best is equally bad, and kept in the order in which it was made.
"""

import numpy as np

from engine.board import U64
from engine.jit import inline
from engine.rules import BOMB
from engine.state import cell_of
from search.beam.child import make_child
from search.beam.memory import DIGIT_BITS, DIGITS, GLOBAL_CUT, KEPT, LOCAL_CUT

LAST_DIGIT = DIGITS - 1
PAIR_BITS, CHILD = 32, (1 << 32) - 1  # a key and a child in one number: sorting never looks elsewhere
UNITS_PER_POINT = 65536.0
WORST_KEY = (1 << 2 * DIGIT_BITS) - 1
NO_SCORE = -1.0e9


@inline
def sort_children(scores, count, pairs, digits):
    """Leave the children in pairs[0] as (key << 32 | child), best first; equal ones as they were made."""
    best = NO_SCORE
    for k in range(count):
        best = max(best, scores[k])
    digits[:] = 0
    for k in range(count):
        key = np.int64(min(np.float64(WORST_KEY), (best - scores[k]) * UNITS_PER_POINT))
        pairs[0, k] = key << PAIR_BITS | k
        digits[0, key & LAST_DIGIT] += 1
        digits[1, key >> DIGIT_BITS] += 1
    for digit in range(2):
        total = 0
        for k in range(DIGITS):
            here = digits[digit, k]
            digits[digit, k] = total
            total += here
        shift = PAIR_BITS + digit * DIGIT_BITS
        for k in range(count):
            pair = pairs[digit, k]
            at = (pair >> shift) & LAST_DIGIT
            pairs[1 - digit, digits[digit, at]] = pair
            digits[digit, at] += 1


@inline
def keep(layers, search, child, place):
    """Make a child a state of the next layer, at this place."""
    depth, below = search.depth, search.depth + 1
    parent, action = layers.child_parent[child], layers.child_action[child]
    state = layers.states[below & 1, place]
    me = U64(layers.states[depth & 1, parent].players[search.player])
    layers.states[below & 1, place] = layers.bases[layers.base_place[parent]]
    make_child(state, search.player, me, U64(layers.child_player[child]), action >= BOMB)
    layers.forecast[below, place] = layers.child_forecast[child]
    layers.parent[below, place] = parent
    layers.action[below, place] = action
    layers.root[below, place] = action if depth == 0 else layers.root[depth, parent]
    layers.score[below, place] = layers.child_score[child]
    layers.bonus[below & 1, place] = layers.child_bonus[child]


@inline
def select(layers, search):
    """Keep the best children as the next layer; returns how many."""
    count = search.child_count
    sort_children(layers.child_score, count, layers.pairs, layers.digits)
    counters = layers.counters[search.depth + 1]
    layers.per_cell[:] = 0
    kept = 0
    for k in range(count):
        child = layers.pairs[0, k] & CHILD
        cell = cell_of(layers.child_player[child])
        if search.has_local and layers.per_cell[cell] >= search.local:
            counters[LOCAL_CUT] += 1
        elif kept >= search.width:
            counters[GLOBAL_CUT] += 1
        else:
            layers.per_cell[cell] += 1
            keep(layers, search, child, kept)
            kept += 1
    counters[KEPT] = kept
    return kept
