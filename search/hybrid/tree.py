"""The tree of the searches and their common parts: playing a move, deadly moves, simulations, UCB1.

The flat search uses the root and its children only, the others grow a tree. In Attack the opponent moves at random,
in Evade nobody else moves. A move is deadly if the agent is dead after it or burns in the coming round whatever it
does: fire kills players where they were before the round's moves.
"""

from typing import NamedTuple

import numpy as np

from engine.blast import blast, explode
from engine.board import ONE, U64, ZERO, has_bit
from engine.cells import count_cells, flood, has, read, single, union, without
from engine.instructions import occupied, occupied_in
from engine.jit import entry, inline, kernel
from engine.random import below, next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import FUSE, MAX_PLAYERS, STATE, bomb_in, cell_of, range_of, record, row_in
from search.common.others import mates_lost
from search.common.uct import LOGARITHMS, NO_NODE, exploration, logarithm, mean_of, pick_from, scratch_place
from search.hybrid.machine import make_areas, obstacles_of
from search.hybrid.params import SELECTIONS, HybridParams
from search.memory import MOST_PLACES

# The searches maximise the evader's score (equation 1) and the attacker's (equation 2).
#
#     evader     100 - sum over bombs i of p_i x 25 x (11 - tick_i) / 10      p_i: reaches the agent and tick_i < 10
#     attacker   100 x (1 - safe / area)      safe: cells within two steps of the opponent that no bomb reaches
#                                             area: all tiles within two cells of the opponent, walls too
#
# A teammate's death takes 100 off the attacker's score. The parameter `fuse` sets the ticks of a turn (see the
# package).
#
#     the opponent R, a bomb B of range 5, walls #:     area 13, reached by walking 8, in the bomb's reach 4 of these
#
#               .               .                       100 x (1 - 4 / 13) = 69
#             # . #           # . #
#           . . R . B       * * * * B
#             # . #           # . #
#               .               .


START = 100.0
BOMB_WEIGHT = 25.0
HORIZON = 10.0  # ticks
SHARE_FROM = 11.0


@inline
def lost_to(tick):
    """The points lost to a bomb that reaches the agent."""
    return BOMB_WEIGHT * (SHARE_FROM - tick) / HORIZON


@kernel
def evader_score(state, cell, ticks):
    """Equation 1 for an agent on the cell, with so many ticks a turn."""
    obstacles = obstacles_of(state)
    score = START
    for timer in range(1, FUSE + 1):
        if timer * ticks >= HORIZON:
            break
        row = state.bombs[row_in(state, timer - 1)]
        for owner in range(MAX_PLAYERS):
            bomb = bomb_in(row, owner)
            if bomb != ZERO and has(blast(cell_of(bomb), range_of(bomb), obstacles), cell):
                score -= lost_to(timer * ticks)
    return score


@kernel
def attacker_score(state, rival, steps, areas):
    """Equation 2 against an opponent; the maximum if the opponent is dead."""
    if state.players[rival] == 0:
        return START
    cell, obstacles = cell_of(state.players[rival]), obstacles_of(state)
    safe = single(cell)
    for _ in range(steps):
        safe = flood(safe, read(state.blocked))
    for row in range(FUSE):
        for owner in range(MAX_PLAYERS):
            bomb = bomb_in(state.bombs[row], owner)
            if bomb != ZERO:
                safe = without(safe, blast(cell_of(bomb), range_of(bomb), obstacles))
    return START * (1.0 - count_cells(safe) / areas[cell])


@entry
def score_of(state, player, rival, search, areas):
    """The score of a state for the search under way; `rival` is below 0 in Evade."""
    if state.players[player] == 0:
        return search.dead
    if rival < 0:
        return evader_score(state, cell_of(state.players[player]), search.ticks)
    return attacker_score(state, rival, search.flood, areas) - START * mates_lost(state, search.mates)


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
        ("rival", np.int64),  # to attack; below 0 in Evade
        ("mates", np.uint64),  # teammates alive
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
    """One step: the agent's action, the opponent's at random."""
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
    """Play on at random from a node for some rounds; the score of the end."""
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
    """The value that a selection maximises over children: equation 3, or one of its terms alone."""
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


# The searches: breadth-first, Monte Carlo tree search, and the flat Monte Carlo search that builds no tree.
#
#     fmcs   all first moves are played once; then again and again one of them is chosen (at random, by UCB1, by its
#            exploitation or its exploration term alone) and played on at random; its own score is the first of its mean
#     mcts   down by UCB1, one new node, a simulation, its score up
#     bfs    node after node, level after level, each scored once; the best of the frontier gives the move
#
# Each `advance` works until `limit` nodes are spent, checked before each piece of work.


# Flat


@inline
def expand(tree, search, map_, node):
    """Play all untried actions of a node and score those that are not deadly."""
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
    """Go down to a node with untried actions or without children."""
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
def best_score(tree, node):
    """The child with the best score of any simulation, the first of equals; NO_NODE without children."""
    chosen = NO_NODE
    for action in range(ACTIONS):
        child = tree.child[node, action]
        if child != NO_NODE and (chosen == NO_NODE or tree.best[child] > tree.best[chosen]):
            chosen = child
    return chosen


@entry
def best_mean(tree, node):
    """The child of highest mean score; NO_NODE without children."""
    return best_child(tree, node, 0.0, EXPLOIT)
