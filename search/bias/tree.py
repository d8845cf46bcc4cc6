"""The tree of `bias` and its kernels: UCT with a fading bias over the player's actions; the others move at random.

A node is a sequence of actions, not a state: the others act differently in each walk, so every walk plays its rounds
again from the root, through the tree and on at random, to a fixed number of rounds.

    root  --- tree: equation 3 --->  new node  --- at random --->  end, `rollout` rounds from the root
     0            1 2 3 ...              k                            value, carried up to all nodes of the walk
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import entry, inline, kernel
from engine.random import next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import MAX_PLAYERS, STATE, record
from search.bias.params import BONUSES, BiasParams
from search.common.evaluate import owned_bombs, value_of
from search.common.uct import (
    LOGARITHMS,
    NO_NODE,
    WALK_FIELDS,
    carry_up,
    end_value,
    exploration,
    logarithm,
    make_decay,
    mean_of,
    pick_from,
    reward_of,
)
from search.memory import MOST_PLACES

ROOT = 0  # the node; also the place of the root's state
WALKED = 1  # the place of the walk's state
LOWEST = -1.0e9

EQUATION_2, ALGORITHM_4 = BONUSES.index("eq2"), BONUSES.index("alg4")


class BiasTree(NamedTuple):
    """The nodes of the tree; 0 is the root."""

    states: np.ndarray  # the root's, and the walk's
    child: np.ndarray  # [node, action]
    tried: np.ndarray  # [node], actions that have a child, ten bits
    visits: np.ndarray  # [node]
    total: np.ndarray  # [node], sum of values
    best: np.ndarray  # [node], highest value
    worst: np.ndarray  # [node], lowest value
    h: np.ndarray  # [node], the heuristic's opinion of the action that leads to it
    path: np.ndarray  # [depth], nodes of the current walk
    reward_decay: np.ndarray  # [round], factor of a reward
    value_decay: np.ndarray  # [depth], factor of a walk's value by the depth of its new node
    logarithms: np.ndarray


WALK = record(
    [
        *WALK_FIELDS,
        ("h", np.float64),
        ("points", np.float64),
        ("root_value", np.float64),
        ("asks_value", np.bool_),  # the heuristic is a value
        ("normalises", np.bool_),
        ("bonus", np.int64),  # of BONUSES
    ]
)


def make_tree(params: BiasParams) -> BiasTree:
    size, decay, constant = params.capacity, make_decay(params.gamma, params.rollout), make_decay(1.0, params.rollout)
    assert 2 <= size <= MOST_PLACES and params.rollout >= 1
    return BiasTree(
        states=np.zeros(2, STATE),
        child=np.zeros((size, ACTIONS), np.int32),
        tried=np.zeros(size, np.uint64),
        visits=np.zeros(size, np.int64),
        total=np.zeros(size),
        best=np.zeros(size),
        worst=np.zeros(size),
        h=np.zeros(size),
        path=np.zeros(params.rollout + 1, np.int32),
        reward_decay=decay if params.decays == "rewards" else constant,
        value_decay=decay if params.decays == "value" else constant,
        logarithms=LOGARITHMS,
    )


# The walk down


@entry
@inline
def bias(h, visits):
    """The progressive bias of a child, added to its mean; it fades with the visits."""
    return h / (1.0 + visits)


@entry
@inline
def exploitation(tree, node, child, normalises):
    """A child's mean; normalised it is 0 at the lowest value that came through the parent, 1 at the highest."""
    mean = mean_of(tree, child)
    if not normalises:
        return mean
    low, high = tree.worst[node], tree.best[node]
    return (mean - low) / (high - low) if high > low else 0.0


@inline
def bonus_of(c, log, parent_visits, visits, bonus):
    """What exploration adds to a child's mean, by one of the report's three formulas."""
    if bonus == EQUATION_2:
        return c * np.sqrt(np.float64(parent_visits)) / visits
    return exploration(c, 2.0 * log if bonus == ALGORITHM_4 else log, visits)


@inline
def best_action(tree, node, legal, walk):
    """The action that equation 3 prefers, of those that are legal in this walk and have a child."""
    log = logarithm(tree.logarithms, tree.visits[node])
    chosen, highest = ZERO, LOWEST
    for action in range(ACTIONS):
        if has_bit(legal, action):
            child = tree.child[node, action]
            visits = tree.visits[child]
            mean = exploitation(tree, node, child, walk.normalises)
            bonus = bonus_of(walk.c, log, tree.visits[node], visits, walk.bonus)
            value = mean + bonus + bias(tree.h[child], visits)
            if value > highest:
                chosen, highest = U64(action), value
    return chosen


