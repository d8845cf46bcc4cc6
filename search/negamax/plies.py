"""Alpha-beta in negamax form, on a stack of its own, so that it can be interrupted after any node.

    ply 0   we choose an action                 state 0, the root
    ply 1   the rival replies, knowing it       state 0 still
    ply 2   we choose again                     state 1, after a round of both actions
    ...

A value is always seen by the side to move, a child's value is negated. At an odd last ply the rival stands still. All
values are those of plain negamax: the root's window is open, and of equal first moves the lowest action wins,
whatever the order in which they were tried.
"""

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import inline
from engine.rules import ACTIONS, legal_actions, play_round
from engine.survival import joint
from search.negamax.evaluate import is_over, score
from search.negamax.stack import KILLERS
from search.negamax.table import AT_LEAST, AT_MOST, EXACT, NO_ACTION, is_enough, is_known, key_of, slot_of, store

BOMBS_FIRST = np.array([6, 7, 8, 9, 5, 1, 2, 3, 4, 0], np.int64)  # bombs, moves, staying; of each the far ones first


@inline
def list_moves(stack, search, pair):
    """Get ready to try the actions of the ply that has just been reached."""
    search.is_new = False
    ply = stack.plies[search.ply]
    ply.first_alpha = ply.alpha
    ply.value = -np.inf
    ply.action = NO_ACTION
    ply.cursor = 0
    ply.count = 0
    legal = legal_actions(stack.states[search.ply >> 1], pair.rival if search.ply & 1 else pair.player)
    left = legal if legal != ZERO else ONE  # a player who isn't there stands still
    for place in range(1 + KILLERS + ACTIONS):
        action = nth_wish(search, ply, place)
        if action != NO_ACTION and has_bit(left, action):
            left &= ~(ONE << U64(action))
            ply.moves[ply.count] = action
            ply.count += 1


@inline
def nth_wish(search, ply, place):
    """The action to try at a place, if it is legal and has not been tried yet."""
    if place == 0:
        return search.try_first
    if place <= KILLERS:
        return ply.killers[place - 1] if search.has_killers else NO_ACTION
    action = place - 1 - KILLERS
    return BOMBS_FIRST[action] if search.has_order else action


# Down


@inline
def look_up(stack, search, at):
    """(whether the table gives the value of a ply, the value); the action to try first there is noted."""
    ply = stack.plies[at]
    ply.key = key_of(stack.states[at >> 1], stack.plies[at - 1].trying + 1 if at & 1 else 0)
    slot = slot_of(stack.table, ply.key)
    if not is_known(stack.table, slot, ply.key, search.generation):
        return False, 0.0
    entry = stack.table[slot]
    search.try_first = entry.action
    return is_enough(entry, search.depth - at, ply.alpha, ply.beta), entry.value


@inline
def try_next(stack, search, map_, pair, weights):
    """Begin the next action of the ply under way: (whether its value is known at once, the value).

    If it isn't, the ply below is the one under way from now on.
    """
    ply, below = stack.plies[search.ply], stack.plies[search.ply + 1]
    ply.trying = ply.moves[ply.cursor]
    ply.cursor += 1
    below.length = 0
    below.alpha = -ply.beta
    below.beta = -floor_of(search, ply)
    child = search.ply + 1
    is_replied = child & 1 == 0
    is_leaf = child == search.depth
    at = (child + 1) >> 1
    if is_replied or is_leaf:  # at an odd last ply the rival stands still
        action = stack.plies[child - 2].trying if is_replied else ply.trying
        stack.states[at] = stack.states[at - 1]
        play_round(stack.states[at], map_, joint(pair.player, action, pair.rival, ply.trying if is_replied else 0))
        search.nodes += 1
        if is_leaf or is_over(stack.states[at], pair):
            value = score(stack.states[at], map_, pair, weights, stack.forecasts[0], stack.terms)
            return True, value if is_replied else -value
    search.try_first = NO_ACTION
    if search.has_table:
        is_given, value = look_up(stack, search, child)
        if is_given:
            stack.iterations[search.iteration].hits += 1
            return True, value
    search.ply = child
    search.is_new = True
    return False, 0.0


@inline
def floor_of(search, ply):
    """What an action must exceed to be of interest. At the root a lower action need only be as good as the best."""
    if not search.prunes:
        return -np.inf
    if search.ply == 0 and ply.trying < ply.action:
        return np.nextafter(ply.alpha, -np.inf)
    return ply.alpha


# Up


@inline
def close_ply(stack, search):
    """All actions of the ply under way were tried: leave it, and return its value."""
    ply = stack.plies[search.ply]
    if search.has_table:
        kind = EXACT
        if ply.value >= ply.beta:
            kind = AT_LEAST
        elif ply.value <= ply.first_alpha:
            kind = AT_MOST
        store(stack.table, ply.key, search.generation, search.depth - search.ply, ply.value, kind, ply.action)
    search.ply -= 1
    return ply.value


@inline
def take(stack, search, value):
    """Note the value of the action under way, as the side that takes it sees it."""
    ply, below = stack.plies[search.ply], stack.plies[search.ply + 1]
    action = ply.trying
    is_root = search.ply == 0
    if is_root:
        note_root(search, ply, value, value > -below.beta)
    if value > ply.value or (is_root and value == ply.value and action < ply.action):
        ply.value = value
        ply.action = action
        ply.line[0] = action
        for k in range(below.length):
            ply.line[k + 1] = below.line[k]
        ply.length = below.length + 1
        if is_root:
            note_result(stack, search)
    ply.alpha = max(ply.alpha, value)
    if search.prunes and ply.alpha >= ply.beta:
        cut_off(stack.iterations[search.iteration], ply)


@inline
def note_root(search, root, value, is_exact):
    """Note the value of a first move; the first one of a deepening clears those of the deepening before."""
    if root.action == NO_ACTION:
        for action in range(ACTIONS):
            search.root_values[action] = np.nan
    search.root_values[root.trying] = value
    search.root_exact[root.trying] = is_exact


@inline
def note_result(stack, search):
    """The best first move of the deepening under way is what counts from now on."""
    search.found_depth = search.depth
    search.found_value = stack.plies[0].value
    log = stack.iterations[search.iteration]
    log.value = stack.plies[0].value
    log.action = stack.plies[0].action


@inline
def cut_off(log, ply):
    """The other side won't let it come to this: leave the rest out, and remember what was so good."""
    log.cutoffs += 1
    log.first_cutoffs += np.int64(ply.cursor == 1)
    ply.cursor = ply.count
    if ply.killers[0] != ply.trying:
        ply.killers[1] = ply.killers[0]
        ply.killers[0] = ply.trying
