"""The searches: breadth-first, Monte Carlo tree search, and the flat Monte Carlo search that builds no tree.

    fmcs   all first moves are played once; then again and again one of them is chosen (at random, by UCB1, by its
           exploitation or its exploration term alone) and played on at random; its own score is the first of its mean
    mcts   down by UCB1, one new node, a simulation, its score up
    bfs    node after node, level after level, each scored once; the best of the frontier tells the move

Each `advance` works until `limit` nodes were made, looked at before each piece of work.
"""

import numpy as np

from engine.board import ONE, U64, ZERO
from engine.jit import inline, kernel
from engine.random import below, next_random
from engine.rules import ACTIONS
from search.common.uct import NO_NODE, pick_from
from search.hybrid.nodes import (
    EXPLOIT,
    RANDOM,
    UCB1,
    best_child,
    is_full,
    note,
    simulate,
    try_action,
)
from search.hybrid.scores import score_of

# Flat


@inline
def expand(nodes, search, map_, node):
    """Play all untried actions of a node and score what is not deadly."""
    for action in range(ACTIONS):
        if (nodes.untried[node] >> U64(action)) & ONE != ZERO and not is_full(nodes, search):
            child = try_action(nodes, search, map_, node, action)
            if child != NO_NODE:
                score = score_of(nodes.states[child], search.player, search.target, search, nodes.areas)
                note(nodes, child, score)


@inline
def select(nodes, search):
    """A child of the root by the selection of the search."""
    if search.selection == RANDOM:
        search.random = next_random(search.random)
        return 1 + np.int64(below(search.random, search.held - 1))
    return best_child(nodes, 0, search.c, search.selection)


@kernel
def advance_flat(nodes, search, map_, limit):
    if search.held == 1 and search.nodes < limit:
        expand(nodes, search, map_, 0)
        nodes.visits[0] = search.held - 1
        search.finished = search.held == 1
    while search.nodes < limit and not search.finished:
        child = select(nodes, search)
        note(nodes, child, simulate(nodes, search, map_, child))
        nodes.visits[0] += 1
        search.iterations += 1


# Tree


@inline
def walk_down(nodes, search):
    """The node where untried actions, or nothing, follow."""
    node = 0
    while nodes.untried[node] == ZERO:
        child = best_child(nodes, node, search.c, UCB1)
        if child == NO_NODE:
            break
        node = child
    return node


@inline
def iterate(nodes, search, map_):
    """One walk down, one new node, one simulation, one walk up. Every node that only deadly moves leave counts dead."""
    node = walk_down(nodes, search)
    if nodes.untried[node] != ZERO and not is_full(nodes, search):
        search.random = next_random(search.random)
        action = np.int64(pick_from(nodes.untried[node], search.random))
        child = try_action(nodes, search, map_, node, action)
        if child == NO_NODE:
            return
        node = child
    is_lost = nodes.untried[node] == ZERO and nodes.depth[node] < search.max_depth
    score = search.dead if is_lost else simulate(nodes, search, map_, node)
    while node != NO_NODE:
        note(nodes, node, score)
        node = np.int64(nodes.parent[node])
    search.iterations += 1


@kernel
def advance_tree(nodes, search, map_, limit):
    while search.nodes < limit and not search.finished:
        before = search.nodes
        iterate(nodes, search, map_)
        search.nodes = max(search.nodes, before + 1)  # a lost node is not stepped: still an end
        search.finished = nodes.untried[0] == ZERO and search.held == 1


# Breadth


@kernel
def advance_breadth(nodes, search, map_, limit):
    while search.nodes < limit and not search.finished:
        expand(nodes, search, map_, search.head)
        search.head += 1
        search.iterations += 1
        search.finished = search.head == search.held or is_full(nodes, search)


@kernel
def best_of_frontier(nodes, search):
    """The unexpanded node of highest score, the first of equals; without any, of the deepest; NO_NODE if none."""
    first = search.head
    if first == search.held:
        first = 1
        while first < search.held and nodes.depth[first] < nodes.depth[search.held - 1]:
            first += 1
    chosen = NO_NODE
    for node in range(max(first, 1), search.held):
        if chosen == NO_NODE or nodes.total[node] > nodes.total[chosen]:
            chosen = node
    return chosen


@kernel
def best_mean(nodes, node):
    """The child of highest mean score; NO_NODE without children."""
    return best_child(nodes, node, 0.0, EXPLOIT)
