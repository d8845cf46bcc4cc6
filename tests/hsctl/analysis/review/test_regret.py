"""Regret: a bomb that is wasted costs boxes, the reference's own move costs nothing, and the unit is a box."""

import pytest

from engine.board import DOWN, LEFT, UP
from engine.errors import HsctlError
from engine.rules import BOMB
from hsctl.analysis.review.mistakes import ReferenceBeam, regrets_of, value_mistakes
from tests.hsctl.analysis.review.test_deaths import played

# Two steps from a place beside three boxes, with one bomb; the rival is far away and does nothing.
THREE_BOXES = """
    ..0....
    .X.X.X.
    0.....0
    .X.X.X.
    ..0....
    0 0 4 2 1 4
    0 1 12 10 1 3
    """


def test_a_bomb_in_the_wrong_place_is_found() -> None:
    reference = ReferenceBeam("beam", 3_000)
    waits, wastes = played(THREE_BOXES, [], []), played(THREE_BOXES, [UP, BOMB + DOWN, LEFT, LEFT], [])
    first = {}
    for name, playback in (("waits", waits), ("wastes", wastes)):
        found = regrets_of(playback, 0, reference, lambda _: None)
        assert len(found.values[0]) == len(playback.replay.turns)
        assert all(each.cost <= each.boxes for each in found.differing)
        first[name] = max(each.cost for each in found.differing if each.turn <= 1)
    assert first["wastes"] > 2 * first["waits"] > 0


def test_what_is_done_again_in_one_position_is_one_mistake() -> None:
    found = regrets_of(played(THREE_BOXES, [], []), 0, ReferenceBeam("beam", 1_000), lambda _: None)
    told = value_mistakes(found.differing, found.horizon)
    assert len(told) < len(found.differing)
    assert sum(1 + len(mistake.repeats) for mistake in told) == len(found.differing)


def test_only_the_beam_counts_in_boxes() -> None:
    with pytest.raises(HsctlError, match="--agent mcts"):
        ReferenceBeam("mcts")
    assert ReferenceBeam("beam:early=0", 100).box == 1.0
    assert ReferenceBeam("beam:reference", 100).box == pytest.approx(2.2)
