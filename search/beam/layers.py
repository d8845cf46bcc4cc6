"""One pass of a beam search: expand every state of a layer, keep the best children as the next one, go on.

layer d       states kept at depth d, best first             parent[d], action[d], root[d], score[d]
children      every legal action of each of them             generated =
  - duplicates   the same state was there already              duplicates
  - dead         the player burnt                          + dead
  - unsurvivable first moves that were ruled out               + unsurvivable
  - local cut    enough states with the player there       + local_cut
  - global cut   the layer is full                             + global_cut
layer d + 1   the rest                                         + kept

The selection sorts all children by their distance to the layer's best score, in 22 bits: two rounds of counting. It
treats everything 64 points or more behind the best as equally bad, and keeps that in the order it was made.
"""

import numpy as np

from engine.board import U64, ZERO
from engine.jit import entry, inline
from engine.rules import BOMB
from engine.state import MAX_PLAYERS, cell_of
from search.beam.expand import expand, make_child
from search.beam.memory import DIGIT_BITS, DIGITS, FEWEST_SEEN, GLOBAL_CUT, KEPT, LOCAL_CUT, NOBODY
from search.common.evaluate import equipment_terms, placed_bombs
from search.common.forecast import foresee

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


@entry
def begin(layers, search, state, map_, weights, roots):
    """Start afresh from a state. `roots` are the first actions to try, ten bits, 0 = all."""
    layers.states[0, 0] = state
    foresee(state, map_, search.player, weights, layers.forecasts[0], 0)
    layers.forecast[0, 0] = 0
    layers.base_owner[0] = NOBODY
    layers.bonus[0, 0] = 0.0
    for other in range(MAX_PLAYERS):
        packed = U64(state.players[other])
        equipment = equipment_terms(packed, placed_bombs(state, other), weights) if packed != ZERO else 0.0
        search.equipment[other] = equipment
    search.scored = state.scored[search.player]
    search.depth = 0
    search.layer_size = 1
    search.nodes = 0
    search.roots = roots if roots != ZERO else ~ZERO
    search.finished = search.max_depth == 0
    begin_layer(layers, search)


@inline
def begin_layer(layers, search):
    """Forget the children of the last layer."""
    search.cursor = 0
    search.child_count = 0
    search.forecast_count = 0
    size = FEWEST_SEEN
    while size < 16 * search.layer_size and size < layers.seen.size:
        size *= 2
    search.seen_mask = U64(size - 1)
    for k in range(size):
        layers.seen[k] = ZERO
    layers.counters[search.depth + 1, :] = 0


@entry
def advance(layers, search, map_, weights, limit):
    """Go on until the search is finished or has spent `limit` nodes (checked before each state)."""
    while not search.finished:
        while search.cursor < search.layer_size:
            if search.nodes >= limit:
                return
            expand(layers, search, map_, weights, search.cursor)
            search.cursor += 1
        kept = select(layers, search)
        if kept == 0:  # all lines end here: the last complete layer lived longest
            search.finished = True
            return
        search.depth += 1
        search.layer_size = kept
        if search.depth >= search.max_depth:
            search.finished = True
            return
        begin_layer(layers, search)
