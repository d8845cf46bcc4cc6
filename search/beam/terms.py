"""The children of a layer one by one, with the terms of their scores: for `hsctl explain --trace`, never for a search.

Between two layers the memory still holds the states of the layer above, their bases, and every child that was scored.
This module makes the other legal children again: duplicates, children in which the player burns, and first moves that
were ruled out.
"""

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit, lowest_bit
from engine.cells import read
from engine.jit import entry, inline
from engine.rules import BOMB, pack, play_round
from engine.state import FUSE, MAX_TURNS, cell_of, range_of, record
from engine.zobrist import hash_state
from search.beam.expand import legal_here, make_child
from search.beam.memory import TAKEN
from search.common.evaluate import (
    asks_distance,
    bombs_term,
    box_distance,
    extra_bombs,
    future_term,
    place_term,
    players_term,
    range_term,
)
from search.common.forecast import survives

SCORED, DUPLICATE, DEAD_CHILD, RULED_OUT = range(4)  # a child's fate before the selection
BOXES, RANGE, BOMBS, FUTURE, PLAYERS_TERM, PLACE_TERM, RIVALS, EARLY, TRAPS, UNSURVIVABLE_TERM = range(10)
BEAM_TERMS = ("boxes", "range", "bombs", "future", "players", "place", "rivals", "early", "traps", "unsurvivable")
NO_CHILD = NOWHERE = -1

CHILD_ROW = record(
    [
        ("hash", np.uint64),
        ("terms", np.float64, len(BEAM_TERMS)),  # they sum up to the score
        ("parent", np.int64),  # place in the layer above
        ("child", np.int64),  # among the scored children, or NO_CHILD
        ("action", np.int64),
        ("kind", np.int64),
        ("cell", np.int64),  # or NOWHERE for the dead
        ("is_survivable", np.bool_),
    ]
)


@inline
def fill_child_terms(layers, search, weights, depth, row, state, early):
    """The terms of a scored child, made as a state; `early` is that term of its parent."""
    player, child = search.player, row.child
    base = layers.base_place[row.parent]
    facts, me = layers.facts[base], U64(layers.child_player[child])
    forecast = layers.forecasts[layers.child_forecast[child]]
    boxes, cell, terms = read(layers.bases[base].boxes), cell_of(me), row.terms
    hits, losses, turns_left = forecast.hits, forecast.losses, MAX_TURNS - np.int64(layers.bases[base].turn)
    if search.ends and turns_left < FUSE:
        in_time = (ONE << U64(8 * turns_left)) - ONE
        hits, losses = hits & in_time, losses & in_time
    placed = facts.bombs + U64(row.action >= BOMB)
    scored = layers.bases[base].scored[player]
    distance = box_distance(boxes, cell) if asks_distance(facts.box_count, weights) else 0
    terms[BOXES] = weights.box * scored
    terms[RANGE] = range_term(np.float64(range_of(me)), weights)
    terms[BOMBS] = bombs_term(extra_bombs(me, placed), weights) + weights.out * np.float64(placed)
    terms[FUTURE] = weights.box * future_term(hits, weights)
    terms[PLAYERS_TERM] = players_term(layers.bases[base], player, cell, weights)
    terms[PLACE_TERM] = place_term(facts.box_count, cell, distance, weights)
    terms[RIVALS] = facts.rivalry
    if weights.rivals != 0.0:
        terms[RIVALS] -= weights.rivals * weights.box * future_term(losses, weights)
    terms[EARLY] = early + weights.early * weights.box * (scored - search.scored)
    terms[TRAPS] = layers.child_bonus[child] - terms[EARLY]
    row.is_survivable = survives(state, cell, forecast)
    terms[UNSURVIVABLE_TERM] = search.unsurvivable if search.checks_survival and not row.is_survivable else 0.0


@inline
def describe_child(layers, search, map_, weights, depth, row, early):
    """Fill in a row whose parent, action and child are known: the child as a state, its hash and its terms."""
    player, state, parent = search.player, layers.scratch[TAKEN], layers.states[depth & 1, row.parent]
    row.terms[:] = 0.0
    row.is_survivable = False
    if row.child != NO_CHILD:
        row.kind = SCORED
        layers.scratch[TAKEN] = layers.bases[layers.base_place[row.parent]]
        after = U64(layers.child_player[row.child])
        make_child(state, player, U64(parent.players[player]), after, row.action >= BOMB)
        fill_child_terms(layers, search, weights, depth, row, state, early)
    else:
        layers.scratch[TAKEN] = parent
        play_round(state, map_, layers.other_actions[depth] | pack(player, row.action))
        row.kind = DUPLICATE if state.players[player] != 0 else DEAD_CHILD
    row.hash = hash_state(state)
    row.cell = np.int64(cell_of(state.players[player])) if state.players[player] != 0 else NOWHERE


@entry
def describe_children(layers, search, map_, weights, depth, first, last, child, count, early, rows):
    """Fill in a row for each legal child of the states first to last of the layer `depth`; returns how many.

    `child` is the first of the `count` scored children that can belong to these states, `early` is that term of each
    state. The children must be those that were scored last.
    """
    filled = 0
    for place in range(first, last):
        actions = legal_here(search, layers.states[depth & 1, place], depth)
        while actions != ZERO:
            action = np.int64(lowest_bit(actions))
            actions &= actions - ONE
            row = rows[filled]
            filled += 1
            row.parent, row.action, row.child = place, action, NO_CHILD
            if child < count and layers.child_parent[child] == place and layers.child_action[child] == action:
                row.child = child
                child += 1
            describe_child(layers, search, map_, weights, depth, row, early[place])
            if depth == 0 and not has_bit(search.roots, action):
                row.kind = RULED_OUT
    return filled
