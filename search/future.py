"""What the bombs on the board will do if nobody acts any more, kept beside every state of a search.

    fire     all cells that will burn (and perhaps some that just have)
    boxes    what is left after the last explosion
    items    and what then lies about
    hits     own boxes destroyed: byte k is the round k from now
    worth    their value in the evaluation

It costs a forward pass over all explosions, but a child rarely needs one: without a new bomb its future is that of
its parent, a round on. A new bomb on a cell that no fire will reach changes nothing before it explodes itself,
last of all, on the board that is left: one blast. An item taken where no fire will reach only stops being there.
Everything else is foreseen anew.

A cell outside `fire` is safe for good, so most states need no search for survival either.
"""

import numpy as np

from engine.blast import blast, count_hits, explode
from engine.board import FOUR, ONE, OPEN_A, OPEN_H, OPEN_V, SEVEN, U64, ZERO, count_cells, is_in
from engine.jit import inline, kernel
from engine.state import BYTE, RANGE_SHIFT, record
from engine.survival import burn_away, can_get_away, common, contents, is_empty, read, union, without
from search.evaluate import future_term

FUTURE = record(
    [
        ("fire", np.uint64, 3),
        ("boxes", np.uint64, 3),
        ("items", np.uint64, 3),
        ("hits", np.uint64),
        ("worth", np.float64),
    ]
)
THREE, EIGHT = U64(3), U64(8)
LAST_ROUND = U64(56)  # of the eight bytes: where a bomb just dropped explodes


@inline
def write(words, cells):
    words[0], words[1], words[2] = cells


@inline
def copy_future(target, source):
    """Word by word: a record as small as this one, assigned whole, would be copied byte by byte."""
    write(target.fire, read(source.fire))
    write(target.boxes, read(source.boxes))
    write(target.items, read(source.items))
    target.hits = source.hits
    target.worth = source.worth


@kernel
def foresee(state, map_, player, weights, future):
    """Fill in the future by going through all explosions."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = without(without(blocked, boxes), (~OPEN_A, ~OPEN_H, ~OPEN_V))
    fires = (ZERO, ZERO, ZERO)
    ahead = ZERO
    rounds = ZERO
    while not is_empty(live):
        row = (U64(state.turn) + rounds) & SEVEN
        if state.bombs[row] != ZERO:
            fire, _exploded, hits = explode(state.bombs, row, union(blocked, items), boxes, live)
            ahead |= ((count_hits(hits) >> (U64(player) << FOUR)) & BYTE) << (rounds << THREE)
            fires = union(fires, fire)
            live = without(live, fire)
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
        rounds += ONE
    write(future.fire, fires)
    write(future.boxes, boxes)
    write(future.items, items)
    set_hits(future, ahead, weights)


@inline
def set_hits(future, hits, weights):
    future.hits = hits
    future.worth = weights.box * future_term(hits, weights)


@inline
def pass_round(future, weights):
    """One round on, nothing new."""
    set_hits(future, future.hits >> EIGHT, weights)


@inline
def add_own_bomb(state, map_, player, cell, weights, future):
    """The player just dropped a bomb on the cell; `state` is after that round."""
    if is_in(cell, future.fire[0], future.fire[1], future.fire[2]):
        foresee(state, map_, player, weights, future)
        return
    boxes, items = read(future.boxes), read(future.items)
    a, h, v = union(boxes, items)
    bomb_range = bomb_range_at(state, player)
    fire = blast(cell, bomb_range, a, h, v)
    hit = common(fire, boxes)
    set_hits(future, future.hits | count_cells(hit[0], hit[1], hit[2]) << LAST_ROUND, weights)
    write(future.fire, union(read(future.fire), fire))
    write(future.boxes, without(boxes, fire))
    write(future.items, union(without(items, fire), common(hit, contents(map_))))


@inline
def bomb_range_at(state, player):
    """The range of the bomb that the player dropped in the round before this state."""
    row = (U64(state.turn) + SEVEN) & SEVEN
    return (state.bombs[row] >> ((U64(player) << FOUR) + RANGE_SHIFT)) & BYTE


@inline
def follow_items(state, before, map_, player, weights, future):
    """Items that lay about in `before` may have been taken; `state` is what became of it."""
    taken = without(read(before.items), read(state.items))
    if not is_empty(taken):
        if is_empty(common(taken, read(future.fire))):
            write(future.items, without(read(future.items), taken))
        else:
            foresee(state, map_, player, weights, future)


@inline
def survives(state, map_, player, future):
    """is_survivable, by a look at the cell first."""
    cell = U64(state.players[player]) & BYTE
    haven = without((OPEN_A, OPEN_H, OPEN_V), read(future.fire))
    return is_in(cell, haven[0], haven[1], haven[2]) or can_get_away(state, map_, cell, haven)
