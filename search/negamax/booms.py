"""The boom: what the bombs of a player will hit, the best bomb that could come next, minus the risk.

    let off     boxes destroyed since the decision began, or to be destroyed by bombs on the board
    aim         a rival who stands where a bomb will burn
    next bomb   what the best bomb within `reach` steps would hit, if there is a way out of its fire
    risk        taken off if the known bombs can't be survived

A hit counts less for each round until it happens: whatever is worth doing is worth doing now.
"""

import numpy as np

from engine.blast import blast, hits_of
from engine.board import ZERO
from engine.cells import NOTHING, common, count_cells, first_cell, flood, has, is_empty, read, single, union, without
from engine.jit import inline
from engine.state import FUSE, bomb_in, cell_of, range_of, row_in, stock_of

FOUR_ARMS = 4.0  # boxes that one bomb can hit


@inline
def covers(fire, state, player):
    """Whether a living player stands in the fire."""
    return state.players[player] != 0 and has(fire, cell_of(state.players[player]))


@inline
def aim_of(state, player, rival, obstacles, weights):
    """What it is worth that the rival stands where a bomb of the player will burn, by the soonest such bomb."""
    for rounds in range(FUSE):
        bomb = bomb_in(state.bombs[row_in(state, rounds)], player)
        if bomb != ZERO:
            fire = blast(cell_of(bomb), range_of(bomb), obstacles)
            if covers(fire, state, rival):
                return weights.rival * weights.decay[1 + rounds]
    return 0.0


@inline
def rounds_without_bomb(state, player):
    """Rounds until the player has a bomb to drop."""
    if stock_of(state.players[player]) != ZERO:
        return 0
    for rounds in range(FUSE):
        if bomb_in(state.bombs[row_in(state, rounds)], player) != ZERO:
            return rounds + 1
    return FUSE


@inline
def has_way_out(cell, fire, blocked):
    """Whether a player who drops a bomb on the cell can walk out of its fire."""
    reach = single(cell)
    for _ in range(FUSE):
        reach = flood(reach, blocked)
        if not is_empty(without(reach, fire)):
            return True
    return False


@inline
def hits_from(state, cell, bomb_range, rival, unclaimed, obstacles, blocked, weights, least):
    """What a bomb on the cell hits, if that is more than `least` and there is a way out, else 0."""
    fire = blast(cell, bomb_range, obstacles)
    hits = np.float64(count_cells(common(fire, unclaimed)))
    if covers(fire, state, rival):
        hits += weights.rival
    return hits if hits > least and has_way_out(cell, fire, blocked) else 0.0


@inline
def best_next_bomb(state, player, rival, unclaimed, obstacles, weights):
    """What the best bomb that can be dropped within `reach` steps hits, less for each round until it explodes."""
    bomb_range, blocked = range_of(state.players[player]), read(state.blocked)
    wait = rounds_without_bomb(state, player)
    best = 0.0
    if wait > weights.reach:
        return best
    done, reach = NOTHING, single(cell_of(state.players[player]))
    for steps in range(weights.reach + 1):
        factor = weights.decay[1 + max(steps, wait) + FUSE]
        if factor * (FOUR_ARMS + weights.rival) <= best:
            break
        fresh = without(reach, done)
        if is_empty(fresh):
            break
        while not is_empty(fresh):
            cell = first_cell(fresh)
            fresh = without(fresh, single(cell))
            hits = hits_from(state, cell, bomb_range, rival, unclaimed, obstacles, blocked, weights, best / factor)
            best = max(best, factor * hits)
        done = reach
        reach = flood(reach, blocked)
    return best


@inline
def boom_of(state, player, rival, pair, forecast, safe, unclaimed, weights):
    """Boxes of bombs let off since the decision began, the next bomb, minus the risk."""
    if state.players[player] == 0:
        return 0.0
    obstacles = union(read(state.blocked), read(state.items))
    total = np.float64(np.int64(state.scored[player]) - pair.scored[player])
    for k in range(forecast.rounds):
        total += np.float64(hits_of(forecast.hits[k], player)) * weights.decay[1 + k]
    total += aim_of(state, player, rival, obstacles, weights)
    if not has(safe, cell_of(state.players[player])):
        return total - weights.risk
    return total + best_next_bomb(state, player, rival, unclaimed, obstacles, weights)


@inline
def unclaimed_boxes(state, forecast):
    """Boxes that no known bomb will destroy."""
    unclaimed = read(state.boxes)
    for k in range(forecast.rounds):
        unclaimed = without(unclaimed, read(forecast.fire[k]))
    return unclaimed
