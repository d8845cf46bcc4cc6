"""The memory of a beam search: the layers, their children, and the record of the search under way.

The record of each layer remains after the search, and `hsctl explain` reads it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.rules import ACTIONS, BOMB
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS, STATE, record
from search.common.forecast import ROLLING_FORECAST
from search.memory import MOST_PLACES

GENERATED, DUPLICATES, DEAD, UNSURVIVABLE, LOCAL_CUT, GLOBAL_CUT, KEPT = range(7)
COUNTERS = ("generated", "duplicates", "dead", "unsurvivable", "local_cut", "global_cut", "kept")

DIGIT_BITS, DIGITS = 11, 2048  # of the keys that children are sorted by (layers.py)
FEWEST_SEEN = 64  # places for hashes
NOBODY = -1
USUAL_WIDTH = 4000  # a search of 20 ms hardly has more states in a layer

# Temporary states: a base with the player's bomb, a child that took an item.
DROPPED, TAKEN, SCRATCH = range(3)
PLAYERS, PLACE = range(2)  # the terms of the evaluation that depend on the player's cell


class Layers(NamedTuple):
    """All memory of a beam search. `capacity` children fit into it, all actions of each state of a layer.

    Where an array has two halves, one is for layers of even depth and one for those of odd depth.
    """

    # The states of a layer
    states: np.ndarray  # [2, width]
    bonus: np.ndarray  # [2, width], of the score: what was won on the way
    bases: np.ndarray  # [width], the common part of each state's children, without the player
    facts: np.ndarray  # [width], facts about each base
    base_place: np.ndarray  # [width], which base a state has: its own, or that of the first with the same forecast
    # The children of a layer
    child_score: np.ndarray  # [capacity]
    child_bonus: np.ndarray  # [capacity]
    child_player: np.ndarray  # [capacity], the player, packed
    child_parent: np.ndarray  # [capacity], place in the layer above
    child_action: np.ndarray  # [capacity]
    child_forecast: np.ndarray  # [capacity], place in forecasts
    pairs: np.ndarray  # [2, capacity], children with their keys, sorted
    digits: np.ndarray  # [2, DIGITS]
    seen: np.ndarray  # [a power of two], hashes of this layer's children, 0 = free
    per_cell: np.ndarray  # [256], children kept with the player there
    # Forecasts
    forecasts: np.ndarray  # [2 * capacity], in two halves; children share them
    base_owner: np.ndarray  # [2 * capacity], the first state that was expanded with a forecast, or NOBODY
    # The record of every layer
    forecast: np.ndarray  # [depth, width], place in forecasts
    parent: np.ndarray  # [depth, width], place in the layer above
    action: np.ndarray  # [depth, width]
    root: np.ndarray  # [depth, width], the first action
    score: np.ndarray  # [depth, width]
    counters: np.ndarray  # [depth, counter]; those of the children that became layer `depth`
    # Scratch
    scratch: np.ndarray  # [SCRATCH], states
    blocked: np.ndarray  # [FUSE, 3], for survivable_from
    move_terms: np.ndarray  # [PLAYERS | PLACE, move], terms of the evaluation
    other_actions: np.ndarray  # [depth], packed actions of the other players


# Facts about a base.
BASE_FACTS = record(
    [
        ("items", np.uint64, 3),  # before the others take any: all players that arrive together get one
        ("forecast", np.int64),  # place in forecasts, if the player drops no bomb
        ("returned", np.uint64),  # bombs that came back to the player, as added to the packed player
        ("bombs", np.uint64),  # of the player, on the board
        ("box_count", np.int64),
        ("rivalry", np.float64),  # points for the others' boxes and equipment
        ("rest_hash", np.uint64),  # all but the player, the items and this round's bombs
        ("items_hash", np.uint64),
        ("safe", np.uint64, 3),  # where anybody can survive, while traps are looked for
    ]
)

SEARCH = record(
    [
        ("player", np.int64),
        ("depth", np.int64),  # the last complete layer
        ("max_depth", np.int64),
        ("layer_size", np.int64),  # states in that layer
        ("cursor", np.int64),  # how many of them are expanded
        ("child_count", np.int64),
        ("forecast_count", np.int64),  # of the children
        ("nodes", np.int64),  # legal children looked at
        ("roots", np.uint64),  # first actions that may be tried, ten bits
        ("given", np.int64),  # in how many of the first layers there is only one action to try
        ("line", np.uint8, MAX_TURNS),  # which one
        ("width", np.int64),
        ("local", np.int64),
        ("seen_mask", np.uint64),
        ("drops_duplicates", np.bool_),
        ("has_local", np.bool_),
        ("checks_survival", np.bool_),
        ("finished", np.bool_),
        ("mates", np.uint64),  # teammates, four bits
        ("unsurvivable", np.float64),
        ("equipment", np.float64, MAX_PLAYERS),  # the worth of each player's range and bombs at the start
        ("scored", np.int64),  # boxes of the player at the start
        ("ends", np.bool_),
        ("trap", np.float64, MAX_TURNS + 1),  # points for one, by turn
        ("trap_depth", np.int64),  # up to which traps are looked for
        ("trust", np.float64),  # how much of a trap goes by where opponents are predicted
    ]
)


def make_layers(width: int, other_actions: np.ndarray, depth: int = MAX_TURNS) -> Layers:
    """Memory for so many layers of this width. `other_actions` is the caller's: the others' actions by turn."""
    capacity = ACTIONS * width
    assert width >= 1 and 2 * capacity <= MOST_PLACES and 1 <= depth <= min(MAX_TURNS, len(other_actions))
    depth += 1
    return Layers(
        states=np.zeros((2, width), STATE),
        bonus=np.zeros((2, width)),
        bases=np.zeros(width, STATE),
        facts=np.zeros(width, BASE_FACTS),
        base_place=np.zeros(width, np.int32),
        child_score=np.zeros(capacity),
        child_bonus=np.zeros(capacity),
        child_player=np.zeros(capacity, np.uint32),
        child_parent=np.zeros(capacity, np.int32),
        child_action=np.zeros(capacity, np.uint8),
        child_forecast=np.zeros(capacity, np.int32),
        pairs=np.zeros((2, capacity), np.int64),
        digits=np.zeros((2, DIGITS), np.int32),
        seen=np.zeros(max(FEWEST_SEEN, 1 << (2 * capacity).bit_length()), np.uint64),
        per_cell=np.zeros(256, np.int32),
        forecasts=np.zeros(2 * capacity, ROLLING_FORECAST),
        base_owner=np.zeros(2 * capacity, np.int32),
        forecast=np.zeros((depth, width), np.int32),
        parent=np.zeros((depth, width), np.int32),
        action=np.zeros((depth, width), np.uint8),
        root=np.zeros((depth, width), np.uint8),
        score=np.zeros((depth, width)),
        counters=np.zeros((depth, len(COUNTERS)), np.int64),
        scratch=np.zeros(SCRATCH, STATE),
        blocked=np.zeros((FUSE, 3), np.uint64),
        move_terms=np.zeros((2, BOMB)),
        other_actions=other_actions,
    )


def usual_parts(layers: Layers) -> Iterator[np.ndarray]:
    """The memory that most searches use: that of the first states of a layer and of their children."""
    share = min(1.0, USUAL_WIDTH / len(layers.bases))
    for array in layers:
        has_halves = array.size == len(layers.forecasts)
        for row in array.reshape(2, -1) if has_halves else np.atleast_2d(array):
            yield row[: int(share * len(row))]


def best_scores(layers: Layers, depth: int) -> list[float]:
    """The scores of the states on the best line, one for each layer."""
    scores, place = [], 0
    while depth > 0:
        scores.append(float(layers.score[depth, place]))
        place = int(layers.parent[depth, place])
        depth -= 1
    return scores[::-1]


def best_line(layers: Layers, depth: int, place: int = 0) -> list[int]:
    """The actions that lead to a state of a layer."""
    actions = []
    while depth > 0:
        actions.append(int(layers.action[depth, place]))
        place = int(layers.parent[depth, place])
        depth -= 1
    return actions[::-1]
