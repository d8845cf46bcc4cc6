"""Deepening: depth after depth from the root, until the budget ends or the whole tree is searched.

It goes 1, 2, 4, 6 ... plies and begins each time with the best first move so far. If the budget ends within a
deepening, the finished part counts once it includes that first move.
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import entry, inline
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import MAX_TURNS, STATE, record
from engine.survival import FORECAST, joint
from engine.zobrist import finish, hash_state
from search.memory import MOST_PLACES
from search.negamax.evaluate import TERMS, is_over, score
from search.negamax.params import NegamaxParams

# The transposition table: results of positions that the search may meet again.
#
# An entry holds a value with its kind (exact, at least, at most), the plies it was searched with, and the best
# action. It is used only for exactly as many plies: the value is then the one a search without a table would find.
# Entries of earlier decisions count as empty, by a generation number, so that decisions can be repeated.


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
    """Store an entry; the newest stays."""
    entry = table[slot_of(table, key)]
    entry.key = key
    entry.generation = generation
    entry.plies = plies
    entry.value = value
    entry.kind = kind
    entry.action = action


# The memory of the search: its states, the plies of the line under way, the log of each depth, the table.


MAX_PLIES = 64
KILLERS = 2  # remembered per ply

# A deepening: its result and its cost.
ITERATION = record(
    [
        ("depth", np.int64),
        ("nodes", np.int64),
        ("value", np.float64),
        ("action", np.int64),
        ("hits", np.int64),  # positions whose value the table gave
        ("cutoffs", np.int64),
        ("first_cutoffs", np.int64),  # of these by the first action tried
        ("is_complete", np.bool_),
    ]
)
ITERATIONS = 2 + MAX_PLIES // 2

# One ply of the line under way.
PLY = record(
    [
        ("key", np.uint64),
        ("alpha", np.float64),  # the value that the side to move has for sure
        ("beta", np.float64),  # the other side avoids values above that
        ("first_alpha", np.float64),  # as it was at the beginning
        ("value", np.float64),  # the best so far
        ("action", np.int64),  # that of the best value
        ("trying", np.int64),  # the action under way
        ("count", np.int64),  # of actions to be tried
        ("cursor", np.int64),  # how many of them were begun
        ("length", np.int64),  # of the best line from here
        ("moves", np.int64, ACTIONS),  # actions in the order to be tried
        ("killers", np.int64, KILLERS),
        ("line", np.int8, MAX_PLIES + 1),
    ]
)

SEARCH = record(
    [
        ("nodes", np.int64),  # looked at: calls of step
        ("finished", np.bool_),
        ("iteration", np.int64),  # the deepening under way
        ("depth", np.int64),  # its plies
        ("max_depth", np.int64),
        ("is_fixed", np.bool_),  # one depth only
        ("ply", np.int64),
        ("is_new", np.bool_),  # the ply has just been reached: its actions are not listed yet
        ("try_first", np.int64),  # the action to begin with there
        ("generation", np.int32),
        ("found_depth", np.int64),  # of the deepening that counts; its line is that of ply 0. 0: none
        ("found_value", np.float64),
        ("root_values", np.float64, ACTIONS),  # of its first moves; nan: not finished
        ("root_exact", np.uint8, ACTIONS),  # 0: the value is at most that
        ("prunes", np.bool_),
        ("has_table", np.bool_),
        ("has_order", np.bool_),
        ("has_killers", np.bool_),
    ]
)


class Stack(NamedTuple):
    """The memory of a search."""

    states: np.ndarray  # [round]
    plies: np.ndarray  # [ply]
    iterations: np.ndarray  # [depth after depth]
    table: np.ndarray
    forecasts: np.ndarray  # one, scratch for the evaluation
    terms: np.ndarray  # likewise


def make_stack(params: NegamaxParams) -> Stack:
    return Stack(
        states=np.zeros(MAX_PLIES // 2 + 2, STATE),
        plies=np.zeros(MAX_PLIES + 1, PLY),
        iterations=np.zeros(ITERATIONS, ITERATION),
        table=make_table(params.table_bits),
        forecasts=np.zeros(1, FORECAST),
        terms=np.zeros(len(TERMS)),
    )


def make_search(params: NegamaxParams) -> np.record:
    search = np.zeros(1, SEARCH)[0]
    search.is_fixed = params.depth > 0
    search.prunes = params.pruning
    search.has_table = params.table
    search.has_order = params.ordering
    search.has_killers = params.killers
    return search


# Alpha-beta in negamax form, on a stack of its own, so that it can be interrupted after any node.
#
#     ply 0   we choose an action                 state 0, the root
#     ply 1   the opponent replies, knowing it    state 0 still
#     ply 2   we choose again                     state 1, after a round of both actions
#     ...
#
# A value is always seen by the side to move, a child's value is negated. At an odd last ply the opponent stays. All
# values are those of plain negamax: the root's window is open, and of equal first moves the lowest action wins,
# whatever the order in which they were tried.


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
    left = legal if legal != ZERO else ONE  # an empty seat stays
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
    """Set the key of a ply and look it up: (whether the table gives the value, the value, the action to try first)."""
    ply = stack.plies[at]
    ply.key = key_of(stack.states[at >> 1], stack.plies[at - 1].trying + 1 if at & 1 else 0)
    slot = slot_of(stack.table, ply.key)
    if not is_known(stack.table, slot, ply.key, search.generation):
        return False, 0.0, NO_ACTION
    entry = stack.table[slot]
    return is_enough(entry, search.depth - at, ply.alpha, ply.beta), entry.value, entry.action


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
    if is_replied or is_leaf:  # at an odd last ply the opponent stays
        action = stack.plies[child - 2].trying if is_replied else ply.trying
        stack.states[at] = stack.states[at - 1]
        play_round(stack.states[at], map_, joint(pair.player, action, pair.rival, ply.trying if is_replied else 0))
        search.nodes += 1
        if is_leaf or is_over(stack.states[at], pair):
            value = score(stack.states[at], map_, pair, weights, stack.forecasts[0], stack.terms)
            return True, value if is_replied else -value
    search.try_first = NO_ACTION
    if search.has_table:
        is_given, value, search.try_first = look_up(stack, search, child)
        if is_given:
            stack.iterations[search.iteration].hits += 1
            return True, value
    search.ply = child
    search.is_new = True
    return False, 0.0


@inline
def floor_of(search, ply):
    """The value that an action must exceed to matter. At the root a lower action need only equal the best."""
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
    """Make the current deepening's best first move the result."""
    search.found_depth = search.depth
    search.found_value = stack.plies[0].value
    log = stack.iterations[search.iteration]
    log.value = stack.plies[0].value
    log.action = stack.plies[0].action


@inline
def cut_off(log, ply):
    """Skip the rest of a ply that the other side avoids, and remember the refuting action."""
    log.cutoffs += 1
    log.first_cutoffs += np.int64(ply.cursor == 1)
    ply.cursor = ply.count
    if ply.killers[0] != ply.trying:
        ply.killers[1] = ply.killers[0]
        ply.killers[0] = ply.trying


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


@inline
def go_on(stack, search, map_, pair, weights):
    """The next piece of a search that isn't finished: (whether it found the value of a position, the value).

    An action is begun, or a ply left, or a deepening ended.
    """
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
        return False, 0.0
    if is_known_now:
        take(stack, search, -value)
    return is_known_now, value


@entry
def advance(stack, search, map_, pair, weights, limit):
    """Search until `limit` nodes are spent (checked before each)."""
    while not search.finished and search.nodes < limit:
        go_on(stack, search, map_, pair, weights)


@entry
def advance_once(stack, search, map_, pair, weights):
    """One piece of the search, for callers that look at each of them."""
    return go_on(stack, search, map_, pair, weights)
