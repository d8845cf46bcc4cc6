"""Caution: no own move that is lost if the rival bombs or takes an item at the same moment.

Both sides act at once, though the tree lets us move first. What the rival does in this round touches us in two ways
only: the bomb that they drop where they stand, and the item that they take, which no longer stops a blast. An own move
is cautious if it can be survived whatever they do of that; the rival is credited with all that is valid.
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
def is_cautious(tree, walk, map_, node, action, replies):
    """Whether an own action can be survived after each of the replies (ten bits)."""
    state = tree.states[scratch_place(tree)]
    for reply in range(ACTIONS):
        if has_bit(replies, reply):
            tree.states[scratch_place(tree)] = tree.states[node]
            play_round(state, map_, joint(walk.player, action, walk.rival, reply))
            walk.nodes += 1
            if not is_survivable(state, map_, walk.player):
                return False
    return True


@kernel
def cautious_actions(tree, walk, map_, node):
    """Our cautious actions; or those that are deadly only if the rival acts; or the valid ones."""
    state = tree.states[node]
    legal = legal_actions(state, walk.player)
    acting = felt_actions(state, walk.rival) & ~ONE
    survivable, cautious = ZERO, ZERO
    for action in range(ACTIONS):
        bit = ONE << U64(action)
        if legal & bit != ZERO and is_cautious(tree, walk, map_, node, action, ONE):
            survivable |= bit
            if is_cautious(tree, walk, map_, node, action, acting):
                cautious |= bit
    if cautious != ZERO:
        return cautious
    return survivable if survivable != ZERO else valid_actions(state, map_, walk.player)
