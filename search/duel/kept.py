"""The tree kept from turn to turn: what grew below the position that came about becomes the tree of the next turn.

What grows below a node doesn't depend on what is beside it (see tree.py), so without shared positions the kept tree
is exactly the one that a fresh search would have made with `spent[root]` nodes: these are saved.
"""

import numpy as np

from engine.jit import entry, inline
from engine.rules import ACTIONS
from search.common.uct import NO_NODE
from search.duel.team import ALONE
from search.duel.tree import NOTHING, key_of, remember_all


@entry
def find_position(tree, walk, state):
    """The node of a state one round below the root, or NO_NODE."""
    key = key_of(state)
    for number in range(ACTIONS):
        pending = tree.child[walk.root, number]
        if pending == NO_NODE:
            continue
        for reply in range(ACTIONS):
            node = tree.child[pending, reply]
            if node != NO_NODE and tree.key[node] == key:
                return np.int64(node)
    return NO_NODE


@inline
def mark_below(tree, walk, root):
    """Set `moved` for the nodes that can be reached from a node, which is one of them."""
    for node in range(walk.tree_size):
        tree.moved[node] = NO_NODE
    tree.moved[root] = root
    tree.stack[0] = root
    waiting = 1
    while waiting:
        waiting -= 1
        node = tree.stack[waiting]
        for action in range(ACTIONS):
            child = tree.child[node, action]
            if child != NO_NODE and tree.moved[child] == NO_NODE:
                tree.moved[child] = child
                tree.stack[waiting] = child
                waiting += 1


@inline
def move_node(tree, node, to):
    """Copy all of a node but its children, who move too."""
    tree.states[to] = tree.states[node]
    tree.pending[to] = tree.pending[node]
    tree.actions[to] = tree.actions[node]
    for number in range(ALONE):
        tree.moves[to, number] = tree.moves[node, number]
    tree.untried[to] = tree.untried[node]
    tree.visits[to] = tree.visits[node]
    tree.total[to] = tree.total[node]
    tree.spent[to] = tree.spent[node]
    tree.key[to] = tree.key[node]
    tree.random[to] = tree.random[node]
    for number in range(ACTIONS):
        child = tree.child[node, number]
        tree.child[to, number] = child


@entry
def keep_below(tree, walk, root):
    """Keep what can be reached from a node, which becomes the root; forget the rest."""
    mark_below(tree, walk, root)
    size = 0
    for node in range(walk.tree_size):  # in order, so that nobody moves onto one who is still to move
        if tree.moved[node] != NO_NODE:
            tree.moved[node] = size
            if size != node:
                move_node(tree, node, size)
            size += 1
    walk.tree_size = size
    walk.root = tree.moved[root]
    walk.deepest = 0
    for node in range(size):
        for action in range(ACTIONS):
            child = tree.child[node, action]
            if child != NO_NODE:
                tree.child[node, action] = tree.moved[child]
        if tree.pending[node] == NOTHING:
            rounds = np.int64(tree.states[node].turn) - np.int64(tree.states[walk.root].turn)
            walk.deepest = max(walk.deepest, rounds)
    if walk.share:
        remember_all(tree, walk)
