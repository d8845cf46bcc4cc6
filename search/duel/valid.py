"""Valid actions: legal ones that don't end where a known bomb burns in the very next round.

That is the collision of this game. A player without a valid action takes any legal one; a dead player stands still.
"""

from engine.blast import burn_away, due_in, explode
from engine.board import NEIGHBOURS, ONE, U64, ZERO
from engine.cells import NOTHING, has, is_empty, read, union
from engine.instructions import occupied
from engine.jit import inline, kernel
from engine.random import PICKS, SHARES, below
from engine.rules import FIVE, can_drop, legal_moves
from engine.state import cell_of, row_in


@kernel
def fire_ahead(state, map_):
    """The fire of the round after the coming one, which burns those who walk into it now: a set of cells."""
    row, due = row_in(state, 0), row_in(state, 1)
    if state.bombs[due] == ZERO:
        return NOTHING
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = occupied(state.bombs)
    if state.bombs[row] != ZERO:
        fire, live, _hits = explode(state.bombs, due_in(live, row), live, union(blocked, items), boxes)
        blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    fire, _live, _hits = explode(state.bombs, due_in(live, due), live, union(blocked, items), boxes)
    return fire


@inline
def valid_moves(state, cell, fire):
    """Five bits: the legal moves that don't end in the fire, or all if they do."""
    legal = legal_moves(state, cell)
    if is_empty(fire):
        return legal
    valid = legal
    for move in range(5):
        if has(fire, U64(NEIGHBOURS[cell, move])):
            valid &= ~(ONE << U64(move))
    return valid if valid != ZERO else legal


@inline
def valid_actions(state, map_, player):
    """Ten bits; standing still for a dead player."""
    me = U64(state.players[player])
    if me == ZERO:
        return ONE
    moves = valid_moves(state, cell_of(me), fire_ahead(state, map_))
    return moves | (moves << FIVE) * can_drop(state, me)


@inline
def pick_valid(state, player, fire, random):
    """A valid action, all equally likely."""
    me = U64(state.players[player])
    if me == ZERO:
        return ZERO
    move = U64(PICKS[valid_moves(state, cell_of(me), fire), below(random, SHARES)])
    return move + FIVE * (can_drop(state, me) & random)
