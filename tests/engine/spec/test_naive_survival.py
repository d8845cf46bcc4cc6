"""Who can still get away: drawn positions, and the fast functions against brute force on random ones."""

import numpy as np
import pytest

from engine import survival as fast
from engine.board import cells_of
from engine.rules import play_round
from engine.spec import naive_survival as slow
from engine.spec.bridge import from_state
from engine.spec.wild import below, careful_actions, make_position, new_random
from engine.state import MAX_PLAYERS, new_map, new_states
from engine.survival import KILL_SCRATCH, new_forecast
from tests.engine.draw import position

POSITIONS = 2_000  # random ones


def is_survivable(state, map_, player):
    """The answer that both engines give."""
    answer = slow.is_survivable(from_state(state, map_), player)
    assert bool(fast.is_survivable(state, map_, player)) == answer
    return answer


def survivable_cells(state, map_):
    marked = slow.survivable_cells(from_state(state, map_))
    answer = {(int(x), int(y)) for y, x in zip(*np.nonzero(marked), strict=True)}
    assert set(cells_of(np.array(fast.survivable_cells(state, map_, new_forecast()), np.uint64))) == answer
    return answer


def can_kill(state, map_, player, enemy):
    answer = slow.can_kill(from_state(state, map_), player, enemy)
    assert bool(fast.can_kill(state, map_, player, enemy, new_states(KILL_SCRATCH))) == answer
    return answer


@pytest.mark.parametrize(("timer", "survives"), [(4, True), (3, False)])
def test_a_player_survives_who_gets_around_the_corner_in_time(timer, survives):
    drawn = f"""
        ...0
        0X.X
        0 0 0 0 1 3
        1 0 0 0 {timer} 5
        """
    assert is_survivable(*position(drawn), 0) == survives


def test_a_player_shut_in_with_a_bomb_does_not_survive():
    drawn = """
        ..0
        0X.
        0 0 0 0 1 3
        1 1 1 0 8 3
        """
    assert not is_survivable(*position(drawn), 0)


def test_a_box_that_burns_opens_the_way_only_for_the_next_round():
    drawn = """
        .0.
        0X.
        0 0 0 0 1 3
        1 0 0 0 {later} 2
        1 1 3 0 1 3
        """
    assert not is_survivable(*position(drawn.format(later=2)), 0)
    assert not is_survivable(*position(drawn.format(later=3)), 0)
    assert is_survivable(*position(drawn.format(later=4)), 0)


def test_the_dead_do_not_survive():
    assert not is_survivable(*position("0 0 0 0 1 3"), 1)


def test_survivable_cells_are_those_from_which_a_player_gets_away_boxes_left_out():
    drawn = """
        ...0
        0X0X
        ..
        1 1 0 0 2 3
        1 1 0 2 1 1
        """
    cells = survivable_cells(*position(drawn))
    assert {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2)}.isdisjoint(cells)
    assert {(1, 2), (4, 0), (12, 10)} <= cells
    assert len(cells) == 113 - 7  # (2, 1) is a box too


def test_an_enemy_at_the_mouth_of_a_dead_end_kills_who_is_in_it():
    drawn = """
        ...
        0X.
        0 0 0 0 1 3
        0 1 2 0 1 {bomb_range}
        """
    assert can_kill(*position(drawn.format(bomb_range=3)), 0, 1)
    assert not can_kill(*position(drawn.format(bomb_range=3)), 1, 0)
    assert not can_kill(*position(drawn.format(bomb_range=2)), 0, 1)


def test_a_player_next_to_the_mouth_of_a_dead_end_gets_out_with_the_enemy():
    drawn = """
        ..
        0X
        0 0 0 0 1 3
        0 1 1 0 1 3
        """
    assert not can_kill(*position(drawn), 0, 1)


def test_the_dead_kill_nobody():
    assert not can_kill(*position("0 0 0 0 1 3"), 0, 1)


@pytest.mark.slow
def test_fast_and_slow_agree_on_random_positions():
    random, states, map_ = new_random(1), new_states(2), new_map()
    state, answers = states[0], []
    for number in range(POSITIONS):
        make_position(state, map_, random, 2 + number % 3)
        for _ in range(number % 4):
            play_round(state, map_, careful_actions(state, map_, random, 40, states[1:]))
        survivors = [is_survivable(state, map_, player) for player in range(MAX_PLAYERS)]
        player = below(random, MAX_PLAYERS)
        killed = can_kill(state, map_, player, (player + 1 + below(random, MAX_PLAYERS - 1)) % MAX_PLAYERS)
        answers.append((sum(survivors), survivors[player] and killed))
        survivable_cells(state, map_)
    survived, killed = np.sum(answers, axis=0)
    assert 0 < survived < MAX_PLAYERS * POSITIONS
    assert killed > 20  # that would have survived otherwise