@inline
def play(tree, walk, map_, action):
    """One round of the walk, the others moving at random; its reward."""
    player, state = walk.player, tree.states[WALKED]
    boxes, bombs = np.int64(state.scored[player]), owned_bombs(state, player)
    actions = pack(player, action)
    for other in range(MAX_PLAYERS):
        if other != player and state.players[other] != 0:
            walk.random = next_random(walk.random)
            actions |= pack(other, pick_legal(state, other, walk.random))
    play_round(state, map_, actions)
    walk.nodes += 1
    return reward_of(state, player, boxes, bombs, walk.max_bombs)


@kernel
def heuristic(state, map_, walk, weights):
    """h(s, a), computed on the state after the action: 1, or its value against the root's, from -1 to 1."""
    if not walk.asks_value:
        return walk.h
    if state.players[walk.player] == 0:
        return -walk.h
    gain = (value_of(state, map_, walk.player, weights) - walk.root_value) / walk.points
    return walk.h * min(1.0, max(-1.0, gain))


@inline
def new_node(tree, walk, h):
    """Add a node without children and return it."""
    node = walk.tree_size
    walk.tree_size += 1
    for action in range(ACTIONS):
        tree.child[node, action] = NO_NODE
    tree.tried[node] = ZERO
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.best[node] = 0.0
    tree.worst[node] = 0.0
    tree.h[node] = h
    return node


@inline
def iterate(tree, walk, map_, weights):
    """One walk down, one new node, one simulation, one walk up."""
    tree.states[WALKED] = tree.states[ROOT]
    state = tree.states[WALKED]
    node, depth, gain = 0, 0, 0.0
    tree.path[0] = 0
    is_new = False
    while depth < walk.rollout and not is_new:
        legal = legal_actions(state, walk.player)
        untried = legal & ~tree.tried[node]
        is_new = untried != ZERO
        if legal == ZERO or (is_new and walk.tree_size == tree.visits.size):
            break  # dead, or the tree is full
        if is_new:
            walk.random = next_random(walk.random)
            action = pick_from(untried, walk.random)
        else:
            action = best_action(tree, node, legal, walk)
        gain += play(tree, walk, map_, action) * tree.reward_decay[depth + 1]
        if is_new:
            tree.tried[node] |= ONE << action
            tree.child[node, action] = new_node(tree, walk, heuristic(state, map_, walk, weights))
        node = tree.child[node, action]
        depth += 1
        tree.path[depth] = node
    walk.deepest = max(walk.deepest, depth)
    value = simulate(tree, walk, map_, depth, gain) * tree.value_decay[depth]
    carry_up(tree, depth, value)
    note_worst(tree, depth, value)
    walk.iterations += 1


@inline
def note_worst(tree, length, value):
    """Keep the lowest value of every node of the walk, after it was carried up."""
    for k in range(length + 1):
        at = tree.path[k]
        tree.worst[at] = value if tree.visits[at] == 1 else min(tree.worst[at], value)


@inline
def simulate(tree, walk, map_, depth, gain):
    """Play on at random from the new node; the value of the end."""
    state = tree.states[WALKED]
    for k in range(depth, walk.rollout):
        if state.players[walk.player] == 0:
            break
        walk.random = next_random(walk.random)
        gain += play(tree, walk, map_, pick_legal(state, walk.player, walk.random)) * tree.reward_decay[k + 1]
    return end_value(state, walk, gain)


@entry
def begin(tree, walk, map_, state, weights):
    """Start afresh from a state."""
    walk.nodes = 0
    walk.tree_size = 0
    walk.iterations = 0
    walk.deepest = 0
    tree.states[ROOT] = state
    walk.root_value = value_of(state, map_, walk.player, weights) if walk.asks_value else 0.0
    new_node(tree, walk, 0.0)


@entry
def advance(tree, walk, map_, weights, limit, iterations):
    """Iterate until `limit` nodes are spent or so many iterations made (checked before each)."""
    while walk.nodes < limit and walk.iterations < iterations:
        before = walk.nodes
        iterate(tree, walk, map_, weights)
        walk.nodes = max(walk.nodes, before + 1)  # nothing to play: still an end
