"""Expand a state: score its children by what the own action adds to their common base.

    place a bomb    what the own bomb will do, foreseen once for all children that drop it; rivals it traps
    take an item    what changes when an item no longer stops a fire; more range, or another bomb
    score a child   the terms of the evaluation, and whether the child can be survived
    keep a child    for the selection

No child becomes a state here, only those that are kept later (select.py): everything that is touched often stays
small enough for the cache.
"""

from typing import NamedTuple

import numpy as np

from engine.board import NEIGHBOURS, ONE, U64, ZERO, count_bits, lowest_bit
from engine.cells import has, read
from engine.jit import inline
from engine.rules import BOMB, legal_actions
from engine.state import FUSE, MAX_TURNS, cell_of, row_in
from search.beam.base import base_of, copy_forecast
from search.beam.child import drop_bomb, make_child, moves_of, player_after
from search.beam.duplicates import new_actions
from search.beam.memory import DEAD, DROPPED, DUPLICATES, GENERATED, PLACE, PLAYERS, TAKEN, UNSURVIVABLE
from search.beam.traps import trap_term
from search.common.evaluate import (
    asks_distance,
    box_distance,
    box_distance_after,
    equipment_terms,
    place_term,
    players_term,
)
from search.common.forecast import follow_items, foresee_bomb, survives, worth_of

NO_FORECAST = -1


class Family(NamedTuple):
    """A state and what its children have in common."""

    parent: int  # the state's place in its layer
    base: int  # the base's
    me: np.uint64  # the own player, packed, with the bombs that came back in this round
    forecast: int  # of the base; place in forecasts
    points: float  # for boxes destroyed
    equipment: float  # points for range and bombs, before an item is taken
    bonus: float  # won on the way
    rivalry: float


@inline
def meet_family(layers, search, map_, weights, place):
    """The family of a state that outlives this round."""
    base = base_of(layers, search, map_, weights, place)
    facts, scored = layers.facts[base], layers.bases[base].scored[search.player]
    me = U64(layers.states[search.depth & 1, place].players[search.player]) + facts.returned
    return Family(
        place,
        base,
        me,
        facts.forecast,
        weights.box * scored,
        equipment_terms(me, facts.bombs, weights),
        layers.bonus[search.depth & 1, place] + weights.early * weights.box * (scored - search.scored),
        facts.rivalry,
    )


@inline
def legal_here(search, parent, depth):
    """The legal actions of a state of this layer; where one is given only that."""
    legal = legal_actions(parent, search.player)
    if depth < search.given:
        legal &= ONE << U64(search.line[depth])
    return legal


@inline
def allowed_actions(search, parent, counters):
    """The actions of a state; first moves only as far as they may be tried."""
    legal = legal_here(search, parent, search.depth)
    counters[GENERATED] += np.int64(count_bits(legal))
    if search.depth == 0:
        counters[UNSURVIVABLE] += np.int64(count_bits(legal & ~search.roots))
        legal &= search.roots
    return legal


@inline
def is_burning(layers, search, parent, place):
    """Whether the own player burns in this round, whatever the action."""
    forecast = layers.forecasts[layers.forecast[search.depth, place]]
    return has(forecast.fires[row_in(parent, 0)], cell_of(parent.players[search.player]))


@inline
def value_moves(layers, player, weights, base, box_count, home, moves):
    """Fill in the terms of the evaluation that depend on where the own player goes, for each of the moves."""
    boxes = read(base.boxes)
    home_distance = box_distance(boxes, home) if asks_distance(box_count, weights) else 0
    while moves != ZERO:
        move = lowest_bit(moves)
        moves &= moves - ONE
        to = U64(NEIGHBOURS[home, move])
        distance = box_distance_after(boxes, box_count, home, home_distance, to)
        layers.move_terms[PLAYERS, move] = players_term(base, player, to, weights)
        layers.move_terms[PLACE, move] = place_term(box_count, to, distance, weights)


@inline
def place_bomb(layers, search, map_, weights, family):
    """Drop the own bomb on a copy of the base; returns its forecast and what it earns as a trap."""
    base, around = layers.bases[family.base], layers.scratch[DROPPED]
    layers.scratch[DROPPED] = base
    drop_bomb(around, search.player, family.me)
    forecast = copy_forecast(layers, search, family.forecast)
    foresee_bomb(around, map_, search.player, weights, layers.forecasts[forecast])
    trap = 0.0
    if search.depth < search.trap_depth:
        parent, facts = layers.states[search.depth & 1, family.parent], layers.facts[family.base]
        trap = trap_term(layers, search, parent, base, facts, around, layers.forecasts[forecast])
    return forecast, trap


