"""The paper's evaluation: every term worked out by hand, and the shortcuts of the search against the slow way."""

import numpy as np
import pytest

from engine.board import CELLS, NEIGHBOURS, OFF, OPEN_CELLS, U64, cells_of
from engine.cells import read
from engine.spec.wild import below, new_random
from engine.state import FUSE
from engine.survival import hits_ahead, is_survivable
from search.beam.params import BeamParams
from search.common.evaluate import (
    TERMS,
    bombs_term,
    box_distance,
    box_distance_after,
    equipment_terms,
    evaluate_terms,
    make_weights,
    placed_bombs,
    range_term,
    value_of,
)
from search.common.params import EvaluationParams
from search.rhea.params import RheaParams
from tests.kernels import entries_in
from tests.search.beam.beams import beam_agent, nodes_of, random_plans, search_by_layers
from tests.search.positions import Position, drawn, random_positions

globals().update(entries_in(globals()))

WEIGHTS = make_weights(EvaluationParams())


def terms_of(position: Position) -> dict[str, float]:
    return evaluate_terms(*position, WEIGHTS)


def test_the_seven_terms_of_a_position():
    text = """
        .....0
        0 0 2 0 1 4
        0 1 12 10 1 3
        0 2 12 0 1 3
        1 0 4 0 3 2
        """
    assert terms_of(drawn(text, boxes=(7, 0, 0))) == pytest.approx(
        {
            "boxes": 7,
            "range": 0.9 * 4 + 0.4 * 4,
            "bombs": 3.4 + 1.7 + 0.7,  # one left and one on the board: one extra
            "future": 0.95**3,
            "players": 0.05 * (20 + 10) / 2,
            "place": -0.1 * 3,
            "dead": 0,
        }
    )


