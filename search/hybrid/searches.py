"""The searches: breadth-first, Monte Carlo tree search, and the flat Monte Carlo search that builds no tree.

    fmcs   all first moves are played once; then again and again one of them is chosen (at random, by UCB1, by its
           exploitation or its exploration term alone) and played on at random; its own score is the first of its mean
    mcts   down by UCB1, one new node, a simulation, its score up
    bfs    node after node, level after level, each scored once; the best of the frontier tells the move

Each `advance` works until `limit` nodes are spent, checked before each piece of work.
"""

import numpy as np

from engine.board import ZERO, has_bit
from engine.jit import entry, inline
from engine.playing.random import below, next_random
from engine.rules import ACTIONS
from search.common.uct import NO_NODE, pick_from
from search.hybrid.scores import score_of
from search.hybrid.tree import (
    EXPLOIT,
    RANDOM,
    UCB1,
    best_child,
    is_full,
    note,
    simulate,
    try_action,
)

# Flat


@inline
def expand(tree, search, map_, node):
    """Play all untried actions of a node and score what is not deadly."""
    for action in range(ACTIONS):
        if has_bit(tree.untried[node], action) and not is_full(tree, search):
            child = try_action(tree, search, map_, node, action)
            if child != NO_NODE:
                score = score_of(tree.states[child], search.player, search.rival, search, tree.areas)
                note(tree, child, score)


@inline
def select(tree, search):
    """A child of the root by the selection of the search."""
    if search.selection == RANDOM:
        search.random = next_random(search.random)
        return 1 + np.int64(below(search.random, search.tree_size - 1))
    return best_child(tree, 0, search.c, search.selection)


@entry
def advance_flat(tree, search, map_, limit):
    if search.tree_size == 1 and search.nodes < limit:
        expand(tree, search, map_, 0)
        tree.visits[0] = search.tree_size - 1
        search.finished = search.tree_size == 1
    while search.nodes < limit and not search.finished:
        child = select(tree, search)
        note(tree, child, simulate(tree, search, map_, child))
        tree.visits[0] += 1
        search.iterations += 1


# Tree


@inline
def walk_down(tree, search):
    """The node where untried actions, or nothing, follow."""
    node = 0
    while tree.untried[node] == ZERO:
        child = best_child(tree, node, search.c, UCB1)
        if child == NO_NODE:
            break
        node = child
    return node


@inline
def iterate(tree, search, map_):
    """One walk down, one new node, one simulation, one walk up. Every node that only deadly moves leave counts dead."""
    node = walk_down(tree, search)
    if tree.untried[node] != ZERO and not is_full(tree, search):
        search.random = next_random(search.random)
        action = np.int64(pick_from(tree.untried[node], search.random))
        child = try_action(tree, search, map_, node, action)
        if child == NO_NODE:
            return
        node = child
    is_lost = tree.untried[node] == ZERO and tree.depth[node] < search.max_depth
    score = search.dead if is_lost else simulate(tree, search, map_, node)
    while node != NO_NODE:
        note(tree, node, score)
        node = np.int64(tree.parent[node])
    search.iterations += 1


@entry
def advance_tree(tree, search, map_, limit):
    while search.nodes < limit and not search.finished:
        before = search.nodes
        iterate(tree, search, map_)
        search.nodes = max(search.nodes, before + 1)  # a lost node is not stepped: still an end
        search.finished = tree.untried[0] == ZERO and search.tree_size == 1


# Breadth


@entry
def advance_breadth(tree, search, map_, limit):
    while search.nodes < limit and not search.finished:
        expand(tree, search, map_, search.head)
        search.head += 1
        search.iterations += 1
        search.finished = search.head == search.tree_size or is_full(tree, search)


@entry
def best_of_frontier(tree, search):
    """The unexpanded node of highest score, the first of equals; without any, of the deepest; NO_NODE if none."""
    first = search.head
    if first == search.tree_size:
        first = 1
        while first < search.tree_size and tree.depth[first] < tree.depth[search.tree_size - 1]:
            first += 1
    chosen = NO_NODE
    for node in range(max(first, 1), search.tree_size):
        if chosen == NO_NODE or tree.total[node] > tree.total[chosen]:
            chosen = node
    return chosen


@entry
def best_mean(tree, node):
    """The child of highest mean score; NO_NODE without children."""
    return best_child(tree, node, 0.0, EXPLOIT)
