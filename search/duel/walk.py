"""One walk of the search: down by UCT, one new node, a simulation, and up with the score negated at every node.

A node is first simulated when it is made, the root too; its actions are looked for when a walk stops there again.
"""

import numpy as np

from engine.board import ONE, U64, ZERO
from engine.jit import entry, inline, kernel
from engine.random import next_random
from engine.rules import pack, play_round
from search.common.uct import NO_NODE, best_child, pick_from, scratch_place
from search.duel.caution import cautious_actions
from search.duel.score import is_over, score
from search.duel.tree import NOTHING, UNOPENED, key_of, leave_out_losses, new_node, remember_all, slot_of, team_moves
from search.duel.valid import fire_ahead, pick_valid, valid_actions


@inline
def pick_move(state, walk, player, mate, fire, random):
    """Random valid actions of a side, packed, and the random numbers' new state."""
    random = next_random(random)
    move = pack(player, pick_valid(state, player, fire, random))
    if walk.joint:
        random = next_random(random)
        move |= pack(mate, pick_valid(state, mate, fire, random))
    return move, random


@kernel
def simulate(tree, walk, map_, node):
    """The score after 12 rounds of random valid actions from a node; a pending move is replied to first."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    random = tree.random[node]
    if tree.pending[node] != NOTHING:
        reply, random = pick_move(state, walk, walk.rival, walk.second, fire_ahead(state, map_), random)
        play_round(state, map_, tree.actions[node] | reply)
        walk.nodes += 1
    for _ in range(walk.rounds):
        if is_over(state, walk):
            break
        fire = fire_ahead(state, map_)
        move, random = pick_move(state, walk, walk.player, walk.mate, fire, random)
        reply, random = pick_move(state, walk, walk.rival, walk.second, fire, random)
        play_round(state, map_, move | reply)
        walk.nodes += 1
    tree.random[node] = random
    return score(state, walk)


@inline
def actions_of(tree, walk, map_, node, player):
    """What a player of the side to move may do: of ours, if they are cautious, what a rival can't make a loss of."""
    if walk.caution and tree.pending[node] == NOTHING:
        return cautious_actions(tree, walk, map_, node, player)
    return valid_actions(tree.states[node], map_, player)


@inline
def open_node(tree, walk, map_, node):
    """Look for the moves of the side to move."""
    is_ours = tree.pending[node] == NOTHING
    first, second = (walk.player, walk.mate) if is_ours else (walk.rival, walk.second)
    if is_over(tree.states[node], walk):
        tree.untried[node] = ZERO
        return
    actions = actions_of(tree, walk, map_, node, first)
    if walk.joint:
        others = actions_of(tree, walk, map_, node, second)
        actions = team_moves(tree, walk, map_, node, first, second, actions, others)
        if is_ours and walk.caution:
            actions = leave_out_losses(tree, walk, map_, node, actions)
    tree.untried[node] = actions


@inline
def packed_move(tree, walk, node, number, player):
    """A move of the side to move, of which this is the player or the first of two."""
    return U64(tree.moves[node, number]) if walk.joint else pack(player, number)


@inline
def reply_with(tree, walk, map_, node, reply):
    """The node after the rival's reply: one step, and a new node unless the position is known."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, tree.actions[node] | packed_move(tree, walk, node, reply, walk.rival))
    walk.nodes += 1
    key = key_of(state)
    walk.deepest = max(walk.deepest, np.int64(state.turn) - np.int64(tree.states[walk.root].turn))
    if not walk.share:
        return new_node(tree, walk, state, key, NOTHING, ZERO)
    slot = slot_of(tree, key)
    if tree.table[slot] == NO_NODE:
        tree.table[slot] = new_node(tree, walk, state, key, NOTHING, ZERO)
    else:
        walk.shared += 1
    return np.int64(tree.table[slot])


@inline
def grow(tree, walk, map_, node):
    """The child of one of the untried moves, at random."""
    tree.random[node] = next_random(tree.random[node])
    number = pick_from(tree.untried[node], tree.random[node])
    tree.untried[node] &= ~(ONE << number)
    if tree.pending[node] == NOTHING:
        actions = packed_move(tree, walk, node, number, walk.player)
        child = new_node(tree, walk, tree.states[node], tree.key[node], np.int64(number), actions)
    else:
        child = reply_with(tree, walk, map_, node, number)
    tree.child[node, number] = child
    return child


@inline
def carry_up(tree, walk, plies, points, began, reached):
    """Add a simulation to the nodes of the walk, negated from one to the next.

    `began` and `reached` are the nodes of the budget when the walk began and when it reached its last node.
    """
    for ply in range(plies + 1):
        at = tree.path[ply]
        tree.visits[at] += 1
        tree.total[at] += points if ply & 1 else -points
        tree.spent[at] += walk.nodes - (began if ply < plies else reached)


@inline
def iterate(tree, walk, map_):
    """One walk down, one new node, one simulation, one walk up."""
    node, plies, began = walk.root, 0, walk.nodes
    tree.path[0] = node
    while tree.untried[node] == ZERO:
        child = best_child(tree, node, walk.c)
        if child == NO_NODE:
            break
        node = np.int64(child)
        plies += 1
        tree.path[plies] = node
    reached = began
    if tree.visits[node] > 0:
        if tree.untried[node] == UNOPENED:
            open_node(tree, walk, map_, node)
        if tree.untried[node] != ZERO and walk.tree_size < tree.child.shape[0]:
            node = grow(tree, walk, map_, node)
            plies += 1
            tree.path[plies] = node
            reached = walk.nodes
    points = simulate(tree, walk, map_, node)
    if walk.nodes == began:
        walk.nodes += 1  # a position where all is over: still an end
    carry_up(tree, walk, plies, points, began, reached)
    walk.iterations += 1


@entry
def begin(tree, walk, state):
    """Start afresh from a state."""
    walk.tree_size = 0
    walk.deepest = 0
    walk.root = new_node(tree, walk, state, key_of(state), NOTHING, ZERO)
    if walk.share:
        remember_all(tree, walk)


@entry
def advance(tree, walk, map_, limit):
    """Iterate until `limit` nodes are spent (checked before each iteration)."""
    while walk.nodes < limit:
        iterate(tree, walk, map_)
