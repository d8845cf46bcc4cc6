"""The tree of the searches and what they share: a move played, deadly moves, simulations, UCB1.

The flat search uses the root and its children only, the others grow a tree. In Attack the rival moves at random,
in Evade nobody else moves. A move is deadly if the agent is dead after it or burns in the coming round whatever it
does: in this game fire takes those who stood in it before the round's moves.
"""

from typing import NamedTuple

import numpy as np

from engine.blast import explode
from engine.board import ONE, U64, ZERO
from engine.cells import has, read, union
from engine.instructions import occupied, occupied_in
from engine.jit import entry, inline, kernel
from engine.playing.random import below, next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import FUSE, STATE, cell_of, record, row_in
from search.common.logarithm import LOGARITHMS, logarithm
from search.common.uct import NO_NODE, exploration, mean_of, scratch_place
from search.hybrid.danger import make_areas
from search.hybrid.params import SELECTIONS, HybridParams
from search.hybrid.scores import score_of
from search.memory import MOST_PLACES

RANDOM, UCB1, EXPLOIT, EXPLORE = range(4)  # as in SELECTIONS


class HybridTree(NamedTuple):
    """The nodes of a search; 0 is the root."""

    states: np.ndarray  # [node]; the last is scratch for simulations
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
        ("rival", np.int64),  # whom to attack; below 0 in Evade
        ("mates", np.uint64),  # whom there is to lose
        ("allowed", np.uint64),  # first actions, ten bits
        ("max_depth", np.int64),
        ("nodes", np.int64),  # looked at: calls of step
        ("tree_size", np.int64),  # nodes of the tree
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


def make_tree(params: HybridParams) -> HybridTree:
    size = params.capacity if params.search in ("bfs", "mcts") else 1 + ACTIONS
    assert 1 + ACTIONS <= size <= MOST_PLACES
    return HybridTree(
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
def is_full(tree, search):
    return search.tree_size == tree.child.shape[0]


@inline
def new_node(tree, search, parent, action):
    """Add the scratch state as a node and return it."""
    node = search.tree_size
    search.tree_size += 1
    state = tree.states[scratch_place(tree)]
    tree.states[node] = state
    tree.parent[node] = parent
    tree.action[node] = action
    tree.depth[node] = tree.depth[parent] + 1 if parent >= 0 else 0
    tree.untried[node] = legal_actions(state, search.player) if tree.depth[node] < search.max_depth else ZERO
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.best[node] = 0.0
    for each in range(ACTIONS):
        tree.child[node, each] = NO_NODE
    if parent >= 0:
        tree.child[parent, action] = node
    return node


@entry
def begin(tree, search, state):
    """Start afresh from a state."""
    search.nodes = 0
    search.tree_size = 0
    search.head = 0
    search.iterations = 0
    search.finished = 0
    tree.states[scratch_place(tree)] = state
    new_node(tree, search, NO_NODE, 0)
    tree.untried[0] &= search.allowed


@inline
def play(state, map_, search, action):
    """One step: the agent's action, the rival's at random."""
    search.nodes += 1
    packed = pack(search.player, action)
    if search.rival >= 0:
        search.random = next_random(search.random)
        packed |= pack(search.rival, pick_legal(state, search.rival, search.random))
    play_round(state, map_, packed)


@kernel
def is_deadly(state, player):
    """Whether the player is dead or burns in the coming round."""
    row, is_dead = row_in(state, 0), state.players[player] == 0
    if is_dead or state.bombs[row] == ZERO:
        return is_dead
    blocked, boxes = read(state.blocked), read(state.boxes)
    obstacles = union(blocked, read(state.items))
    due, live = occupied_in(state.bombs, row), occupied(state.bombs)
    fire, _live, _hits = explode(state.bombs, due, live, obstacles, boxes)
    return has(fire, cell_of(state.players[player]))


@kernel
def try_action(tree, search, map_, node, action):
    """Play an untried action on the scratch state; its new node, or NO_NODE if it is deadly."""
    tree.untried[node] &= ~(ONE << U64(action))
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play(state, map_, search, action)
    if is_deadly(state, search.player):
        return NO_NODE
    return new_node(tree, search, node, action)


@kernel
def simulate(tree, search, map_, node):
    """Play on at random from a node for some rounds; the score of what comes out."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    search.random = next_random(search.random)
    rounds = search.least + np.int64(below(search.random, search.most - search.least + 1))
    for _ in range(rounds):
        if state.players[search.player] == 0:
            break
        search.random = next_random(search.random)
        play(state, map_, search, pick_legal(state, search.player, search.random))
    return score_of(state, search.player, search.rival, search, tree.areas)


@inline
def note(tree, node, score):
    """Add a score to a node."""
    tree.best[node] = score if tree.visits[node] == 0 else max(tree.best[node], score)
    tree.visits[node] += 1
    tree.total[node] += score


@inline
def worth(tree, node, log, c, selection):
    """What a selection maximises over children: equation 3, or one of its terms alone."""
    if selection == EXPLOIT:
        return mean_of(tree, node)
    if selection == EXPLORE:
        return exploration(c, 2.0 * log, tree.visits[node])
    return mean_of(tree, node) + exploration(c, 2.0 * log, tree.visits[node])


@inline
def best_child(tree, node, c, selection):
    """The child of highest worth, the first of equals; NO_NODE without children."""
    log = logarithm(tree.logarithms, tree.visits[node])
    chosen, highest = NO_NODE, 0.0
    for action in range(ACTIONS):
        child = tree.child[node, action]
        if child != NO_NODE:
            value = worth(tree, child, log, c, selection)
            if chosen == NO_NODE or value > highest:
                chosen, highest = child, value
    return chosen
