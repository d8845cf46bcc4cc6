"""Counts of the joint-action tree: how many positions there are after `depth` rounds, and a hash of them all.

Every legal action of every living player is tried against every other, so a wrong rule shows as a wrong
count or a wrong hash, and the split under the root shows where. The hash of a leaf covers all that the arena
would show and the boxes scored, not the turn; hashes are summed, so the order of visits doesn't matter.
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, SEVEN, U64, ZERO, lowest_bit
from engine.jit import entry, inline, kernel
from engine.rules import ACTION_BITS, ACTION_MASK, ACTION_NAMES, legal_actions, play_round, step
from engine.state import FUSE, MAX_PLAYERS, new_states

NO_MORE = U64(1 << 63)  # after the last joint action

# The finaliser of splitmix64 (Steele, Lea, Flood 2014).
GOLDEN = U64(0x9E3779B97F4A7C15)
MULTIPLY_1, MULTIPLY_2 = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
SHIFT_1, SHIFT_2, SHIFT_3 = U64(30), U64(27), U64(31)


class Perft(NamedTuple):
    nodes: int
    hash: int  # of all leaves


@inline
def mix(hashed, word):
    """Stir one more word into a hash."""
    hashed = (hashed ^ word) + GOLDEN
    hashed = (hashed ^ (hashed >> SHIFT_1)) * MULTIPLY_1
    hashed = (hashed ^ (hashed >> SHIFT_2)) * MULTIPLY_2
    return hashed ^ (hashed >> SHIFT_3)


@kernel
def hash_leaf(state):
    """A hash of the whole State but its turn: the ring is read from the row that explodes next."""
    hashed = ZERO
    for i in range(3):
        hashed = mix(hashed, state.blocked[i])
        hashed = mix(hashed, state.boxes[i])
        hashed = mix(hashed, state.items[i])
    for i in range(FUSE):
        hashed = mix(hashed, state.bombs[(U64(state.turn) + U64(i)) & SEVEN])
    for i in range(MAX_PLAYERS):
        hashed = mix(hashed, U64(state.players[i]))
        hashed = mix(hashed, U64(state.scored[i]))
    return hashed


@entry
def next_joint(state, actions):
    """The joint action after this one, like the next number of a counter with one digit per player."""
    for player in range(MAX_PLAYERS):
        shift = ACTION_BITS * U64(player)
        action = (actions >> shift) & ACTION_MASK
        higher = legal_actions(state, player) >> action >> ONE
        if higher != ZERO:
            return actions + (ONE + lowest_bit(higher) << shift)
        actions ^= action << shift  # back to staying, the lowest digit
    return NO_MORE


@entry
def count_leaves(states, map_, joints, depth):
    """Nodes and summed hash below states[0]. Its memory is one state and one joint action per level."""
    nodes = total = ZERO
    level = 0
    joints[0] = ZERO
    while level >= 0:
        if level == depth:
            nodes += ONE
            total += hash_leaf(states[level])
            level -= 1
        elif joints[level] == NO_MORE:
            level -= 1
        else:
            states[level + 1] = states[level]
            step(states[level + 1], map_, joints[level])
            joints[level] = next_joint(states[level], joints[level])
            level += 1
            joints[level] = ZERO
    return nodes, total


def perft(state: np.record, map_: np.record, depth: int) -> Perft:
    """Nodes after `depth` rounds, and their hash."""
    states = new_states(depth + 1)
    states[0] = state
    nodes, total = count_leaves(states, map_, np.zeros(depth + 1, np.uint64), depth)
    return Perft(int(nodes), int(total))


def split(state: np.record, map_: np.record, depth: int) -> dict[str, Perft]:
    """The perft below each joint action of the root: two numbers differ where two engines do."""
    counts = {}
    joint = ZERO
    while joint != NO_MORE:
        child = new_states(1)
        child[0] = state
        play_round(child[0], map_, joint)
        counts[name_joint(state, int(joint))] = perft(child[0], map_, depth - 1)
        joint = U64(next_joint(state, joint))
    return counts


def name_joint(state: np.record, joint: int) -> str:
    """The joint action in words, the living only: `0 left, 1 stay+bomb`."""
    return ", ".join(
        f"{player} {ACTION_NAMES[joint >> 4 * player & 15]}" for player in range(MAX_PLAYERS) if state.players[player]
    )