@inline
def take_item(layers, search, map_, weights, family, known, after, drops):
    """Make the child that takes an item, with a bomb or without; returns its forecast and points for its equipment.

    `known` is the forecast before the item is taken.
    """
    base, around = layers.bases[family.base], layers.scratch[TAKEN]
    layers.scratch[TAKEN] = base
    make_child(around, search.player, family.me, after, drops)
    forecast = copy_forecast(layers, search, known)
    follow_items(around, read(base.items), map_, search.player, weights, layers.forecasts[forecast])
    return forecast, equipment_terms(after, layers.facts[family.base].bombs + U64(drops), weights)


@inline
def worth_in_time(search, weights, forecast, turns_left):
    """What the boxes of a forecast are worth; bombs that explode after the last turn count nothing if `ends` is on."""
    if search.ends and turns_left < FUSE:
        in_time = (ONE << U64(8 * turns_left)) - ONE
        return worth_of(forecast.hits & in_time, forecast.losses & in_time, weights)
    return forecast.worth


@inline
def score_child(layers, search, weights, family, move, equipment, forecast, bonus):
    """The score of a child before it is asked whether it can be survived; its terms are those of evaluate.py."""
    turns_left = MAX_TURNS - np.int64(layers.bases[family.base].turn)
    worth = worth_in_time(search, weights, forecast, turns_left)
    score = family.points + equipment + worth + layers.move_terms[PLAYERS, move] + layers.move_terms[PLACE, move]
    return score + (bonus + family.rivalry)


@inline
def keep_child(layers, search, place, action, after, forecast, score, bonus):
    """Add a child to those that the selection chooses from."""
    child = search.child_count
    layers.child_forecast[child] = forecast
    layers.child_score[child] = score
    layers.child_bonus[child] = bonus
    layers.child_player[child] = after
    layers.child_parent[child] = place
    layers.child_action[child] = action
    search.child_count += 1


@inline
def add_children(layers, search, map_, weights, family, actions):
    """Score the children of these actions."""
    base, items, home = layers.bases[family.base], layers.facts[family.base].items, cell_of(family.me)
    bomb_forecast, trap = NO_FORECAST, 0.0
    while actions != ZERO:
        action = np.int64(lowest_bit(actions))
        actions &= actions - ONE
        drops, move = action >= BOMB, action % BOMB
        forecast, around, bonus = family.forecast, base, family.bonus
        if drops:
            if bomb_forecast == NO_FORECAST:
                bomb_forecast, trap = place_bomb(layers, search, map_, weights, family)
            forecast, around = bomb_forecast, layers.scratch[DROPPED]
            bonus += trap
        to = U64(NEIGHBOURS[home, move])
        takes = to != home and has(items, to)
        after = player_after(map_, family.me, to, drops, takes)
        equipment = family.equipment + weights.out * drops
        if takes:
            forecast, equipment = take_item(layers, search, map_, weights, family, forecast, after, drops)
            around = layers.scratch[TAKEN]
        score = score_child(layers, search, weights, family, move, equipment, layers.forecasts[forecast], bonus)
        if search.checks_survival and not survives(around, to, layers.forecasts[forecast]):
            score += search.unsurvivable
        keep_child(layers, search, family.parent, action, after, forecast, score, bonus)


@inline
def expand(layers, search, map_, weights, place):
    """Score all children of one state of the layer. Each legal child is a node, made or not."""
    parent = layers.states[search.depth & 1, place]
    counters = layers.counters[search.depth + 1]
    legal = allowed_actions(search, parent, counters)
    if is_burning(layers, search, parent, place):
        counters[DEAD] += np.int64(count_bits(legal))
        search.nodes += 1
        return
    family = meet_family(layers, search, map_, weights, place)
    base, facts, fresh = layers.bases[family.base], layers.facts[family.base], legal
    if search.drops_duplicates:
        fresh = new_actions(layers, search, map_, base, facts, family.me, legal)
        counters[DUPLICATES] += np.int64(count_bits(legal ^ fresh))
    search.nodes += np.int64(count_bits(legal))
    value_moves(layers, search.player, weights, base, facts.box_count, cell_of(family.me), moves_of(fresh))
    add_children(layers, search, map_, weights, family, fresh)
