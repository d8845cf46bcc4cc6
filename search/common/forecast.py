"""The rolling forecast: the explosions of the bombs on the board if nobody acts, kept with every state.

    fires    the cells that will burn, by round (a ring like that of the bombs)
    fire     all of them
    hits     boxes that the player destroys: byte k is the round k from now
    losses   boxes destroyed by opponents, likewise
    worth    their value in the evaluation

Made from nothing it costs a forward pass over all explosions, but a child rarely needs all of it: without a new bomb
its forecast is that of its parent, a round on. A new bomb, or an item that has been taken, changes nothing before the
first fire that reaches its cell; only later rounds are computed again. And usually a bomb only adds its own blast to
that fire.

A cell outside `fire` is safe for good, and from all others a flood through known fires finds the way out: a
search needs no explosions to see whether a state can be survived.
"""

import numpy as np

from engine.blast import blast, burn_away, due_in, explode, hits_of
from engine.board import ONE, U64, ZERO
from engine.cells import (
    ALL_CELLS,
    NOTHING,
    common,
    count_cells,
    flood,
    has,
    is_empty,
    live_bombs,
    read,
    single,
    spread,
    union,
    without,
    write,
)
from engine.instructions import occupied, standing_in
from engine.jit import inline, kernel
from engine.state import BYTE, FUSE, SLOT, SLOT_BITS, bomb_in, cell_of, range_of, record, row_in
from search.common.evaluate import future_term

ROLLING_FORECAST = record(
    [
        ("fires", np.uint64, (FUSE, 3)),
        ("fire", np.uint64, 3),
        ("hits", np.uint64),
        ("losses", np.uint64),
        ("worth", np.float64),
    ]
)
THREE, EIGHT = U64(3), U64(8)
LAST = FUSE - 1  # the round in which a bomb just dropped explodes by itself; also the row it is in
NEVER = FUSE


@kernel
def foresee(state, map_, player, weights, forecast, since):
    """Fill in the forecast from round `since` on, counted from now; earlier rounds are known already."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = occupied(state.bombs)
    all_fires = NOTHING
    known = (ONE << (U64(since) << THREE)) - ONE
    hits, losses = forecast.hits & known, forecast.losses & known
    for k in range(FUSE):
        row = row_in(state, k)
        if k >= since:
            fire = NOTHING
            if state.bombs[row] != ZERO and live != ZERO:
                fire, live, counts = explode(state.bombs, due_in(live, row), live, union(blocked, items), boxes)
                mine = hits_of(counts, player)
                hits |= mine << (U64(k) << THREE)
                losses |= (sum_slots(counts & ~weights.mates) - mine) << (U64(k) << THREE)
            write(forecast.fires[row], fire)
        else:
            fire = read(forecast.fires[row])
            live ^= standing_in(state.bombs, fire, live)
        if not is_empty(fire):
            all_fires = union(all_fires, fire)
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    write(forecast.fire, all_fires)
    set_hits(forecast, hits, losses, weights)


@inline
def sum_slots(counts):
    """The sum of four small numbers of 16 bits."""
    return (counts + (counts >> SLOT_BITS) + (counts >> U64(32)) + (counts >> U64(48))) & BYTE


@inline
def set_hits(forecast, hits, losses, weights):
    forecast.hits = hits
    forecast.losses = losses
    forecast.worth = worth_of(hits, losses, weights)


@inline
def worth_of(hits, losses, weights):
    """The worth of boxes by the rounds in which they are destroyed."""
    worth = weights.box * future_term(hits, weights)
    if weights.rivals != 0.0:
        worth -= weights.rivals * weights.box * future_term(losses, weights)
    return worth


@inline
def pass_round(forecast, row, weights):
    """One round on, nothing new; `row` is the round that is over."""
    if not is_empty(read(forecast.fires[row])):
        write(forecast.fires[row], NOTHING)
        fire = NOTHING
        for k in range(FUSE):
            fire = union(fire, read(forecast.fires[k]))
        write(forecast.fire, fire)
    set_hits(forecast, forecast.hits >> EIGHT, forecast.losses >> EIGHT, weights)


@inline
def explosion_round(state, cell, forecast):
    """The round in which a new bomb on the cell explodes: with the first fire that reaches it, or by itself."""
    if has(forecast.fire, cell):
        for k in range(LAST):
            if has(forecast.fires[row_in(state, k)], cell):
                return k
    return LAST


@inline
def board_at(state, map_, forecast, rounds):
    """Blocked cells, boxes and items after the known fires of so many rounds."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    for k in range(rounds):
        fire = read(forecast.fires[row_in(state, k)])
        if not is_empty(fire):
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    return blocked, boxes, items


