"""Expand a state: score its children as a common base plus the effect of the player's action.

    base            the round played as far as all children share it: the fire, then the others' actions
    duplicates      children whose state another child of the layer already has, found by their Zobrist hash
    place a bomb    the effect of the player's bomb, once for all children that drop it; opponents it traps
    take an item    an item no longer stops fire; more range, or another bomb
    score a child   the terms of the evaluation, and whether the child can be survived
    keep a child    for the selection

A child differs from its siblings by the player's action alone, so its score and its hash are those of the base plus the
effect of that action. States of a layer that differ by the player alone (nobody dropped a bomb or took an item since
their lines parted: about every second one) share their forecast and their base, which leaves the player out.

No child becomes a state here. The selection (layers.py) makes those it keeps, so that everything touched often fits
into the cache.
"""

from typing import NamedTuple

import numpy as np

from engine.board import CLASS_SHIFT, NEIGHBOURS, ONE, U64, ZERO, bit_of, count_bits, has_bit, lowest_bit
from engine.cells import add, common, count_cells, flood, has, is_empty, read, remove, single, without, write
from engine.jit import inline
from engine.rules import BOMB, FIVE, burn, choose, finish_round, legal_actions
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS, ONE_BOMB, ONE_RANGE, cell_of, dropped_by, row_in, slot_of
from engine.zobrist import KEYS, finish, is_new, mix, sum_items, sum_players, sum_rest
from search.beam.memory import DEAD, DROPPED, DUPLICATES, GENERATED, NOBODY, PLACE, PLAYERS, TAKEN, UNSURVIVABLE
from search.common.evaluate import (
    asks_distance,
    box_distance,
    box_distance_after,
    equipment_terms,
    place_term,
    placed_bombs,
    players_term,
)
from search.common.forecast import (
    follow_items,
    follow_others,
    foresee_bomb,
    pass_round,
    survivable_from,
    survives,
    worth_of,
)

LAST_DROPPED = 7  # the row of the ring that the round just played filled
MOVES = U64((1 << BOMB) - 1)


@inline
def moves_of(actions):
    """The moves of a set of actions, with a bomb or without, as five bits."""
    return (actions | actions >> FIVE) & MOVES


@inline
def player_after(map_, me, to, drops, takes):
    """The packed player `me` after an action."""
    after = me + to - cell_of(me) - ONE_BOMB * U64(drops)
    if takes:
        after += ONE_RANGE if has(map_.range_items, to) else ONE_BOMB
    return after


@inline
def drop_bomb(state, player, me):
    """The packed player `me` has dropped a bomb in the round just played."""
    state.bombs[row_in(state, LAST_DROPPED)] |= slot_of(dropped_by(me), player)
    add(state.blocked, cell_of(me))


@inline
def make_child(child, player, me, after, drops):
    """Complete a copy of a base by the player's action that makes the packed player `after` out of `me`."""
    if drops:
        drop_bomb(child, player, me)
    if cell_of(after) != cell_of(me):
        remove(child.items, cell_of(after))
    child.players[player] = after


@inline
def copy_forecast(layers, search, known):
    """A forecast of this layer's children that begins as a copy of a known one."""
    forecast = ((search.depth + 1) & 1) * layers.child_score.size + search.forecast_count
    search.forecast_count += 1
    layers.forecasts[forecast] = layers.forecasts[known]
    layers.base_owner[forecast] = NOBODY
    return forecast


@inline
def rivalry_term(state, player, search, weights):
    """The cost of the opponents' boxes, ranges and bombs, and the worth of a teammate's.

    A dead opponent keeps theirs: a death that is only predicted wins nothing. A dead teammate loses theirs.
    """
    total = 0.0
    if weights.rivals != 0.0:
        for other in range(MAX_PLAYERS):
            if other != player:
                packed = U64(state.players[other])
                is_mate = has_bit(search.mates, other)
                equipment = 0.0 if is_mate else search.equipment[other]
                if packed != ZERO:
                    equipment = equipment_terms(packed, placed_bombs(state, other), weights)
                points = weights.box * state.scored[other] + equipment
                total += -points if is_mate else points
    return -weights.rivals * total


