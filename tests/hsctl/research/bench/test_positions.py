"""The positions that are measured."""

import pytest

from engine.notation import format_position, parse_position
from engine.spec.bridge import from_state
from hsctl.behaviour import MIDGAMES
from hsctl.research.bench.measure import measured_from
from tests.engine.draw import assert_same, board


def test_if_player_0_is_dead_another_takes_the_number_and_the_bombs() -> None:
    drawn = """
        ..0
        0 {} 0 0 1 3
        0 2 12 10 2 5
        1 {} 4 4 8 5
        1 {} 6 2 3 3
        2 0 8 2 1 1
        """
    measured = measured_from(parse_position(board(drawn.format(1, 0, 1))))
    assert measured.players == 2
    expected = parse_position(board(drawn.format(0, 1, 0)))
    assert_same(from_state(expected.state, expected.map), measured.state, measured.map)


@pytest.mark.parametrize("players", MIDGAMES)
def test_the_midgames_are_heavy(players: int) -> None:
    game = parse_position(MIDGAMES[players])
    assert format_position(game) == MIDGAMES[players]
    assert game.living == list(range(players))
    assert 6 <= len(game.bombs) <= 9