@inline
def cuts_arm(cell, bomb_range, obstacles, arms, fire):
    """Whether an arm of the fire may go on through the bomb's cell to where its own `arms` end."""
    if is_empty(fire):
        return False
    longer = blast(cell, bomb_range + ONE, obstacles)
    return not is_empty(common(without(longer, arms), fire))


@kernel
def foresee_bomb(state, map_, player, weights, forecast):
    """Fill in the effect of the bomb that the player has just dropped.

    It adds its own blast to the fire of one round, and nothing else changes unless

        another's arm that went through its cell reached farther than its own: now that arm ends at the bomb;
        it hits boxes that burn anyway, and maybe not by the player's bombs: their owners must be counted again;
        it burns anything before bombs that explode later: they may explode with it, or reach farther.
    """
    bomb = bomb_in(state.bombs[row_in(state, LAST)], player)
    cell, bomb_range = cell_of(bomb), range_of(bomb)
    rounds = explosion_round(state, cell, forecast)
    row, byte = row_in(state, rounds), U64(rounds) << THREE
    fire = read(forecast.fires[row])
    blocked, boxes, items = board_at(state, map_, forecast, rounds)
    obstacles = union(blocked, items)
    arms = blast(cell, bomb_range, obstacles)
    hit, new = common(arms, boxes), without(arms, fire)
    later = without(live_bombs(blocked, boxes), union(fire, single(cell)))
    if (
        cuts_arm(cell, bomb_range, obstacles, arms, fire)
        or ((forecast.losses >> byte) & BYTE | weights.mates != ZERO and not is_empty(common(hit, fire)))
        or (not is_empty(later) and not is_empty(common(new, obstacles)))
    ):
        foresee(state, map_, player, weights, forecast, rounds)
        return
    write(forecast.fires[row], union(fire, arms))
    write(forecast.fire, union(read(forecast.fire), arms))
    hit = without(hit, fire)
    set_hits(forecast, forecast.hits + (U64(count_cells(hit)) << byte), forecast.losses, weights)


@inline
def round_of_new(state, forecast):
    """The first round in which one of the bombs dropped in the round before this state explodes; NEVER without one."""
    bombs = state.bombs[row_in(state, LAST)]
    soonest = NEVER
    while bombs != ZERO:
        if bombs & SLOT != ZERO:
            soonest = min(soonest, explosion_round(state, cell_of(bombs), forecast))
        bombs >>= SLOT_BITS
    return soonest


@inline
def round_of_taken(state, items, forecast):
    """The first round in which a fire comes to one of the `items` that were there and have been taken, or NEVER."""
    taken = without(items, read(state.items))
    if not is_empty(common(taken, read(forecast.fire))):
        for k in range(FUSE):
            if not is_empty(common(taken, read(forecast.fires[row_in(state, k)]))):
                return k
    return NEVER


@inline
def follow_items(state, items, map_, player, weights, forecast):
    """Some of the `items` that were there may have been taken; `state` is the state after that."""
    since = round_of_taken(state, items, forecast)
    if since != NEVER:
        foresee(state, map_, player, weights, forecast, since)


@inline
def follow_others(state, items, map_, player, weights, forecast):
    """The others have acted: bombs may be new, `items` taken."""
    since = min(round_of_new(state, forecast), round_of_taken(state, items, forecast))
    if since != NEVER:
        foresee(state, map_, player, weights, forecast, since)


@kernel
def survivable_from(state, forecast, blocked_in):
    """All cells from which the known bombs can be survived, as a set: `survives` for every cell at once.

    `blocked_in` is scratch for the blocked cells of each round, [FUSE, 3].
    """
    blocked = read(state.blocked)
    for k in range(FUSE):
        write(blocked_in[k], blocked)
        blocked = without(blocked, read(forecast.fires[row_in(state, k)]))
    safe = ALL_CELLS
    for k in range(LAST, -1, -1):
        fire = read(forecast.fires[row_in(state, k)])
        safe = without(union(safe, spread(without(safe, read(blocked_in[k])))), fire)
    return common(safe, ALL_CELLS)


@inline
def survives(state, cell, forecast):
    """Whether a player standing on the cell can survive the known bombs (see engine/survival.py)."""
    haven = without(ALL_CELLS, read(forecast.fire))
    reach, blocked = single(cell), read(state.blocked)
    for k in range(FUSE):
        if not is_empty(common(reach, haven)):
            return True
        fire = read(forecast.fires[row_in(state, k)])
        reach = without(reach, fire)
        if is_empty(reach):
            return False
        reach = flood(reach, blocked)
        blocked = without(blocked, fire)
    return True
