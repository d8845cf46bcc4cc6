"""The model: a score per player, a weighted sum of terms whose weights depend on the boxes left, then places.

    weights   [living - 2, in contention - 2, knot, term]; between two knots of boxes left they are interpolated
    judge     a position -> P(place) of every player, for kernels
    Judge     the same for Python

The weights are data (`model.json`), made by `hsctl train winning`; the file says from what and how good they are.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.board import count_bits, has_bit
from engine.errors import HsctlError
from engine.game import ARENA, SURVIVOR_VALUE, Game
from engine.jit import entry, inline, kernel
from engine.position import box_count
from engine.state import MAX_PLAYERS, MAX_TURNS
from engine.variants import TeamGame
from search.winning.features import LEFT, FeatureMemory, fill_features, new_feature_memory
from search.winning.places import ABSENT, SUBSETS, dead_in, living_in, rank_by_values, rank_living
from search.winning.terms import TERMS, fill_terms

MODEL_FILE = Path(__file__).parent / "model.json"
KNOTS = (0, 1, 4, 9, 18, 30, 45)  # boxes left


class JudgeMemory(NamedTuple):
    """What a position is judged by and in; `places` is the result."""

    weights: np.ndarray  # [living - 2, in contention - 2, knot, term]
    knots: np.ndarray  # [knot] of boxes left
    features: FeatureMemory
    terms: np.ndarray  # [player, term]
    scores: np.ndarray  # [in contention - 1, player]
    chances: np.ndarray  # [set of players]
    places: np.ndarray  # [player, place]


def new_weights() -> np.ndarray:
    """Weights that make everybody equal."""
    return np.zeros((MAX_PLAYERS - 1, MAX_PLAYERS - 1, len(KNOTS), len(TERMS)))


def new_judge_memory(weights: np.ndarray) -> JudgeMemory:
    """Memory for judging by these weights."""
    return JudgeMemory(
        weights=weights,
        knots=np.array(KNOTS, np.float64),
        features=new_feature_memory(),
        terms=np.zeros((MAX_PLAYERS, len(TERMS))),
        scores=np.zeros((MAX_PLAYERS, MAX_PLAYERS)),
        chances=np.zeros(SUBSETS),
        places=np.zeros((MAX_PLAYERS, MAX_PLAYERS)),
    )


@inline
def knot_below(knots, left):
    """The last knot but one, or the last before it that is not above `left`."""
    at = 0
    while at < len(knots) - 2 and knots[at + 1] <= left:
        at += 1
    return at


@inline
def fill_scores(memory, living, count, contenders, left):
    """The scores of so many living players for one number in contention."""
    knots, weights = memory.knots, memory.weights[count - 2, contenders - 2]
    at = knot_below(knots, left)
    share = min(1.0, (left - knots[at]) / (knots[at + 1] - knots[at]))
    for player in range(MAX_PLAYERS):
        total = 0.0
        if has_bit(living, player):
            for k in range(len(weights[at])):
                weight = weights[at, k] + share * (weights[at + 1, k] - weights[at, k])
                total += weight * memory.terms[player, k]
        memory.scores[contenders - 1, player] = total


@kernel
def rank_terms(memory, living, count, left):
    """Fill in the places of so many living players from their terms and the boxes left."""
    for contenders in range(2, count + 1):
        fill_scores(memory, living, count, contenders, left)
    memory.scores[0, :] = 0.0
    rank_living(memory.scores, living, count, memory.chances, memory.places)


@entry
def rank_rows(terms, living, left, memory, places):
    """`judge` of many positions whose terms are known: places[row, player, place] from terms[row, player, term].

    `living` are sets of bits. The dead get zeros.
    """
    for row in range(len(left)):
        memory.places[:, :] = 0.0
        for player in range(MAX_PLAYERS):
            for k in range(terms.shape[2]):
                memory.terms[player, k] = terms[row, player, k]
        rank_terms(memory, living[row], np.int64(count_bits(living[row])), left[row])
        for player in range(MAX_PLAYERS):
            for place in range(MAX_PLAYERS):
                places[row, player, place] = memory.places[player, place]


@entry
def judge(state, map_, rounds_left, values, memory):
    """Fill in places[player, place], the probability of each place, counted from 0.

    `rounds_left`: rounds until the game ends, 0 if it is over. `values` is what the dead rank by, higher is better,
    and ABSENT for seats that nobody has, which get zeros; what it holds for the living doesn't matter and may change.
    """
    places, living = memory.places, living_in(state)
    places[:, :] = 0.0
    count = np.int64(count_bits(living))
    rank_by_values(values, dead_in(values, living), count, places)
    if count < 2 or rounds_left <= 0:
        for player in range(MAX_PLAYERS):
            if has_bit(living, player):
                values[player] = SURVIVOR_VALUE + np.int64(state.scored[player])
        rank_by_values(values, living, 0, places)
        return
    fill_features(state, map_, rounds_left, memory.features)
    features, left = memory.features.features, 0.0
    for player in range(MAX_PLAYERS):
        if has_bit(living, player):
            left = features[player, LEFT]
            fill_terms(state, features, player, memory.terms[player])
    rank_terms(memory, living, count, left)


# For Python


def rounds_left(game: Game) -> int:
    """How many rounds a game can still last; 0 if it is over."""
    if game.is_over:
        return 0
    left = MAX_TURNS - game.turn
    return left if box_count(game.state) else min(left, game.last_box_counter)


def values_of(game: Game) -> np.ndarray:
    """What the dead rank by, as `judge` takes it."""
    values = np.full(MAX_PLAYERS, ABSENT, np.int64)
    values[: game.seats] = game.values()
    return values


@cache
def load_model(path: Path = MODEL_FILE) -> dict[str, Any]:
    """The model's file: weights and where they come from."""
    model: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if model["terms"] != list(TERMS) or model["knots"] != list(KNOTS):
        raise HsctlError(f"{path}: made for other terms; make it again with `hsctl train winning`")
    return model


def load_weights(path: Path = MODEL_FILE) -> np.ndarray:
    """The model's weights: [living - 2, in contention - 2, knot, term]."""
    return np.array(load_model(path)["weights"], np.float64)


class Judge:
    """Judges positions of games for boxes; holds the memory that it needs."""

    def __init__(self, weights: np.ndarray | None = None) -> None:
        self.memory = new_judge_memory(load_weights() if weights is None else weights)

    def places(self, game: Game) -> np.ndarray:
        """The probability of each place, [seat, place]. What is certain is 0 or 1; players that tie share places."""
        if game.ends != ARENA or isinstance(game, TeamGame):
            raise HsctlError("the win probability is for games without teams in which boxes count")
        judge(game.state, game.map, rounds_left(game), values_of(game), self.memory)
        return self.memory.places[: game.seats, : game.seats].copy()

    def wins(self, game: Game) -> list[float]:
        """The probability of the first place per seat; a shared first place counts in part."""
        return [float(chance) for chance in self.places(game)[:, 0]]
