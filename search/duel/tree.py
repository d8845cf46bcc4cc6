"""The tree of a duel: nodes where we are to move and nodes where the opponent is, in turn.

    ours     a position                                       children: our moves, nothing is stepped
    theirs   the same position, our move pending              children: the opponent's replies, each costs a node

A side is a player and its moves are the player's actions, by number; or it is a team of two (`joint`), whose moves are
an action of each, stored with the node.

All numbers of a node are those of the side that moved into it, so that either side goes where its numbers are high.
Every node draws its own random numbers, from its position and the seed of the game: the tree below a node
doesn't depend on its siblings. Equal positions of the same turn can share one node (`share`).
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import entry, inline, kernel
from engine.rules import ACTION_BITS, ACTION_MASK, ACTIONS, pack, play_round
from engine.state import MAX_TURNS, STATE, record
from engine.survival import is_survivable
from engine.zobrist import hash_state
from search.common.evaluate import make_weights, value_of
from search.common.params import EvaluationParams
from search.common.uct import LOGARITHMS, NO_NODE, scratch_place
from search.duel.params import DuelParams
from search.memory import MOST_PLACES

# The moves of a team of two: an action of each teammate in one node, nine at most, as in the report.
#
# A snake goes left, right or straight on, so two of them have nine moves. A player here has up to ten actions, a pair a
# hundred. So each teammate keeps three: of those worth trying (cautious for our side, valid for the other), the ones
# with the best position by the main paper's evaluation, everybody else staying. A player whose teammate is dead keeps
# nine. We drop our moves after which one of both could not survive: neither teammate would see that alone.


EACH, ALONE = 3, 9  # actions of a player with a living teammate, and without
WORST = -1e300


@inline
def value_after(tree, walk, map_, node, player, action):
    """The value after a player's action if everybody else stays; death is worth least."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, pack(player, action))
    walk.nodes += 1
    return value_of(state, map_, player, tree.weights[0]) if state.players[player] != 0 else WORST


@kernel
def keep_best(tree, walk, map_, node, player, actions, most):
    """The best of these actions (ten bits), at most so many; of equal ones the lowest."""
    for action in range(ACTIONS):
        if has_bit(actions, action):
            tree.values[action] = value_after(tree, walk, map_, node, player, action)
    kept = ZERO
    for _ in range(most):
        best = -1
        for action in range(ACTIONS):
            if has_bit(actions & ~kept, action) and (best < 0 or tree.values[action] > tree.values[best]):
                best = action
        if best < 0:
            break
        kept |= ONE << U64(best)
    return kept


@inline
def survive_together(tree, walk, map_, node, move):
    """Whether all living players of our side can survive after a move of both."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, U64(move))  # as all others call it, so that it is compiled once
    walk.nodes += 1
    mine = tree.states[node].players[walk.player] == 0 or is_survivable(state, map_, walk.player)
    return mine and (tree.states[node].players[walk.mate] == 0 or is_survivable(state, map_, walk.mate))


@inline
def add_moves(tree, node, first, second, actions, others):
    """Store all pairs of actions (ten bits each) and return how many there are."""
    count = 0
    for action in range(ACTIONS):
        for other in range(ACTIONS):
            if has_bit(actions, action) and has_bit(others, other):
                tree.moves[node, count] = pack(first, action) | pack(second, other)
                count += 1
    return count


@inline
def share_of_each(state, other):
    """How many actions a player with this teammate keeps."""
    return ALONE if state.players[other] == 0 else EACH


@kernel
def team_moves(tree, walk, map_, node, first, second, actions, others):
    """Store the moves of a team, given either player's actions (ten bits each); returns them as bits."""
    state = tree.states[node]
    kept = keep_best(tree, walk, map_, node, first, actions, share_of_each(state, second))
    others_kept = keep_best(tree, walk, map_, node, second, others, share_of_each(state, first))
    count = add_moves(tree, node, first, second, kept, others_kept)
    return (ONE << U64(count)) - ONE


@kernel
def leave_out_losses(tree, walk, map_, node, moves):
    """Those of our moves (bits) after which both teammates can survive, or all if there is none."""
    safe = ZERO
    for number in range(ALONE):
        if has_bit(moves, number) and survive_together(tree, walk, map_, node, tree.moves[node, number]):
            safe |= ONE << U64(number)
    return safe if safe != ZERO else moves


NONE_PENDING = -1  # pending where we are to move
TEAM_WEIGHTS = EvaluationParams(box=10.0, first=True)  # as in beam:scaled
UNOPENED = U64(1 << ACTIONS)  # untried actions not looked for yet
PLIES = 2 * MAX_TURNS + 2
TURN_KEY = U64(0xD1342543DE82EF95)  # the hash of a state leaves its turn out
FOLD_1, FOLD_2, FACTOR_1, FACTOR_2 = U64(30), U64(27), U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
FOLD_3 = U64(31)


class DuelTree(NamedTuple):
    """The nodes. The root is `walk.root`."""

    states: np.ndarray  # [node]; the last is scratch for simulations
    pending: np.ndarray  # [node], the number of our move that the opponent is to reply to, or NONE_PENDING
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
        ("alone", np.int64),  # 1: no opponent lives, the opponent is an empty seat or dead
        ("root", np.int64),
        ("nodes", np.int64),  # looked at: calls of step
        ("tree_size", np.int64),  # nodes of the tree
        ("iterations", np.int64),
        ("deepest", np.int64),  # rounds
        ("kept", np.int64),  # nodes kept from the last turn
        ("saved", np.int64),  # nodes of the budget that they would have cost
        ("shared", np.int64),  # moves into positions that the tree had already
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
    tree.random[node] = scramble(scramble(key ^ walk.seed) + U64(pending - NONE_PENDING))
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
        if tree.pending[node] == NONE_PENDING:
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
    """A player's action in a move of a node, by its number."""
    return int(tree.moves[parent, number]) >> int(ACTION_BITS) * player & int(ACTION_MASK) if walk.joint else number


def actions_along(tree: DuelTree, walk: np.record, node: int, line: list[tuple[int, int]], player: int) -> list[int]:
    """A player's actions along a line from a node whose side moves first."""
    parents = [node, *(each for _number, each in line)]
    return [action_in(tree, walk, parents[ply], line[ply][0], player) for ply in range(0, len(line), 2)]


# The tree is kept from turn to turn: the subtree of the new position becomes the next turn's tree.
#
# A subtree doesn't depend on its siblings, so without shared positions the kept tree is exactly the one that a fresh
# search would make with `spent[root]` nodes, which are saved.


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
    """Copy all of a node but its children, which move too."""
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
    """Keep the nodes below a node, which becomes the root; forget the rest."""
    mark_below(tree, walk, root)
    size = 0
    for node in range(walk.tree_size):  # in order, so that no node overwrites one that has yet to move
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
        if tree.pending[node] == NONE_PENDING:
            rounds = np.int64(tree.states[node].turn) - np.int64(tree.states[walk.root].turn)
            walk.deepest = max(walk.deepest, rounds)
    if walk.share:
        remember_all(tree, walk)
