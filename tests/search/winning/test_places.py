"""Places from scores: against all orders enumerated, with the dead behind the living."""

import math
from itertools import permutations

import numpy as np
import pytest

from engine.board import U64
from engine.jit import entry
from engine.state import MAX_PLAYERS
from search.winning.places import LOWEST, SUBSETS, exponential, rank_by_values, rank_living


@entry
def places_of_scores(scores, living, count, chances, places):
    rank_living(scores, living, count, chances, places)


@entry
def places_of_values(values, players, first, places):
    rank_by_values(values, players, first, places)


def ranked(scores: np.ndarray, living: list[int]) -> np.ndarray:
    places = np.zeros((MAX_PLAYERS, MAX_PLAYERS))
    bits = U64(sum(1 << player for player in living))
    places_of_scores(scores.copy(), bits, len(living), np.zeros(SUBSETS), places)
    return places


def enumerated(scores: np.ndarray, living: list[int]) -> np.ndarray:
    """The same by all orders of the living, one by one."""
    places = np.zeros((MAX_PLAYERS, MAX_PLAYERS))
    for order in permutations(living):
        chance = 1.0
        for place in range(len(order)):
            row = scores[len(order) - place - 1]
            chance *= math.exp(row[order[place]]) / sum(math.exp(row[player]) for player in order[place:])
        for place, player in enumerate(order):
            places[player, place] += chance
    return places


def test_the_exponential_is_that_of_the_library():
    for x in np.linspace(LOWEST, 0.0, 1001):
        assert exponential(x) == pytest.approx(math.exp(x), rel=1e-12)
    assert exponential(0.0) == 1.0
    assert exponential(-1000.0) == exponential(LOWEST) > 0.0


@pytest.mark.parametrize("living", [[0, 1], [1, 3], [0, 2, 3], [0, 1, 2, 3]])
def test_places_are_those_of_all_orders(living):
    random = np.random.default_rng(len(living))
    for scale in (0.1, 1.0, 5.0):
        scores = scale * random.normal(size=(MAX_PLAYERS, MAX_PLAYERS))
        found = ranked(scores, living)
        assert found == pytest.approx(enumerated(scores, living), abs=1e-12)
        assert found.sum(axis=1)[living] == pytest.approx(1.0)
        assert found.sum(axis=0)[: len(living)] == pytest.approx(1.0)


def test_hopeless_scores_stay_finite():
    scores = np.zeros((MAX_PLAYERS, MAX_PLAYERS))
    scores[:, 0] = 1e6
    found = ranked(scores, [0, 1, 2])
    assert found[0, 0] == pytest.approx(1.0)
    assert found[1] == pytest.approx(found[2])
    assert np.isfinite(found).all()


def test_equal_values_share_their_places_evenly():
    places = np.zeros((MAX_PLAYERS, MAX_PLAYERS))
    places_of_values(np.array([500, 700, 700, 100]), U64(0b1110), 1, places)
    assert places.tolist() == [[0, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]]
