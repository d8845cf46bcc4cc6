"""The tree of `mcts` and its kernels: a walk down by UCT, a new node, a random simulation, its value carried up."""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, ZERO
from engine.jit import entry, inline
from engine.random import next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import MAX_TURNS, STATE, record
from search.common.evaluate import owned_bombs
from search.common.uct import (
    LOGARITHMS,
    NO_NODE,
    WALK_FIELDS,
    best_child,
    carry_up,
    end_value,
    make_decay,
    pick_from,
    reward_of,
    scratch_place,
)
from search.mcts.params import MctsParams
from search.memory import MOST_PLACES

MAX_DEPTH = MAX_TURNS


class MctsTree(NamedTuple):
    """The nodes of the tree; 0 is the root."""

    states: np.ndarray  # [node]; the last is scratch for simulations
    child: np.ndarray  # [node, action]
    untried: np.ndarray  # [node], actions without a child yet, ten bits
    visits: np.ndarray  # [node]
    total: np.ndarray  # [node], sum of values
    best: np.ndarray  # [node], highest value
    gain: np.ndarray  # [node], discounted rewards on the way from the root
    action: np.ndarray  # [node], by which it was reached
    path: np.ndarray  # [depth], nodes of the current walk
    line: np.ndarray  # [depth], the player's actions of the current walk and its simulation
    best_line: np.ndarray  # [depth], those of the simulation of highest value
    other_actions: np.ndarray  # [depth], packed, of the other players
    decay: np.ndarray  # [round], gamma^r
    logarithms: np.ndarray


WALK = record(
    [
        *WALK_FIELDS,
        ("max_depth", np.int64),
        ("horizon", np.int64),  # rounds from the root to the end of a simulation
        ("line_length", np.int64),
        ("best_length", np.int64),
    ]
)


def make_tree(params: MctsParams, other_actions: np.ndarray) -> MctsTree:
    size = params.capacity
    assert 2 <= size <= MOST_PLACES and params.rollout >= 0 and len(other_actions) > MAX_DEPTH
    return MctsTree(
        states=np.zeros(size + 1, STATE),
        child=np.zeros((size, ACTIONS), np.int32),
        untried=np.zeros(size, np.uint64),
        visits=np.zeros(size, np.int64),
        total=np.zeros(size),
        best=np.zeros(size),
        gain=np.zeros(size),
        action=np.zeros(size, np.uint8),
        path=np.zeros(MAX_DEPTH + 1, np.int32),
        line=np.zeros(MAX_DEPTH + params.rollout, np.uint8),
        best_line=np.zeros(MAX_DEPTH + params.rollout, np.uint8),
        other_actions=other_actions,
        decay=make_decay(params.gamma, MAX_DEPTH + params.rollout + 1),
        logarithms=LOGARITHMS,
    )


@inline
def new_node(tree, walk, state, gain, depth):
    """Add a node for a state and return it."""
    node = walk.tree_size
    walk.tree_size += 1
    tree.states[node] = state
    for action in range(ACTIONS):
        tree.child[node, action] = NO_NODE
    tree.untried[node] = legal_actions(state, walk.player) if depth < walk.max_depth else ZERO
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.best[node] = 0.0
    tree.gain[node] = gain
    return node


@inline
def simulate(tree, walk, map_, depth, gain):
    """Play on at random from the scratch state; the value of the end."""
    player = walk.player
    state = tree.states[scratch_place(tree)]
    walk.line_length = depth
    for r in range(min(walk.rollout, walk.max_depth - depth)):
        if state.players[player] == 0:
            return walk.dead
        boxes, bombs = np.int64(state.scored[player]), owned_bombs(state, player)
        walk.random = next_random(walk.random)
        at = depth + r
        others = tree.other_actions[at] if at < tree.other_actions.size else ZERO
        action = pick_legal(state, player, walk.random)
        tree.line[at] = action
        walk.line_length = at + 1
        play_round(state, map_, others | pack(player, action))
        walk.nodes += 1
        gain += tree.decay[at + 1] * reward_of(state, player, boxes, bombs, walk.max_bombs)
    return end_value(state, walk, gain)


@inline
def keep_line(tree, walk):
    """The current line is the best so far."""
    walk.best_length = walk.line_length
    for k in range(walk.line_length):
        tree.best_line[k] = tree.line[k]


@inline
def iterate(tree, walk, map_):
    """One walk down, one new node, one simulation, one walk up."""
    player = walk.player
    node, depth = 0, 0
    tree.path[0] = 0
    while tree.untried[node] == ZERO:
        child = best_child(tree, node, walk.c)
        if child == NO_NODE:
            break
        node = child
        tree.line[depth] = tree.action[node]
        depth += 1
        tree.path[depth] = node
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    gain = tree.gain[node]
    if tree.untried[node] != ZERO and walk.tree_size < tree.child.shape[0]:
        walk.random = next_random(walk.random)
        action = pick_from(tree.untried[node], walk.random)
        tree.untried[node] &= ~(ONE << action)
        boxes, bombs = np.int64(state.scored[player]), owned_bombs(state, player)
        play_round(state, map_, tree.other_actions[depth] | pack(player, action))
        walk.nodes += 1
        tree.line[depth] = action
        depth += 1
        gain += tree.decay[depth] * reward_of(state, player, boxes, bombs, walk.max_bombs)
        child = new_node(tree, walk, state, gain, depth)
        tree.child[node, action] = child
        tree.action[child] = action
        tree.path[depth] = child
        walk.deepest = max(walk.deepest, depth)
    value = simulate(tree, walk, map_, depth, gain)
    if walk.iterations == 0 or value > tree.best[0]:
        keep_line(tree, walk)
    carry_up(tree, depth, value)
    walk.iterations += 1


@entry
def begin(tree, walk, state, roots):
    """Start afresh from a state; `roots` are the first actions to try, 0 = all."""
    walk.nodes = 0
    walk.tree_size = 0
    walk.iterations = 0
    walk.deepest = 0
    walk.best_length = 0
    root = new_node(tree, walk, state, 0.0, 0)
    if roots != ZERO:
        tree.untried[root] &= roots


@entry
def advance(tree, walk, map_, limit):
    """Iterate until `limit` nodes are spent (checked before each iteration)."""
    while walk.nodes < limit:
        before = walk.nodes
        iterate(tree, walk, map_)
        walk.nodes = max(walk.nodes, before + 1)  # every move dead at once: still an end
