"""The base of a state: the round played as far as all children of the state have in common.

A child differs from its siblings by the own action alone. So each state is played once up to there (the fire, then the
others' actions), and children are scored and compared by what the own action adds to that.

States of a layer that differ by the own player alone (nobody has dropped a bomb or taken an item since their lines
parted: about every second one) share their forecast, and so they share their base: it leaves the own player out.
"""

from engine.board import U64, ZERO, has_bit
from engine.cells import count_cells, read, write
from engine.jit import inline
from engine.rules import burn, choose, finish_round
from engine.state import MAX_PLAYERS, ONE_BOMB, row_in
from engine.zobrist import sum_items, sum_players, sum_rest
from search.beam.memory import NOBODY
from search.common.evaluate import equipment_terms, placed_bombs
from search.common.forecast import follow_others, pass_round, survivable_from


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
    """What the rivals' boxes, ranges and bombs cost, and what those of a mate are worth.

    A dead rival keeps what they had: there is nothing to win by a death that is only predicted. A dead mate doesn't.
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
    """Play a state as far as all its children have in common, and note what they need to know of that."""
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
