"""The features of a position: each against its twin in plain Python, and some worked out by hand."""

import numpy as np
import pytest

from engine.state import MAX_PLAYERS
from search.winning.features import FEATURES
from search.winning.model import judge, new_judge_memory
from search.winning.places import ABSENT
from tests.search.positions import Position, drawn, random_positions
from tests.search.winning import twin
from tests.search.winning.judging import NO_WEIGHTS


def features_of(position: Position, rounds_left: int = 100) -> dict[int, dict[str, float]]:
    """The features of the living by name."""
    memory = new_judge_memory(NO_WEIGHTS)
    judge(position.state, position.map, rounds_left, np.full(MAX_PLAYERS, ABSENT, np.int64), memory)
    living = [player for player in range(MAX_PLAYERS) if position.state.players[player]]
    rows = memory.features.features
    return {at: dict(zip(FEATURES, rows[at].tolist(), strict=True)) for at in living}


@pytest.mark.parametrize("rounds_left", [100, 12, 3])
def test_every_feature_is_that_of_its_twin(rounds_left):
    seen = 0
    for position in random_positions(60, seed=rounds_left):
        if np.count_nonzero(position.state.players) > 1:
            expected = twin.features_of(position.state, position.map, rounds_left)
            found = features_of(position, rounds_left)
            for player, features in expected.items():
                assert found[player] == pytest.approx(features, abs=1e-9), (player, position.state)
            seen += 1
    assert seen > 40


def test_boxes_of_bombs_that_explode_after_the_end_are_not_claimed():
    position = drawn("..0\n.X.\n0 0 0 2 1 3\n0 1 12 10 1 3\n1 0 1 0 5 3")
    assert features_of(position, 5)[0]["claimed"] == 1
    assert features_of(position, 4)[0]["claimed"] == 0


def test_a_player_in_a_dead_end_can_be_forced_by_a_rival_at_its_mouth():
    position = drawn("....\n0X.X\n0 0 0 0 1 3\n0 1 2 0 1 5")
    features = features_of(position)
    assert (features[0]["escapes"], features[0]["forced"]) == (2, 0)
    assert features[1]["forced"] > 0


def test_a_box_between_two_players_is_shared():
    position = drawn("..0..\n.X.X.\n0 0 0 0 1 3\n0 1 4 0 1 3")
    features = features_of(position)
    assert [features[at]["nearer"] for at in (0, 1)] == [0.5, 0.5]
    assert [features[at]["race"] for at in (0, 1)] == [1, 1]
