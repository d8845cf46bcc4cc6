"""How the race for boxes stands, and what the beam makes of it."""

import pytest

from engine.rules import BOMB
from engine.state import MAX_PLAYERS, MAX_TURNS
from search.agent import Budget
from search.beam.agent import ANSWERED
from search.beam.race import LEVEL, LOST, OPEN, WON, race_of
from search.clock import Timer
from tests.search.beam.beams import beam_agent
from tests.search.positions import Position, decide, drawn, others_of, random_positions

TWO_BOXES = """
    ....00
    .X.X.X
    0 0 0 0 1 3
    0 1 0 4 1 3
"""
BOMB_OF_RIVAL = """
    ....00
    .X.X.X
    0 0 0 0 1 3
    0 1 0 4 1 3
    1 1 3 0 5 3
"""


def race(position: Position) -> int:
    return race_of(position.state, position.map, position.player, others_of(position))


@pytest.mark.parametrize(
    ("boxes", "stands"),
    [((5, 5), OPEN), ((7, 5), OPEN), ((8, 5), WON), ((5, 6), OPEN), ((5, 7), LEVEL), ((5, 8), LOST)],
)
def test_the_race_is_decided_by_the_boxes_that_are_left(boxes, stands):
    assert race(drawn(TWO_BOXES, boxes=boxes)) == stands


def test_boxes_that_known_bombs_will_destroy_are_as_good_as_counted_in_a_lost_race():
    assert race(drawn(BOMB_OF_RIVAL, boxes=(5, 5))) == OPEN
    assert race(drawn(BOMB_OF_RIVAL, boxes=(5, 6))) == LOST


def test_bombs_that_would_explode_after_the_end_count_for_nobody():
    assert race(drawn(BOMB_OF_RIVAL, turn=MAX_TURNS - 5, boxes=(5, 6))) == LOST
    assert race(drawn(BOMB_OF_RIVAL, turn=MAX_TURNS - 4, boxes=(5, 6))) == OPEN


def test_a_race_against_several_opponents_is_won_but_never_lost():
    three = TWO_BOXES + "    0 2 12 0 1 3\n"
    assert race(drawn(three, boxes=(8, 5, 5))) == WON
    assert race(drawn(three, boxes=(5, 9, 9))) == OPEN


def test_nobody_races_alone():
    alone = drawn(TWO_BOXES, boxes=(5, 9))
    alone.state.players[1] = 0
    assert race(alone) == OPEN


def test_the_state_is_left_as_it_was():
    position = drawn(BOMB_OF_RIVAL, boxes=(5, 7))
    before = position.state.tobytes()
    race(position)
    assert position.state.tobytes() == before


BESIDE_A_BOX = """
    .0.........
    .X.X.X.X.X.
    ...........
    0 0 0 0 1 3
    0 1 8 2 1 3
"""


@pytest.mark.parametrize(("boxes", "is_run"), [((5, 5), True), ((5, 7), False)])
def test_a_lost_race_is_no_longer_run(boxes, is_run):
    action = decide(beam_agent("beam"), drawn(BESIDE_A_BOX, boxes=boxes), Budget(nodes=3000)).action
    assert (action >= BOMB) == is_run


def test_in_a_lost_race_moves_must_still_hold_against_every_answer():
    beam, found = beam_agent("beam"), 0
    for position in random_positions(400, seed=3):
        rivals = others_of(position)
        if len(rivals) != 1:
            continue
        position.state.scored[rivals[0]] = 200
        decide(beam, position, Budget(nodes=2000))
        assert beam.race == LOST
        found += ANSWERED in beam.filtered.values()
    assert found


TRAP = """
    ...........
    .X.X.X.X.X.
    ...........
    0 0 0 0 1 3
    0 1 8 2 1 3
"""


def test_a_trap_is_worth_more_and_for_longer_once_the_race_is_lost():
    beam = beam_agent("beam")
    points = {}
    for boxes in ((5, 5), (5, 9)):
        decide(beam, drawn(TRAP, boxes=boxes), Budget(nodes=100))
        points[beam.race] = beam.search.trap.tolist(), int(beam.search.trap_depth)
    (usual, depth), (hunting, farther) = points[LEVEL], points[LOST]
    assert usual[:3] == [2.0, 2.0 * 0.6, 2.0 * (0.6 * 0.6)] and hunting[:2] == [8.0, 8.0 * 0.8]
    assert farther > depth


def test_with_a_teammate_the_race_is_open_whatever_it_was_before():
    beam, position = beam_agent("beam"), drawn(TWO_BOXES, boxes=(5, 99))
    timer = Timer(Budget(nodes=500))
    beam.start_game(position.map, 0, 1)
    beam.own_roots(position.state, 0, timer, {})
    assert beam.race == LOST
    beam.start_game(position.map, 0, 1, mates=tuple(range(2, MAX_PLAYERS)))
    beam.own_roots(position.state, 0, timer, {})
    assert beam.race == OPEN


def test_with_more_than_two_players_it_looks_less_far_and_in_more_haste():
    beam, seen = beam_agent("beam"), {}
    for position in random_positions(30, seed=9):
        decision = decide(beam, position, Budget(nodes=3000))
        many = len(others_of(position)) > 1
        assert beam.has_many == many and beam.horizon == (24 if many else 32) and decision.depth <= beam.horizon
        seen[many] = float(beam.weights.early)
    assert seen == {False: 0.05, True: 0.1}
    paper = beam_agent("beam:scaled")
    decide(paper, position, Budget(nodes=500))
    assert paper.horizon == MAX_TURNS and paper.weights.early == 0.0
