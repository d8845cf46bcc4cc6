"""The queues of `chokudai` and its kernels: take the best of a queue, put its children into the next one.

A queue is a skew heap: a binary tree, the best on top, in which two heaps are merged along their right edges while the
two children of every node on the way change places. Putting in and taking out are merges.
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, U64, ZERO, lowest_bit
from engine.jit import entry, inline
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import STATE, record
from engine.survival import is_survivable
from engine.zobrist import hash_state, is_new
from search.common.evaluate import value_of

NOBODY = -1  # no state


class Queues(NamedTuple):
    """All states of the search, by number; 0 is the root."""

    states: np.ndarray  # [state]; the last is scratch
    score: np.ndarray  # [state]
    bonus: np.ndarray  # [state], of the score: for boxes destroyed early
    parent: np.ndarray  # [state]
    action: np.ndarray  # [state], that led to it
    left: np.ndarray  # [state], below it in its heap
    right: np.ndarray  # [state], likewise
    top: np.ndarray  # [depth], the best that waits
    best: np.ndarray  # [depth], the best that was ever put there
    seen: np.ndarray  # [a power of two], hashes of all states
    other_actions: np.ndarray  # [depth], packed, of the other players


SWEEP = record(
    [
        ("player", np.int64),
        ("nodes", np.int64),  # calls of step
        ("count", np.int64),  # of states
        ("depth", np.int64),  # the current queue
        ("taken", np.int64),  # from it, in this sweep
        ("each", np.int64),  # how many are taken
        ("max_depth", np.int64),
        ("roots", np.uint64),  # first actions that may be tried, ten bits
        ("scored", np.int64),  # boxes of the player at the start
        ("was_idle", np.bool_),  # this sweep has found nothing so far
        ("finished", np.bool_),
    ]
)


def make_queues(capacity: int, depth: int, other_actions: np.ndarray) -> Queues:
    return Queues(
        states=np.zeros(capacity + 1, STATE),
        score=np.zeros(capacity),
        bonus=np.zeros(capacity),
        parent=np.zeros(capacity, np.int32),
        action=np.zeros(capacity, np.uint8),
        left=np.zeros(capacity, np.int32),
        right=np.zeros(capacity, np.int32),
        top=np.zeros(depth + 1, np.int32),
        best=np.zeros(depth + 1, np.int32),
        seen=np.zeros(1 << (2 * capacity).bit_length(), np.uint64),
        other_actions=other_actions,
    )


@inline
def merge(queues, a, b):
    """The top of the heap that two heaps make together; equal ones come out in the order they were made."""
    if a == NOBODY:
        return b
    if b == NOBODY:
        return a
    score = queues.score
    if score[b] > score[a] or (score[b] == score[a] and b < a):
        a, b = b, a
    top = a
    while True:  # a is the better of both, and stays where it is
        below = queues.right[a]
        queues.right[a] = queues.left[a]
        if below == NOBODY:
            queues.left[a] = b
            return top
        if score[b] > score[below] or (score[b] == score[below] and b < below):
            below, b = b, below
        queues.left[a] = below
        a = below


@inline
def put(queues, sweep, state, depth, score, bonus, parent, action):
    """Add a state to the queue of its depth."""
    number = sweep.count
    sweep.count += 1
    queues.states[number] = state
    queues.score[number], queues.bonus[number] = score, bonus
    queues.parent[number], queues.action[number] = parent, action
    queues.left[number], queues.right[number] = NOBODY, NOBODY
    queues.top[depth] = merge(queues, np.int64(queues.top[depth]), number)
    best = queues.best[depth]
    if best == NOBODY or score > queues.score[best]:
        queues.best[depth] = number


@inline
def expand(queues, sweep, map_, weights, number, depth):
    """Put the children of a state into the next queue: those that are new and can be survived."""
    player, scratch = sweep.player, queues.states.size - 1
    child = queues.states[scratch]
    actions = legal_actions(queues.states[number], player)
    if depth == 0:
        actions &= sweep.roots
    while actions != ZERO:
        action = np.int64(lowest_bit(actions))
        actions &= actions - ONE
        queues.states[scratch] = queues.states[number]
        play_round(child, map_, queues.other_actions[depth] | pack(player, action))
        sweep.nodes += 1
        if not is_survivable(child, map_, player):
            continue
        if is_new(queues.seen, U64(queues.seen.size - 1), hash_state(child) + (U64(depth) << ONE)):
            early = weights.early * weights.box * (child.scored[player] - sweep.scored)
            bonus = queues.bonus[number] + early
            score = value_of(child, map_, player, weights) + bonus
            put(queues, sweep, child, depth + 1, score, bonus, number, action)


@entry
def begin(queues, sweep, state, roots):
    """Start afresh from a state; `roots` are the first actions to try, 0 = all."""
    queues.top[:] = NOBODY
    queues.best[:] = NOBODY
    queues.seen[:] = ZERO
    sweep.nodes, sweep.count, sweep.depth, sweep.taken = 0, 0, 0, 0
    sweep.roots = roots if roots != ZERO else ~ZERO
    sweep.scored = state.scored[sweep.player]
    sweep.was_idle = True
    sweep.finished = sweep.max_depth == 0
    put(queues, sweep, state, 0, 0.0, 0.0, NOBODY, 0)


@inline
def next_queue(sweep):
    """Go on to the next queue or a new sweep; a sweep that found nothing is the last."""
    sweep.taken = 0
    sweep.depth += 1
    if sweep.depth == sweep.max_depth:
        sweep.finished = sweep.was_idle
        sweep.depth = 0
        sweep.was_idle = True


@entry
def advance(queues, sweep, map_, weights, limit):
    """Sweep until the search is finished or has spent `limit` nodes (checked before each state)."""
    while not sweep.finished and sweep.nodes < limit:
        number = np.int64(queues.top[sweep.depth])
        if number == NOBODY or sweep.taken == sweep.each:
            next_queue(sweep)
        elif sweep.count + ACTIONS > queues.score.size:
            sweep.finished = True
        else:
            queues.top[sweep.depth] = merge(queues, np.int64(queues.left[number]), np.int64(queues.right[number]))
            sweep.taken += 1
            sweep.was_idle = False
            expand(queues, sweep, map_, weights, number, sweep.depth)