@inline
def make_base(layers, search, map_, weights, place):
    """Play the part of a round that all children of a state share, and note its facts for them."""
    player, depth = search.player, search.depth
    parent, base, facts = layers.states[depth & 1, place], layers.bases[place], layers.facts[place]
    row = row_in(parent, 0)
    layers.bases[place] = parent
    base.players[player] = 0
    if parent.bombs[row] != ZERO:
        burn(base, map_, row)
    write(facts.items, read(base.items))
    facts.bombs = placed_bombs(base, player)
    facts.returned = (placed_bombs(parent, player) - facts.bombs) * ONE_BOMB
    other_actions = layers.other_actions[depth]
    finish_round(base, map_, choose(parent, other_actions), row)
    facts.forecast = copy_forecast(layers, search, layers.forecast[depth, place])
    pass_round(layers.forecasts[facts.forecast], row, weights)
    if other_actions != ZERO:
        follow_others(base, read(facts.items), map_, player, weights, layers.forecasts[facts.forecast])
    facts.box_count = count_cells(read(base.boxes))
    facts.rivalry = rivalry_term(base, player, search, weights)
    facts.rest_hash = sum_rest(base, row) + sum_players(base)
    facts.items_hash = sum_items(base)
    if depth < search.trap_depth:
        write(facts.safe, survivable_from(base, layers.forecasts[facts.forecast], layers.blocked))


@inline
def base_of(layers, search, map_, weights, place):
    """The place of a state's base, which is made unless a state with the same forecast has it already."""
    known = layers.forecast[search.depth, place]
    if layers.base_owner[known] == NOBODY:
        layers.base_owner[known] = place
        make_base(layers, search, map_, weights, place)
    layers.base_place[place] = layers.base_owner[known]
    return layers.base_place[place]


PLAYER_KEYS = 3  # where the keys of the players begin
ROW_KEYS = U64(7)  # and those of the rows of bombs


@inline
def change_by_item(items, cell):
    """The change of the hash by taking the item on a cell."""
    word = cell >> CLASS_SHIFT
    return mix(items[word] & ~bit_of(cell), KEYS[word]) - mix(items[word], KEYS[word])


@inline
def new_actions(layers, search, map_, base, facts, me, legal):
    """Those of the legal actions whose child this layer doesn't have yet; remembers them.

    This comes first: in so short a loop the processor looks up several children at once.
    """
    home, row = cell_of(me), row_in(base, LAST_DROPPED)
    my_key, row_key = KEYS[PLAYER_KEYS + search.player], KEYS[ROW_KEYS + row]
    bombs, bomb = base.bombs[row], slot_of(dropped_by(me), search.player)
    rest = facts.rest_hash + facts.items_hash
    plain, dropped = rest + mix(bombs, row_key), rest + mix(bombs | bomb, row_key)
    fresh, moves = ZERO, moves_of(legal)
    while moves != ZERO:
        move = lowest_bit(moves)
        moves &= moves - ONE
        to = U64(NEIGHBOURS[home, move])
        takes = to != home and has(facts.items, to)
        taken = change_by_item(base.items, to) if takes else ZERO
        after = player_after(map_, me, to, False, takes)
        if has_bit(legal, move):
            hash_ = finish(plain + taken + mix(after, my_key))
            fresh |= U64(is_new(layers.seen, search.seen_mask, hash_)) << move
        if has_bit(legal, move + FIVE):
            hash_ = finish(dropped + taken + mix(after - ONE_BOMB, my_key))
            fresh |= U64(is_new(layers.seen, search.seen_mask, hash_)) << (move + FIVE)
    return fresh


@inline
def trap_term(layers, search, parent, base, facts, around, forecast):
    """Points for the player's bomb on the board `around`: for opponents that it leaves no way out.

    An opponent counts by whether the predicted cell is caught, and by the share of reachable cells that are.
    """
    before = read(facts.safe)
    trapped = without(before, survivable_from(around, forecast, layers.blocked))
    if is_empty(trapped):
        return 0.0
    share = 0.0
    for other in range(MAX_PLAYERS):
        packed = U64(base.players[other])
        if other == search.player or packed == ZERO or has_bit(search.mates, other):
            continue
        might = common(flood(single(cell_of(parent.players[other])), read(parent.blocked)), before)
        count = count_cells(might)
        if count != 0:
            share += (1.0 - search.trust) * count_cells(common(might, trapped)) / count
            if has(trapped, cell_of(packed)):
                share += search.trust
    return search.trap[search.depth] * share


NO_FORECAST = -1


class Family(NamedTuple):
    """A state and the facts that its children share."""

    parent: int  # the state's place in its layer
    base: int  # the place of its base
    me: np.uint64  # the player, packed, with the bombs that came back in this round
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
    """Whether the player burns in this round, whatever the action."""
    forecast = layers.forecasts[layers.forecast[search.depth, place]]
    return has(forecast.fires[row_in(parent, 0)], cell_of(parent.players[search.player]))


@inline
def value_moves(layers, player, weights, base, box_count, home, moves):
    """Fill in the terms of the evaluation that depend on where the player goes, for each of the moves."""
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
    """Drop the player's bomb on a copy of the base; returns its forecast and what it earns as a trap."""
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
    """The worth of a forecast's boxes; with `ends`, bombs that explode after the last turn count nothing."""
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
