"""The tree of a duel: nodes where we are to move and nodes where the rival is, in turn.

    ours     a position                                       children: our moves, nothing is stepped
    theirs   the same position, our move pending              children: the rival's replies, each a node of the budget

A side is a player and its moves are the player's actions, by number; or it is a team of two (`joint`), whose moves are
an action of each and are written down with the node (team.py).

All numbers of a node are those of the side that moved into it, so that either side goes where its numbers are high.
Every node draws its own random numbers, from its position and the seed of the game: what grows below a node doesn't
depend on what is beside it. Equal positions of the same turn can share one node (`share`).
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, U64
from engine.jit import inline
from engine.playing.zobrist import hash_state
from engine.rules import ACTION_BITS, ACTION_MASK, ACTIONS
from engine.state import MAX_TURNS, STATE, record
from search.common.evaluate import make_weights
from search.common.logarithm import LOGARITHMS
from search.common.params import EvaluationParams
from search.common.uct import NO_NODE
from search.duel.params import DuelParams
from search.duel.team import ALONE
from search.memory import MOST_PLACES

NOTHING = -1  # pending where we are to move
TEAM_WEIGHTS = EvaluationParams(box=10.0, first=True)  # as in beam:paper
UNOPENED = U64(1 << ACTIONS)  # untried actions not looked for yet
PLIES = 2 * MAX_TURNS + 2
TURN_KEY = U64(0xD1342543DE82EF95)  # the hash of a state leaves its turn out
FOLD_1, FOLD_2, FACTOR_1, FACTOR_2 = U64(30), U64(27), U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
FOLD_3 = U64(31)


class DuelTree(NamedTuple):
    """The nodes. The root is `walk.root`."""

    states: np.ndarray  # [node]; the last is scratch for simulations
    pending: np.ndarray  # [node], the number of our move that the rival is to reply to, or NOTHING
    actions: np.ndarray  # [node], the same as packed actions
    moves: np.ndarray  # [node, number], the moves of a team as packed actions
    child: np.ndarray  # [node, number of a move]
    untried: np.ndarray  # [node], moves without a child yet, ten bits, or UNOPENED
    visits: np.ndarray  # [node]
    total: np.ndarray  # [node], points of the side that moved into it, summed
    spent: np.ndarray  # [node], nodes of the budget that the walks through it took
    key: np.ndarray  # [node], equal for equal positions of the same turn
    random: np.ndarray  # [node], state of its random numbers
    path: np.ndarray  # [ply], nodes of the current walk
    table: np.ndarray  # [slot], nodes of ours by their keys
    moved: np.ndarray  # [node], where a kept node goes
    stack: np.ndarray  # scratch for going through the tree
    values: np.ndarray  # [action], scratch for choosing the actions of a team
    weights: np.ndarray  # [0], of the evaluation that chooses them
    logarithms: np.ndarray


WALK = record(
    [
        ("player", np.int64),
        ("rival", np.int64),
        ("mates", np.uint64),  # a set of players
        ("joint", np.int64),  # 1: the sides are teams of two, `player` with `mate` against `rival` with `second`
        ("mate", np.int64),  # these are `player` and `rival` again where the sides are players
        ("second", np.int64),
        ("alone", np.int64),  # 1: no rival lives, the rival is an empty seat or dead
        ("root", np.int64),
        ("nodes", np.int64),  # looked at: calls of step
        ("tree_size", np.int64),  # nodes of the tree
        ("iterations", np.int64),
        ("deepest", np.int64),  # rounds
        ("kept", np.int64),  # nodes of the tree brought along
        ("saved", np.int64),  # nodes of the budget that they would have cost
        ("shared", np.int64),  # ways into positions that others led to before
        ("seed", np.uint64),
        ("rounds", np.int64),
        ("caution", np.int64),
        ("share", np.int64),
        ("c", np.float64),
        ("box", np.float64),
        ("item_points", np.float64),
        ("life", np.float64),
        ("dead_end", np.float64),
        ("space", np.float64),
    ]
)


def make_tree(params: DuelParams) -> DuelTree:
    size = params.capacity
    assert 2 <= size <= MOST_PLACES
    return DuelTree(
        states=np.zeros(size + 1, STATE),
        pending=np.zeros(size, np.int8),
        actions=np.zeros(size, np.uint64),
        moves=np.zeros((size, ALONE), np.uint16),
        child=np.zeros((size, ACTIONS), np.int32),
        untried=np.zeros(size, np.uint64),
        visits=np.zeros(size, np.int64),
        total=np.zeros(size),
        spent=np.zeros(size, np.int64),
        key=np.zeros(size, np.uint64),
        random=np.zeros(size, np.uint64),
        path=np.zeros(PLIES, np.int32),
        table=np.full(2 << size.bit_length(), NO_NODE, np.int32),
        moved=np.zeros(size, np.int32),
        stack=np.zeros(size, np.int32),
        values=np.zeros(ACTIONS),
        weights=np.array([make_weights(TEAM_WEIGHTS)]),
        logarithms=LOGARITHMS,
    )


def make_walk(params: DuelParams) -> np.record:
    walk = np.zeros(1, WALK)[0]
    for name, value in params.as_dict().items():
        if name in (WALK.names or ()):
            walk[name] = value
    walk.item_points = params.item  # a field called `item` would be hidden by numpy's own
    return walk


@inline
def key_of(state):
    """Equal for equal positions of the same turn."""
    return hash_state(state) ^ U64(state.turn) * TURN_KEY


@inline
def scramble(word):
    """A random state from any word (splitmix64), never 0."""
    word = (word ^ (word >> FOLD_1)) * FACTOR_1
    word = (word ^ (word >> FOLD_2)) * FACTOR_2
    return word ^ (word >> FOLD_3) | ONE


@inline
def new_node(tree, walk, state, key, pending, actions):
    """Add a node and return it."""
    node = walk.tree_size
    walk.tree_size += 1
    tree.states[node] = state
    tree.pending[node] = pending
    tree.actions[node] = actions
    for action in range(ACTIONS):
        tree.child[node, action] = NO_NODE
    tree.untried[node] = UNOPENED
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.spent[node] = 0
    tree.key[node] = key
    tree.random[node] = scramble(scramble(key ^ walk.seed) + U64(pending - NOTHING))
    return node


# Equal positions


@inline
def slot_of(tree, key):
    """Where the node of a key is, or would be."""
    last = U64(tree.table.size - 1)
    slot = scramble(key) & last
    while tree.table[slot] != NO_NODE and tree.key[tree.table[slot]] != key:
        slot = (slot + ONE) & last
    return slot


@inline
def remember_all(tree, walk):
    """Put all nodes of ours into an empty table."""
    for slot in range(tree.table.size):
        tree.table[slot] = NO_NODE
    for node in range(walk.tree_size):
        if tree.pending[node] == NOTHING:
            tree.table[slot_of(tree, tree.key[node])] = node


# For Python


def children_of(tree: DuelTree, node: int) -> dict[int, int]:
    """Number of a move -> child."""
    return {number: child for number, child in enumerate(tree.child[node].tolist()) if child != NO_NODE}


def mean_points(tree: DuelTree, node: int) -> float:
    """The mean score of a node for the side that moved into it."""
    return float(tree.total[node] / tree.visits[node])


def most_visited(tree: DuelTree, node: int) -> list[tuple[int, int]]:
    """From a node always to the child visited most, of those the one of the highest mean: (number, node) in turn."""
    line = []
    while children := children_of(tree, node):
        number, node = max(children.items(), key=lambda each: (tree.visits[each[1]], mean_points(tree, each[1])))
        line.append((number, node))
    return line


def action_in(tree: DuelTree, walk: np.record, parent: int, number: int, player: int) -> int:
    """What a player does in a move of a node, by its number."""
    return int(tree.moves[parent, number]) >> int(ACTION_BITS) * player & int(ACTION_MASK) if walk.joint else number


def actions_along(tree: DuelTree, walk: np.record, node: int, line: list[tuple[int, int]], player: int) -> list[int]:
    """What a player does along a line from a node, whose side moves first."""
    parents = [node, *(each for _number, each in line)]
    return [action_in(tree, walk, parents[ply], line[ply][0], player) for ply in range(0, len(line), 2)]