OWN_BOMB = 3.4 + 1.7 + 0.7  # of one extra bomb


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        pytest.param(
            "0 0 0 0 6 7",
            {},
            {"range": 0.9 * 5 + 0.4 * 7, "bombs": 3.4 * 2 + 1.7 * 4 + 0.7 * 5},
            id="range counts less above 5 and bombs less above 2 and 4",
        ),
        pytest.param("0 0 0 0 1 3", {}, {"bombs": 0}, id="the bomb of the start"),
        pytest.param("0 0 0 0 0 3\n1 0 4 4 5 3", {}, {"bombs": 0}, id="on the board"),
        pytest.param("0 0 0 0 2 3", {"first": True}, {"bombs": 2 * OWN_BOMB}, id="the first bomb counts if asked for"),
        pytest.param("0 0 0 0 2 3", {}, {"bombs": OWN_BOMB}, id="or not"),
        pytest.param("0 1 0 0 1 3", {}, {**dict.fromkeys(TERMS, 0.0), "boxes": 4, "dead": -1000}, id="the dead"),
        pytest.param("0 0 3 2 1 3", {}, {"players": 0, "place": 0}, id="without others and boxes"),
        pytest.param(
            "..0.0\n0 0 0 0 1 3\n1 0 0 2 5 3",
            {"out": 0.5, "sum_boxes": -1.0, "near_boxes": 0.0},
            {"bombs": OWN_BOMB + 0.5, "place": -6.0},
            id="bombs on the board and the sum of distances",
        ),
        pytest.param(
            "0.\n0 0 0 4 1 3\n0 1 4 4 1 3\n1 0 1 0 2 2",
            {"box": 3.0, "gamma": 0.5, "players": 1.0},
            {"boxes": 12, "future": 3 * 0.5**2, "players": 4},
            id="weights",
        ),
    ],
)
def test_the_terms_of_a_position_with_four_boxes_scored(text, changes, expected):
    terms = evaluate_terms(*drawn(text, boxes=(4, 0)), make_weights(EvaluationParams(**changes)))
    assert {name: terms[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("last_row", "place"),
    [
        # 21 boxes: 4 columns and 5 rows to (6, 5)
        ("00000000", -0.04 * (4 + 5)),
        # 20 boxes: columns 0 to 12 of row 2 are 58 columns and 13 x 2 rows away, 0 to 6 of row 4 are 13 and 7 x 4
        ("0000000", -0.1 * (58 + 26 + 13 + 28) / 20),
    ],
)
def test_above_20_boxes_the_centre_draws_then_the_boxes_do(last_row, place):
    text = f"""
        .............
        .X.X.X.X.X.X.
        0000000000000
        .X.X.X.X.X.X.
        {last_row}
        0 0 2 0 1 3
        """
    assert terms_of(drawn(text))["place"] == pytest.approx(place)


@pytest.mark.parametrize(
    ("why", "bombs", "future"),
    [
        ("a box once, and then when it is destroyed", ["1 0 0 0 2 3", "1 0 4 0 5 3"], 0.95**2),
        ("own bombs that explode together share a box", ["1 0 4 0 2 3", "1 0 4 2 5 3", "1 0 2 2 7 3"], 0.95**2),
        ("another player's bombs are none of mine", ["1 1 0 0 2 3"], 0),
        ("a box that another player destroys first is gone", ["1 1 0 0 2 3", "1 0 4 0 5 3"], 0),
        ("a box destroyed together counts", ["1 1 0 0 2 3", "1 0 4 0 2 3"], 0.95**2),
        ("a bomb lit by another player's explodes with it", ["1 1 4 2 2 3", "1 0 4 0 5 3"], 0.95**2),
        ("a bomb that explodes now counts one turn", ["1 0 0 0 1 3"], 0.95),
        ("a bomb just dropped counts eight", ["1 0 0 0 8 3"], 0.95**8),
    ],
)
def test_boxes_that_own_bombs_will_destroy_count_by_when(why, bombs, future):
    text = "\n".join(["..0..", "0 0 12 10 1 3", "0 1 12 8 1 3", *bombs])
    assert terms_of(drawn(text))["future"] == pytest.approx(future), why


def test_boxes_ahead_are_those_that_standing_still_will_score():
    for position in random_positions(100, seed=1):
        ahead = int(hits_ahead(*position)).to_bytes(FUSE, "little")
        expected = sum(0.95 ** (k + 1) * boxes for k, boxes in enumerate(ahead))
        assert terms_of(position)["future"] == pytest.approx(expected)


def test_a_box_to_be_destroyed_loses_the_same_for_each_turn_where_early_is_better():
    position = drawn("..0..\n0 0 12 10 1 3\n1 0 0 0 4 3")
    weights = make_weights(BeamParams(early=0.1, box=2.0))
    assert evaluate_terms(*position, weights)["future"] == pytest.approx(2 * (1 - 0.1 * 4))


# Shortcuts of the search


def slow_distance(boxes: np.ndarray, x: int, y: int) -> int:
    return sum(abs(box_x - x) + abs(box_y - y) for box_x, box_y in cells_of(boxes))


def test_the_distance_to_all_boxes_is_the_slow_sum():
    random = new_random(2)
    for state, _map, _player in random_positions(50, seed=2):
        x, y = OPEN_CELLS[below(random, len(OPEN_CELLS))]
        assert box_distance(read(state.boxes), U64(CELLS[y, x])) == slow_distance(state.boxes, x, y)


def test_the_distance_after_a_move_follows_from_the_one_before():
    for state, _map, _player in random_positions(10, seed=3):
        boxes, count = read(state.boxes), len(cells_of(state.boxes))
        for x, y in OPEN_CELLS:
            cell = U64(CELLS[y, x])
            for to in map(U64, NEIGHBOURS[cell][NEIGHBOURS[cell] != OFF]):
                moved = box_distance_after(boxes, count, cell, box_distance(boxes, cell), to)
                assert moved == box_distance(boxes, to)


def test_the_equipment_is_range_and_bombs_together():
    for state, _map, player in random_positions(50, seed=4):
        number, bombs = int(state.players[player]), placed_bombs(state, player)
        extra = (number >> 16) + int(bombs) - 1
        expected = range_term(float(number >> 8 & 0xFF), WEIGHTS) + bombs_term(float(extra), WEIGHTS)
        assert equipment_terms(U64(number), bombs, WEIGHTS) == expected


@pytest.mark.parametrize("change", ["many_boxes=0", "many_boxes=20", "many_boxes=113", "sum_boxes=-0.1,out=0.3"])
def test_the_terms_of_every_kept_state_add_up_to_its_score(change):
    beam, random = beam_agent(f"beam:paper,width=30,local=3,sc=0,{change}"), new_random(5)
    for position in random_positions(20, seed=5):
        for depth in search_by_layers(beam, position, random_plans(position, random), 10):
            for node in nodes_of(beam, depth):
                terms = evaluate_terms(node.state, position.map, position.player, beam.weights)
                assert sum(terms.values()) == pytest.approx(node.score, abs=1e-9)


def test_states_that_can_not_be_survived_lose_so_many_points():
    beam, random, lost = beam_agent("beam:paper,width=30,local=3,unsurvivable=-33"), new_random(6), 0
    for position in random_positions(20, seed=6):
        for depth in search_by_layers(beam, position, random_plans(position, random), 10):
            for node in nodes_of(beam, depth):
                value = sum(evaluate_terms(node.state, position.map, position.player, beam.weights).values())
                survives = is_survivable(node.state, position.map, position.player)
                assert node.score == pytest.approx(value if survives else value - 33, abs=1e-9)
                lost += not survives
    assert lost > 100


def test_rhea_values_a_state_by_the_same_terms():
    weights = make_weights(RheaParams())
    for position in random_positions(50, seed=7):
        assert value_of(*position, weights) == pytest.approx(sum(evaluate_terms(*position, weights).values()))
