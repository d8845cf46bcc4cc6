"""Shared by the tree searches: the reward of section 6.1, the table of its decay, UCT's terms, an untried action.

    value    = 1/scale (sum over rounds r from the root of reward_r * factor * gamma^r + base - distance to all boxes)
    reward_r = boxes destroyed in round r, and 1 for another bomb while the player has few

A death has a value of its own. The distance is summed over all boxes; or it is their mean; or the sum, at most base.
"""

from typing import Any, Protocol

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.cells import count_cells, read
from engine.jit import entry, inline
from engine.rules import ACTIONS
from engine.state import cell_of
from search.common.evaluate import box_distance, owned_bombs

# Natural logarithms by plain additions and multiplications, so that UCT is the same on any machine.


SIZE = 1 << 16


def make_logarithms() -> np.ndarray:
    """ln(n) for n below SIZE, by ln(n + 1) - ln(n) = 2 artanh(1 / (2n + 1)); ln(0) is set to 0."""
    z = 1.0 / (2.0 * np.arange(1, SIZE - 1) + 1.0)
    square = z * z
    steps = np.zeros(SIZE - 2)
    for k in range(19, 0, -2):
        steps = steps * square + 1.0 / k
    return np.concatenate([[0.0, 0.0], np.cumsum(2.0 * z * steps)])


LOGARITHMS = make_logarithms()
LN_2 = float(LOGARITHMS[2])


@entry
@inline
def logarithm(table, n):
    """ln(n); beyond the table halved until it fits, which is as good as it needs to be."""
    extra = 0.0
    while n >= SIZE:
        n >>= 1
        extra += LN_2
    return table[n] + extra


NO_NODE = -1

# The record of a walk over the player's actions: its progress, then the parameters of the reward.
WALK_FIELDS = [
    ("player", np.int64),
    ("nodes", np.int64),  # looked at: calls of step
    ("tree_size", np.int64),  # nodes of the tree
    ("iterations", np.int64),
    ("deepest", np.int64),
    ("random", np.uint64),
    ("rollout", np.int64),
    ("c", np.float64),
    ("max_bombs", np.int64),
    ("reward", np.float64),
    ("constant", np.float64),  # the parameter `base`, a name that numpy has for something else
    ("scale", np.float64),
    ("dead", np.float64),
    ("distance", np.int64),  # how the distance to the boxes counts: SUM, MEAN or CLIP
]
SUM, MEAN, CLIP = range(3)


class Counts(Protocol):
    """The counts that every tree keeps of its nodes."""

    @property
    def child(self) -> np.ndarray: ...  # [node, action]
    @property
    def visits(self) -> np.ndarray: ...  # [node]
    @property
    def total(self) -> np.ndarray: ...  # [node], sum of values
    @property
    def best(self) -> np.ndarray: ...  # [node], highest value


def set_reward(walk: np.record, params: Any) -> None:
    """Fill in the reward's parameters from an agent's."""
    walk["max_bombs"] = params.bombs
    walk["constant"] = params.base
    for name in ("reward", "scale", "dead"):
        walk[name] = getattr(params, name)


def make_decay(gamma: float, rounds: int) -> np.ndarray:
    """gamma^r for r up to `rounds`, by products, not by a power: the same on any machine."""
    decay = [1.0]
    for _ in range(rounds):
        decay.append(decay[-1] * gamma)
    return np.array(decay)


@inline
def scratch_place(tree):
    """The index of the walks' scratch state: after those of the nodes."""
    return tree.states.size - 1


@inline
def reward_of(state, player, boxes, bombs, max_bombs):
    """The reward of a round that began with so many boxes and bombs."""
    new_bombs = min(owned_bombs(state, player), max_bombs) - min(bombs, max_bombs)
    return np.float64(np.int64(state.scored[player]) - boxes + max(0, new_bombs))


@inline
def end_value(state, walk, gain):
    """The value of a simulation that ends here, with so much of decayed rewards on its way."""
    if state.players[walk.player] == 0:
        return walk.dead
    boxes = read(state.boxes)
    distance = np.float64(box_distance(boxes, cell_of(state.players[walk.player])))
    if walk.distance == MEAN:
        distance /= max(1, count_cells(boxes))
    elif walk.distance == CLIP:
        distance = min(distance, walk.constant)
    return (gain * walk.reward + walk.constant - distance) / walk.scale


@entry
@inline
def mean_of(tree, node):
    """The mean of a node's values."""
    return tree.total[node] / tree.visits[node]


@entry
@inline
def exploration(c, log, visits):
    """UCT's exploration term: larger for fewer visits. `log` is ln of its parent's visits."""
    return c * np.sqrt(log / visits)


@inline
def pick_from(actions, random):
    """One of the actions in a set of ten bits, at random."""
    skip = (random >> U64(32)) % U64(ACTIONS)
    action = ZERO
    while True:
        if has_bit(actions, action):
            if skip == ZERO:
                return action
            skip -= ONE
        action = action + ONE if action < U64(ACTIONS - 1) else ZERO


@inline
def carry_up(tree, length, value):
    """Add a simulation's value to the nodes of the walk, the root's and so many more."""
    for k in range(length + 1):
        at = tree.path[k]
        tree.best[at] = value if tree.visits[at] == 0 else max(tree.best[at], value)
        tree.visits[at] += 1
        tree.total[at] += value


@inline
def best_child(tree, node, c):
    """The child that UCT prefers."""
    log = logarithm(tree.logarithms, tree.visits[node])
    chosen, highest = NO_NODE, -1.0e9
    for action in range(ACTIONS):
        child = tree.child[node, action]
        if child != NO_NODE:
            value = mean_of(tree, child) + exploration(c, log, tree.visits[child])
            if value > highest:
                chosen, highest = child, value
    return chosen
