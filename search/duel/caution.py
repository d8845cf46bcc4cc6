"""Caution: no own action that is lost if a rival bombs or takes an item at the same moment.

Both sides act at once, though the tree lets us move first. What the rival does in this round touches us in two ways
only: the bomb that they drop where they stand, and the item that they take, which no longer stops a blast. An own
action is cautious if it can be survived whatever one of them does of that; rivals are credited with all that is valid.
"""

from engine.board import NEIGHBOURS, ONE, U64, ZERO, has_bit
from engine.cells import has
from engine.jit import inline, kernel
from engine.rules import ACTIONS, FIVE, legal_actions, play_round
from engine.state import cell_of
from engine.survival import is_survivable, joint
from search.common.uct import scratch_place
from search.duel.valid import valid_actions


@inline
def felt_actions(state, rival):
    """The rival's actions that differ for others: standing still, with a bomb, and the same while taking an item."""
    cell = cell_of(state.players[rival])
    moves = ONE
    for move in range(1, 5):
        if has(state.items, U64(NEIGHBOURS[cell, move])):
            moves |= ONE << U64(move)
    return legal_actions(state, rival) & (moves | moves << FIVE) | ONE


@inline
def is_cautious(tree, walk, map_, node, player, action, rival, replies):
    """Whether an own action can be survived after each of a rival's replies (ten bits)."""
    state = tree.states[scratch_place(tree)]
    for reply in range(ACTIONS):
        if has_bit(replies, reply):
            tree.states[scratch_place(tree)] = tree.states[node]
            play_round(state, map_, joint(player, action, rival, reply))
            walk.nodes += 1
            if not is_survivable(state, map_, player):
                return False
    return True


@kernel
def cautious_actions(tree, walk, map_, node, player):
    """The cautious actions of a player of ours; or those that are deadly only if a rival acts; or the valid ones."""
    state = tree.states[node]
    legal = legal_actions(state, player)
    acting = felt_actions(state, walk.rival) & ~ONE
    seconds = felt_actions(state, walk.second) & ~ONE if walk.joint else ZERO
    survivable, cautious = ZERO, ZERO
    for action in range(ACTIONS):
        bit = ONE << U64(action)
        if legal & bit != ZERO and is_cautious(tree, walk, map_, node, player, action, walk.rival, ONE):
            survivable |= bit
            if is_cautious(tree, walk, map_, node, player, action, walk.rival, acting) and is_cautious(
                tree, walk, map_, node, player, action, walk.second, seconds
            ):
                cautious |= bit
    if cautious != ZERO:
        return cautious
    return survivable if survivable != ZERO else valid_actions(state, map_, player)
