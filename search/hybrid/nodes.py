"""The memory of the searches and what they share: a move played, deadly moves, simulations, UCB1.

The flat search uses the root and its children only, the others grow a tree. In Attack the target moves at random,
in Evade nobody else moves. A move is deadly if the agent is dead after it or burns in the coming round whatever he
does: here fire takes who stood in it before the round's moves.
"""

from typing import NamedTuple

import numpy as np

from engine.blast import explode
from engine.board import ONE, SEVEN, TWO, U64, ZERO
from engine.jit import inline, kernel
from engine.random import below, next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import BYTE, FUSE, STATE, record
from engine.survival import read, union, without
from search.common.logarithm import LOGARITHMS, logarithm
from search.common.uct import NO_NODE, exploration, mean_of
from search.hybrid.danger import make_areas
from search.hybrid.params import SELECTIONS, HybridParams
from search.hybrid.paths import holds
from search.hybrid.scores import score_of

RANDOM, UCB1, EXPLOIT, EXPLORE = range(4)  # as in SELECTIONS


class Nodes(NamedTuple):
    """The nodes of a search; 0 is the root."""

    states: np.ndarray  # [node]; the last is room for simulations
    child: np.ndarray  # [node, action]
    untried: np.ndarray  # [node], actions that were not played yet, ten bits
    parent: np.ndarray  # [node]
    action: np.ndarray  # [node], that leads to it
    depth: np.ndarray  # [node]
    visits: np.ndarray  # [node]
    total: np.ndarray  # [node], sum of scores
    best: np.ndarray  # [node], highest score
    areas: np.ndarray  # [cell], tiles around it
    logarithms: np.ndarray


SEARCH = record(
    [
        ("player", np.int64),
        ("target", np.int64),  # whom to attack; below 0 in flight
        ("mates", np.uint64),  # whom there is to lose
        ("allowed", np.uint64),  # first actions, ten bits
        ("max_depth", np.int64),
        ("nodes", np.int64),  # calls of step
        ("held", np.int64),  # nodes of the tree
        ("head", np.int64),  # the next node that bfs expands
        ("iterations", np.int64),
        ("finished", np.int64),
        ("random", np.uint64),
        ("selection", np.int64),
        ("c", np.float64),
        ("least", np.int64),
        ("most", np.int64),
        ("ticks", np.float64),  # a turn, in equation 1
        ("flood", np.int64),
        ("dead", np.float64),
    ]
)


def make_nodes(params: HybridParams) -> Nodes:
    size = params.capacity if params.search in ("bfs", "mcts") else 1 + ACTIONS
    return Nodes(
        states=np.zeros(size + 1, STATE),
        child=np.zeros((size, ACTIONS), np.int32),
        untried=np.zeros(size, np.uint64),
        parent=np.zeros(size, np.int32),
        action=np.zeros(size, np.int64),
        depth=np.zeros(size, np.int64),
        visits=np.zeros(size, np.int64),
        total=np.zeros(size),
        best=np.zeros(size),
        areas=make_areas(params.flood),
        logarithms=LOGARITHMS,
    )


def make_search(params: HybridParams) -> np.record:
    search = np.zeros(1, SEARCH)[0]
    for name in ("c", "least", "most", "flood", "dead"):
        search[name] = getattr(params, name)
    search.selection = SELECTIONS.index(params.select)
    search.ticks = params.fuse / FUSE
    return search


@inline
def is_full(nodes, search):
    return search.held == nodes.child.shape[0]


@inline
def room_of(nodes):
    """The number of the state that simulations work on."""
    return nodes.states.size - 1


@inline
def new_node(nodes, search, parent, action):
    """Add the room's state as a node and return it."""
    node = search.held
    search.held += 1
    state = nodes.states[room_of(nodes)]
    nodes.states[node] = state
    nodes.parent[node] = parent
    nodes.action[node] = action
    nodes.depth[node] = nodes.depth[parent] + 1 if parent >= 0 else 0
    nodes.untried[node] = legal_actions(state, search.player) if nodes.depth[node] < search.max_depth else ZERO
    nodes.visits[node] = 0
    nodes.total[node] = 0.0
    nodes.best[node] = 0.0
    for each in range(ACTIONS):
        nodes.child[node, each] = NO_NODE
    if parent >= 0:
        nodes.child[parent, action] = node
    return node


@kernel
def begin(nodes, search, state):
    """Start afresh from a state."""
    search.nodes = 0
    search.held = 0
    search.head = 0
    search.iterations = 0
    search.finished = 0
    nodes.states[room_of(nodes)] = state
    new_node(nodes, search, NO_NODE, 0)
    nodes.untried[0] &= search.allowed


@inline
def play(state, map_, search, action):
    """One step: the agent's action, the target's at random."""
    search.nodes += 1
    packed = U64(action) << (U64(search.player) << TWO)
    if search.target >= 0:
        search.random = next_random(search.random)
        packed |= pick_legal(state, search.target, search.random) << (U64(search.target) << TWO)
    play_round(state, map_, packed)


@kernel
def is_deadly(state, player):
    """Whether the player is dead or burns in the coming round."""
    me = U64(state.players[player])
    row = U64(state.turn) & SEVEN
    if me == ZERO or state.bombs[row] == ZERO:
        return me == ZERO
    blocked, boxes = read(state.blocked), read(state.boxes)
    fire, _exploded, _hits = explode(
        state.bombs, row, union(blocked, read(state.items)), boxes, without(blocked, boxes)
    )
    return holds(fire, me & BYTE)


@kernel
def try_action(nodes, search, map_, node, action):
    """Play an untried action in the room; its new node, or NO_NODE if it is deadly."""
    nodes.untried[node] &= ~(ONE << U64(action))
    room = nodes.states[room_of(nodes)]
    nodes.states[room_of(nodes)] = nodes.states[node]
    play(room, map_, search, action)
    if is_deadly(room, search.player):
        return NO_NODE
    return new_node(nodes, search, node, action)


@kernel
def simulate(nodes, search, map_, node):
    """Play on at random from a node for some rounds; the score of what comes out."""
    room = nodes.states[room_of(nodes)]
    nodes.states[room_of(nodes)] = nodes.states[node]
    search.random = next_random(search.random)
    rounds = search.least + np.int64(below(search.random, search.most - search.least + 1))
    for _ in range(rounds):
        if room.players[search.player] == 0:
            break
        search.random = next_random(search.random)
        play(room, map_, search, pick_legal(room, search.player, search.random))
    return score_of(room, search.player, search.target, search, nodes.areas)


@inline
def note(nodes, node, score):
    """Add a score to a node."""
    nodes.best[node] = score if nodes.visits[node] == 0 else max(nodes.best[node], score)
    nodes.visits[node] += 1
    nodes.total[node] += score


@inline
def worth(nodes, node, log, c, selection):
    """What a selection maximises over children: equation 3, or one of its terms alone."""
    if selection == EXPLOIT:
        return mean_of(nodes, node)
    if selection == EXPLORE:
        return exploration(c, 2.0 * log, nodes.visits[node])
    return mean_of(nodes, node) + exploration(c, 2.0 * log, nodes.visits[node])


@inline
def best_child(nodes, node, c, selection):
    """The child of highest worth, the first of equals; NO_NODE without children."""
    log = logarithm(nodes.logarithms, nodes.visits[node])
    chosen, highest = NO_NODE, 0.0
    for action in range(ACTIONS):
        child = nodes.child[node, action]
        if child != NO_NODE:
            value = worth(nodes, child, log, c, selection)
            if chosen == NO_NODE or value > highest:
                chosen, highest = child, value
    return chosen
