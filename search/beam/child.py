"""What the own action makes of a base: the own player, the own bomb, the item taken."""

from engine.board import U64
from engine.cells import add, has, remove
from engine.jit import inline
from engine.rules import BOMB, FIVE
from engine.state import ONE_BOMB, ONE_RANGE, cell_of, dropped_by, row_in, slot_of

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
    """Complete a copy of a base by the own action that makes the packed player `after` out of `me`."""
    if drops:
        drop_bomb(child, player, me)
    if cell_of(after) != cell_of(me):
        remove(child.items, cell_of(after))
    child.players[player] = after
