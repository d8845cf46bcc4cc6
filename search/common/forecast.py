"""What the bombs on the board will do if nobody acts any more, kept beside every state of a search.

    fires    the cells that will burn, by round (a ring like that of the bombs)
    fire     all of them
    hits     own boxes destroyed: byte k is the round k from now
    losses   boxes destroyed by the others, likewise
    worth    their value in the evaluation

It costs a forward pass over all explosions, but a child rarely needs all of it: without a new bomb its future is that
of its parent, a round on. A new bomb, or an item that no longer lies there, changes nothing before the first fire that
reaches its cell; only what comes from there on is foreseen anew. And mostly it only adds its own blast to that fire.

A cell outside `fire` is safe for good, and from all others the way out is found by flooding through known fires: no
state of a search needs to explode anything to see whether it can be survived.
"""

import numpy as np

from engine.blast import blast, count_hits, explode
from engine.board import FOUR, ONE, OPEN_A, OPEN_H, OPEN_V, SEVEN, U64, ZERO, spread
from engine.jit import inline, kernel
from engine.rules import has
from engine.state import BYTE, FUSE, RANGE_SHIFT, SLOT, SLOT_BITS, record
from engine.survival import NOTHING, burn_away, common, count_set, flood, is_empty, read, single, union, without, write
from search.common.evaluate import future_term

FUTURE = record(
    [
        ("fires", np.uint64, (FUSE, 3)),
        ("fire", np.uint64, 3),
        ("hits", np.uint64),
        ("losses", np.uint64),
        ("worth", np.float64),
    ]
)
THREE, EIGHT = U64(3), U64(8)
LAST = FUSE - 1  # the round in which a bomb just dropped explodes by itself
NEVER = FUSE


@kernel
def foresee(state, map_, player, weights, future, first):
    """Fill in the future from the round `first` on, counted from now; the rounds before it are known already."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = without(without(blocked, boxes), (~OPEN_A, ~OPEN_H, ~OPEN_V))
    all_fires = NOTHING
    known = (ONE << (U64(first) << THREE)) - ONE
    hits, losses = future.hits & known, future.losses & known
    for k in range(FUSE):
        row = (U64(state.turn) + U64(k)) & SEVEN
        if k >= first:
            fire = NOTHING
            if state.bombs[row] != ZERO and not is_empty(live):
                fire, _exploded, hit = explode(state.bombs, row, union(blocked, items), boxes, live)
                counts = count_hits(hit)
                mine = (counts >> (U64(player) << FOUR)) & BYTE
                hits |= mine << (U64(k) << THREE)
                losses |= (sum_slots(counts) - mine) << (U64(k) << THREE)
            write(future.fires[row], fire)
        else:
            fire = read(future.fires[row])
        if not is_empty(fire):
            all_fires = union(all_fires, fire)
            live = without(live, fire)
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    write(future.fire, all_fires)
    set_hits(future, hits, losses, weights)


@inline
def sum_slots(counts):
    """The sum of four small numbers of 16 bits."""
    return (counts + (counts >> SLOT_BITS) + (counts >> U64(32)) + (counts >> U64(48))) & BYTE


@inline
def set_hits(future, hits, losses, weights):
    future.hits = hits
    future.losses = losses
    future.worth = worth_of(hits, losses, weights)


@inline
def worth_of(hits, losses, weights):
    worth = weights.box * future_term(hits, weights)
    if weights.rivals != 0.0:
        worth -= weights.rivals * weights.box * future_term(losses, weights)
    return worth


@inline
def pass_round(future, row, weights):
    """One round on, nothing new; `row` is the round that is over."""
    if not is_empty(read(future.fires[row])):
        write(future.fires[row], NOTHING)
        fire = NOTHING
        for k in range(FUSE):
            fire = union(fire, read(future.fires[k]))
        write(future.fire, fire)
    set_hits(future, future.hits >> EIGHT, future.losses >> EIGHT, weights)


@inline
def first_fire(state, cell, future):
    """The round in which a new bomb on the cell explodes: with the first fire that reaches it, or by itself."""
    if has(future.fire, cell):
        for k in range(LAST):
            if has(future.fires[(U64(state.turn) + U64(k)) & SEVEN], cell):
                return k
    return LAST


@inline
def board_at(state, map_, future, first):
    """Blocked cells, boxes and items after the known fires before the round `first`."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    for k in range(first):
        fire = read(future.fires[(U64(state.turn) + U64(k)) & SEVEN])
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
def foresee_bomb(state, map_, player, weights, future):
    """Fill in what the bomb that the player has just dropped will do.

    It adds its own blast to the fire of one round, and nothing else changes unless

        another's arm that went through its cell reached farther than its own: now that arm ends at the bomb;
        it hits boxes that burn anyway, and maybe not by the player's bombs: whose they are must be counted anew;
        it burns anything before bombs that explode later: they may explode with it, or reach farther.
    """
    bomb = (state.bombs[(U64(state.turn) + SEVEN) & SEVEN] >> (U64(player) << FOUR)) & SLOT
    cell, bomb_range = bomb & BYTE, bomb >> RANGE_SHIFT
    first = first_fire(state, cell, future)
    row, byte = (U64(state.turn) + U64(first)) & SEVEN, U64(first) << THREE
    fire = read(future.fires[row])
    blocked, boxes, items = board_at(state, map_, future, first)
    obstacles = union(blocked, items)
    arms = blast(cell, bomb_range, obstacles)
    hit, new = common(arms, boxes), without(arms, fire)
    later = without(common(without(blocked, boxes), (OPEN_A, OPEN_H, OPEN_V)), union(fire, single(cell)))
    if (
        cuts_arm(cell, bomb_range, obstacles, arms, fire)
        or ((future.losses >> byte) & BYTE != ZERO and not is_empty(common(hit, fire)))
        or (not is_empty(later) and not is_empty(common(new, obstacles)))
    ):
        foresee(state, map_, player, weights, future, first)
        return
    write(future.fires[row], union(fire, arms))
    write(future.fire, union(read(future.fire), arms))
    hit = without(hit, fire)
    set_hits(future, future.hits + (U64(count_set(hit)) << byte), future.losses, weights)


