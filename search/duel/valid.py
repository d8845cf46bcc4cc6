"""Valid actions: legal ones that don't end where a known bomb burns in the very next round.

That is the collision of this game. Who has no valid action takes any legal one; a dead player stands still.
"""

from engine.board import NEIGHBOURS, ONE, OPEN_A, OPEN_H, OPEN_V, SEVEN, U64, ZERO, is_in
from engine.jit import inline, kernel
from engine.random import PICKS, SHARES, below
from engine.rules import FIVE, can_drop, legal_moves
from engine.state import BYTE
from engine.survival import burn_away, explode, read, union, without


@kernel
def fire_ahead(state, map_):
    """The fire of the next round but this, which is that of the cells walked to now: three words."""
    row = U64(state.turn) & SEVEN
    due = (row + ONE) & SEVEN
    if state.bombs[due] == ZERO:
        return ZERO, ZERO, ZERO
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = without(without(blocked, boxes), (~OPEN_A, ~OPEN_H, ~OPEN_V))
    if state.bombs[row] != ZERO:
        fire, _exploded, _hits = explode(state.bombs, row, union(blocked, items), boxes, live)
        live = without(live, fire)
        blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    fire, _exploded, _hits = explode(state.bombs, due, union(blocked, items), boxes, live)
    return fire


@inline
def valid_moves(state, cell, fire):
    """Five bits: the legal moves that don't end in the fire, or all if they do."""
    legal = legal_moves(state, cell)
    if fire[0] | fire[1] | fire[2] == ZERO:
        return legal
    valid = legal
    for move in range(5):
        if is_in(U64(NEIGHBOURS[cell, move]), fire[0], fire[1], fire[2]):
            valid &= ~(ONE << U64(move))
    return valid if valid != ZERO else legal


@inline
def valid_actions(state, map_, player):
    """Ten bits; standing still for a dead player."""
    me = U64(state.players[player])
    if me == ZERO:
        return ONE
    moves = valid_moves(state, me & BYTE, fire_ahead(state, map_))
    return moves | (moves << FIVE) * can_drop(state, me)


@inline
def pick_valid(state, player, fire, random):
    """A valid action, all equally likely."""
    me = U64(state.players[player])
    if me == ZERO:
        return ZERO
    move = U64(PICKS[valid_moves(state, me & BYTE, fire), below(random, SHARES)])
    return move + FIVE * (can_drop(state, me) & random)
