"""Single-player Monte Carlo tree search, as the paper's section 6.1 has it.

The tree is of own actions only; the opponents follow their predicted plans. Each iteration walks down by UCT, adds
one node, plays on at random for 15 rounds and carries the value up: the mean steers the walk, the maximum chooses
the move.

    value = 1/400 (sum over rounds r from the root of reward_r * 50 * 0.98^r + 200 - distance to all boxes), 0 if dead
    reward_r = boxes destroyed in round r, and 1 for another bomb while fewer than 4
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, TWO, U64, ZERO
from engine.jit import inline, kernel
from engine.random import next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import MAX_TURNS, STATE, record
from search.clock import Stage, Timer
from search.common.evaluate import bombs_of
from search.common.logarithm import LOGARITHMS
from search.common.planning import ALL_ROOTS, Line, PlanningAgent
from search.common.uct import (
    NO_NODE,
    REWARD_FIELDS,
    best_child,
    carry_up,
    end_value,
    make_decay,
    pick_from,
    reward_of,
    set_reward,
)
from search.params import MctsParams

MAX_DEPTH = MAX_TURNS


class Tree(NamedTuple):
    """The nodes of the tree; 0 is the root."""

    states: np.ndarray  # [node]; the last is room for simulations
    child: np.ndarray  # [node, action]
    untried: np.ndarray  # [node], actions without a child yet, ten bits
    visits: np.ndarray  # [node]
    total: np.ndarray  # [node], sum of values
    best: np.ndarray  # [node], highest value
    gain: np.ndarray  # [node], discounted rewards on the way from the root
    path: np.ndarray  # [depth], nodes of the current walk
    others: np.ndarray  # [depth], packed actions of the other players
    decay: np.ndarray  # [round], gamma^r
    logarithms: np.ndarray


WALK = record(
    [
        ("player", np.int64),
        ("nodes", np.int64),  # calls of step
        ("held", np.int64),  # nodes of the tree
        ("iterations", np.int64),
        ("max_depth", np.int64),
        ("deepest", np.int64),
        ("random", np.uint64),
        ("rollout", np.int64),
        ("c", np.float64),
        *REWARD_FIELDS,
    ]
)


def make_tree(params: MctsParams, others: np.ndarray) -> Tree:
    size = params.capacity
    return Tree(
        states=np.zeros(size + 1, STATE),
        child=np.zeros((size, ACTIONS), np.int32),
        untried=np.zeros(size, np.uint64),
        visits=np.zeros(size, np.int64),
        total=np.zeros(size),
        best=np.zeros(size),
        gain=np.zeros(size),
        path=np.zeros(MAX_DEPTH + 1, np.int32),
        others=others,
        decay=make_decay(params.gamma, MAX_DEPTH + params.rollout + 1),
        logarithms=LOGARITHMS,
    )


@inline
def new_node(tree, walk, state, gain, depth):
    """Add a node for a state and return it."""
    node = walk.held
    walk.held += 1
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
    """Play on at random from the room's state; the value of what comes out."""
    player = walk.player
    state = tree.states[tree.states.size - 1]
    for r in range(walk.rollout):
        if state.players[player] == 0:
            return walk.dead
        boxes, bombs = np.int64(state.scored[player]), bombs_of(state, player)
        walk.random = next_random(walk.random)
        at = depth + r
        others = tree.others[at] if at < tree.others.size else ZERO
        action = pick_legal(state, player, walk.random)
        play_round(state, map_, others | action << (U64(player) << TWO))
        walk.nodes += 1
        gain += tree.decay[at + 1] * reward_of(state, player, boxes, bombs, walk.max_bombs)
    return end_value(state, walk, gain)


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
        depth += 1
        tree.path[depth] = node
    room = tree.states[tree.states.size - 1]
    tree.states[tree.states.size - 1] = tree.states[node]
    gain = tree.gain[node]
    if tree.untried[node] != ZERO and walk.held < tree.child.shape[0]:
        walk.random = next_random(walk.random)
        action = pick_from(tree.untried[node], walk.random)
        tree.untried[node] &= ~(ONE << action)
        boxes, bombs = np.int64(room.scored[player]), bombs_of(room, player)
        play_round(room, map_, tree.others[depth] | action << (U64(player) << TWO))
        walk.nodes += 1
        depth += 1
        gain += tree.decay[depth] * reward_of(room, player, boxes, bombs, walk.max_bombs)
        child = new_node(tree, walk, room, gain, depth)
        tree.child[node, action] = child
        tree.path[depth] = child
        walk.deepest = max(walk.deepest, depth)
    carry_up(tree, depth, simulate(tree, walk, map_, depth, gain))
    walk.iterations += 1


@kernel
def begin(tree, walk, state, roots):
    """Start afresh from a state; `roots` are the first actions to try, 0 = all."""
    walk.nodes = 0
    walk.held = 0
    walk.iterations = 0
    walk.deepest = 0
    root = new_node(tree, walk, state, 0.0, 0)
    if roots != ZERO:
        tree.untried[root] &= roots


@kernel
def advance(tree, walk, map_, limit):
    """Iterate until `limit` nodes were made (looked at before each iteration)."""
    while walk.nodes < limit:
        before = walk.nodes
        iterate(tree, walk, map_)
        walk.nodes = max(walk.nodes, before + 1)  # every move dead at once: still an end


class MctsAgent(PlanningAgent):
    params: MctsParams

    def __init__(self, params: MctsParams) -> None:
        super().__init__(params)
        self.tree = make_tree(params, self.others)
        self.walk = np.zeros(1, WALK)[0]
        self.walk.rollout = params.rollout
        self.walk.c = params.c
        set_reward(self.walk, params)

    def share_of_opponent(self, opponents: int) -> float:
        return self.params.op_share

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        """All first moves but those that an opponent can punish, while there are others."""
        if not self.params.careful:
            return ALL_ROOTS
        punishable = 0
        for other in self.rivals(state, player):
            punishable |= self.first_moves.punishable(state, self.map, player, other)
        legal = sum(1 << action for action in self.first_moves.legal(state, player))
        return legal & ~punishable

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        tree, walk = self.tree, self.walk
        walk.player = player
        walk.max_depth = max(0, MAX_TURNS - int(state.turn))
        walk.random = np.uint64(self.seed_of(state) + player)
        begin(tree, walk, state, np.uint64(roots))
        while (limit := stage.next_limit(int(walk.nodes))) is not None:
            advance(tree, walk, self.map, limit)
        actions, value = best_line(tree)
        return Line(actions, value, int(walk.deepest), int(walk.nodes))


def best_line(tree: Tree) -> tuple[list[int], float | None]:
    """The actions of highest maximum from the root on, and that maximum."""
    actions: list[int] = []
    node, value = 0, None
    while True:
        children = [(action, int(child)) for action, child in enumerate(tree.child[node]) if child != NO_NODE]
        if not children:
            return actions, value
        action, node = max(children, key=lambda each: (tree.best[each[1]], tree.visits[each[1]]))
        actions.append(action)
        value = float(tree.best[node]) if value is None else value
