"""One pass of a beam search: expand every state of a layer, keep the best children as the next one, go on.

layer d       states kept at depth d, best first             parent[d], action[d], root[d], score[d]
children      every legal action of each of them             generated =
  - duplicates   the same state was there already              duplicates
  - dead         the own player burnt                          + dead
  - unsurvivable first moves that were ruled out               + unsurvivable
  - local cut    enough states with the own player there       + local_cut
  - global cut   the layer is full                             + global_cut
layer d + 1   the rest                                         + kept
"""

from engine.board import U64, ZERO
from engine.jit import entry, inline
from engine.state import MAX_PLAYERS
from search.beam.expand import expand
from search.beam.memory import FEWEST_SEEN, NOBODY
from search.beam.select import select
from search.common.evaluate import equipment_terms, placed_bombs
from search.common.forecast import foresee


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
