"""Caution: no own move that is lost if he bombs or takes an item at the same moment.

Both sides act at once, though the tree lets us move first. What he does in this round touches us in two ways only:
the bomb that he drops where he stands, and the item that he takes, which no longer stops a blast. An own move is
cautious if it can be survived whatever he does of that; he himself is credited with all that is valid.
"""

from engine.board import NEIGHBOURS, ONE, U64, ZERO
from engine.jit import inline, kernel
from engine.rules import ACTIONS, FIVE, has, legal_actions, play_round
from engine.state import BYTE
from engine.survival import is_survivable, joint
from search.duel.valid import valid_actions


@inline
def threats(state, enemy):
    """His actions that differ for others: standing still, with a bomb, and the same while taking an item."""
    cell = U64(state.players[enemy]) & BYTE
    moves = ONE
    for move in range(1, 5):
        if has(state.items, U64(NEIGHBOURS[cell, move])):
            moves |= ONE << U64(move)
    return legal_actions(state, enemy) & (moves | moves << FIVE) | ONE


@inline
def is_cautious(tree, walk, map_, node, action, replies):
    """Whether an own action can be survived after each of the replies (ten bits)."""
    room = tree.states[tree.states.size - 1]
    for reply in range(ACTIONS):
        if (replies >> U64(reply)) & ONE != ZERO:
            tree.states[tree.states.size - 1] = tree.states[node]
            play_round(room, map_, joint(walk.player, action, walk.enemy, reply))
            walk.nodes += 1
            if not is_survivable(room, map_, walk.player):
                return False
    return True


@kernel
def cautious_actions(tree, walk, map_, node):
    """Our cautious actions; or those that he must act to make deadly; or the valid ones."""
    state = tree.states[node]
    legal = legal_actions(state, walk.player)
    acting = threats(state, walk.enemy) & ~ONE
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
