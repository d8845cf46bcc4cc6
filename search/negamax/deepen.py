"""Deepening: depth after depth from the root, until the budget ends or there is nothing left to see.

It goes 1, 2, 4, 6 ... plies and begins each time with the best first move so far. When the budget ends within a
deepening it counts as far as it came, once that first move was finished in it; else not at all.
"""

import numpy as np

from engine.jit import entry, inline
from engine.rules import ACTIONS
from engine.state import MAX_TURNS
from search.negamax.plies import close_ply, list_moves, take, try_next
from search.negamax.stack import KILLERS, MAX_PLIES
from search.negamax.table import NO_ACTION


@entry
def begin(stack, search, state, depth):
    """Start afresh from a state. `depth`: in plies if fixed, else 0."""
    stack.states[0] = state
    search.nodes = 0
    search.generation += 1
    search.found_depth = 0
    for action in range(ACTIONS):
        search.root_values[action] = np.nan
    rounds_left = MAX_TURNS - np.int64(state.turn)
    search.max_depth = max(0, min(MAX_PLIES, 2 * rounds_left))
    search.finished = search.max_depth == 0
    for at in range(MAX_PLIES + 1):
        ply = stack.plies[at]
        ply.length = 0
        for k in range(KILLERS):
            ply.killers[k] = NO_ACTION
    begin_iteration(stack, search, 0, min(depth, search.max_depth) if search.is_fixed else 1, NO_ACTION)


@inline
def begin_iteration(stack, search, iteration, depth, try_first):
    """Search to this depth from the root, the action `try_first` before the other first moves."""
    search.iteration = iteration
    search.depth = depth
    search.ply = 0
    search.is_new = True
    search.try_first = try_first
    log = stack.iterations[iteration]
    log.depth = depth
    log.nodes = 0
    log.hits = 0
    log.cutoffs = 0
    log.first_cutoffs = 0
    log.action = NO_ACTION
    log.is_complete = False
    stack.plies[0].alpha = -np.inf
    stack.plies[0].beta = np.inf


@inline
def end_iteration(stack, search):
    """All first moves were tried: go deeper, or be done."""
    stack.iterations[search.iteration].is_complete = True
    deeper = 2 if search.depth == 1 else search.depth + 2
    if search.is_fixed or deeper > search.max_depth:
        search.finished = True
    else:
        begin_iteration(stack, search, search.iteration + 1, deeper, stack.plies[0].action)


@entry
def advance(stack, search, map_, pair, weights, limit):
    """Search until `limit` nodes are spent (checked before each)."""
    while not search.finished and search.nodes < limit:
        if search.is_new:
            list_moves(stack, search, pair)
        ply = stack.plies[search.ply]
        if ply.cursor < ply.count:
            before = search.nodes
            is_known_now, value = try_next(stack, search, map_, pair, weights)
            stack.iterations[search.iteration].nodes += search.nodes - before
        elif search.ply > 0:
            is_known_now, value = True, close_ply(stack, search)
        else:
            end_iteration(stack, search)
            continue
        if is_known_now:
            take(stack, search, -value)