@inline
def first_of_new(state, future):
    """The first round in which one of the bombs dropped in the round before this state explodes; NEVER without one."""
    bombs = state.bombs[(U64(state.turn) + SEVEN) & SEVEN]
    first = NEVER
    while bombs != ZERO:
        if bombs & SLOT != ZERO:
            first = min(first, first_fire(state, bombs & BYTE, future))
        bombs >>= SLOT_BITS
    return first


@inline
def first_of_taken(state, items, future):
    """The first round in which a fire comes to one of the `items` that lay about and now are gone, or NEVER."""
    taken = without(items, read(state.items))
    if not is_empty(common(taken, read(future.fire))):
        for k in range(FUSE):
            if not is_empty(common(taken, read(future.fires[(U64(state.turn) + U64(k)) & SEVEN]))):
                return k
    return NEVER


@inline
def follow_items(state, items, map_, player, weights, future):
    """Some of the `items` that lay about may have been taken; `state` is what became of it."""
    first = first_of_taken(state, items, future)
    if first != NEVER:
        foresee(state, map_, player, weights, future, first)


@inline
def follow_others(state, items, map_, player, weights, future):
    """The others have acted: bombs may be new, `items` gone."""
    first = min(first_of_new(state, future), first_of_taken(state, items, future))
    if first != NEVER:
        foresee(state, map_, player, weights, future, first)


@kernel
def survivable_from(state, future, walls):
    """All cells from which the known bombs can be survived, as three words: `survives` for every cell at once.

    `walls` is room for what blocks the way in each round, [FUSE, 3].
    """
    blocked = read(state.blocked)
    for k in range(FUSE):
        write(walls[k], blocked)
        blocked = without(blocked, read(future.fires[(U64(state.turn) + U64(k)) & SEVEN]))
    safe = (OPEN_A, OPEN_H, OPEN_V)
    for k in range(LAST, -1, -1):
        fire = read(future.fires[(U64(state.turn) + U64(k)) & SEVEN])
        open_ = without(safe, read(walls[k]))
        safe = without(union(safe, spread(open_[0], open_[1], open_[2])), fire)
    return common(safe, (OPEN_A, OPEN_H, OPEN_V))


@inline
def survives(state, cell, future):
    """Whether a player standing on the cell can survive the known bombs (see engine/survival.py)."""
    haven = without((OPEN_A, OPEN_H, OPEN_V), read(future.fire))
    reach, blocked = single(cell), read(state.blocked)
    for k in range(FUSE):
        if not is_empty(common(reach, haven)):
            return True
        fire = read(future.fires[(U64(state.turn) + U64(k)) & SEVEN])
        reach = without(reach, fire)
        if is_empty(reach):
            return False
        reach = flood(reach, blocked)
        blocked = without(blocked, fire)
    return True
