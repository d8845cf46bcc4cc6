"""One walk of the search: down by UCT, one new node, a simulation, and up with the score negated at every node.

A node is first simulated when it is made, the root too; its actions are looked for when a walk stops there again.
"""

import numpy as np

from engine.board import ONE, ZERO
from engine.jit import entry, inline, kernel
from engine.playing.random import next_random
from engine.rules import play_round
from engine.survival import joint
from search.common.uct import NO_NODE, best_child, pick_from, scratch_place
from search.duel.caution import cautious_actions
from search.duel.score import is_over, score
from search.duel.tree import NOTHING, UNOPENED, key_of, new_node, remember_all, slot_of
from search.duel.valid import fire_ahead, pick_valid, valid_actions


@kernel
def simulate(tree, walk, map_, node):
    """The score after 12 rounds of random valid actions from a node; a pending action is replied to first."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    random = tree.random[node]
    if tree.pending[node] != NOTHING:
        random = next_random(random)
        reply = pick_valid(state, walk.rival, fire_ahead(state, map_), random)
        play_round(state, map_, joint(walk.player, tree.pending[node], walk.rival, reply))
        walk.nodes += 1
    for _ in range(walk.rounds):
        if is_over(state, walk):
            break
        fire = fire_ahead(state, map_)
        random = next_random(random)
        action = pick_valid(state, walk.player, fire, random)
        random = next_random(random)
        reply = pick_valid(state, walk.rival, fire, random)
        play_round(state, map_, joint(walk.player, action, walk.rival, reply))
        walk.nodes += 1
    tree.random[node] = random
    return score(state, walk)


@inline
def open_node(tree, walk, map_, node):
    """Look for the actions of the side to move."""
    state = tree.states[node]
    if is_over(state, walk):
        tree.untried[node] = ZERO
    elif tree.pending[node] != NOTHING:
        tree.untried[node] = valid_actions(state, map_, walk.rival)
    elif walk.caution:
        tree.untried[node] = cautious_actions(tree, walk, map_, node)
    else:
        tree.untried[node] = valid_actions(state, map_, walk.player)


@inline
def reply_with(tree, walk, map_, node, reply):
    """The node after the rival's reply: one step, and a new node unless the position is known."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, joint(walk.player, tree.pending[node], walk.rival, reply))
    walk.nodes += 1
    key = key_of(state)
    walk.deepest = max(walk.deepest, np.int64(state.turn) - np.int64(tree.states[walk.root].turn))
    if not walk.share:
        return new_node(tree, walk, state, key, NOTHING)
    slot = slot_of(tree, key)
    if tree.table[slot] == NO_NODE:
        tree.table[slot] = new_node(tree, walk, state, key, NOTHING)
    else:
        walk.shared += 1
    return np.int64(tree.table[slot])


@inline
def grow(tree, walk, map_, node):
    """The child of one of the untried actions, at random."""
    tree.random[node] = next_random(tree.random[node])
    action = pick_from(tree.untried[node], tree.random[node])
    tree.untried[node] &= ~(ONE << action)
    if tree.pending[node] == NOTHING:
        child = new_node(tree, walk, tree.states[node], tree.key[node], np.int64(action))
    else:
        child = reply_with(tree, walk, map_, node, action)
    tree.child[node, action] = child
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
    walk.root = new_node(tree, walk, state, key_of(state), NOTHING)
    if walk.share:
        remember_all(tree, walk)


@entry
def advance(tree, walk, map_, limit):
    """Iterate until `limit` nodes are spent (checked before each iteration)."""
    while walk.nodes < limit:
        iterate(tree, walk, map_)
