"""The paper's scores of hybrid: the evader's and the attacker's."""

import numpy as np
import pytest

from engine.state import FUSE
from search.hybrid.machine import make_areas
from search.hybrid.tree import attacker_score, evader_score
from tests.kernels import entries_in
from tests.search.hybrid.hybrids import FAR
from tests.search.positions import drawn

globals().update(entries_in(globals()))

AREAS = make_areas(2)


def evader(text: str, ticks: float = 1.0) -> float:
    position = drawn(text)
    return float(evader_score(position.state, np.uint64(int(position.state.players[0]) & 0xFF), ticks))


def test_each_bomb_in_reach_takes_off_more_the_sooner_it_explodes():
    assert evader(f"..\n0 0 4 4 1 3\n{FAR}") == 100
    assert evader(f"..\n0 0 4 4 1 3\n{FAR}\n1 1 5 4 4 3") == pytest.approx(100 - 25 * (11 - 4) / 10)
    two = f"..\n0 0 4 4 1 3\n{FAR}\n1 1 5 4 4 3\n1 1 4 6 8 3"
    assert evader(two) == pytest.approx(100 - 25 * (11 - 4) / 10 - 25 * (11 - 8) / 10)


def test_bombs_out_of_reach_take_nothing_off():
    assert evader(f"..\n0 0 4 4 1 3\n{FAR}\n1 1 7 4 2 3") == 100
    assert evader(f"..\n.X.\n...\n.X.\n.....0\n0 0 4 4 1 3\n{FAR}\n1 1 6 4 2 5") == 100


def test_of_scaled_ticks_only_those_below_10_count():
    bombs = [f"..\n0 0 4 4 1 3\n{FAR}\n1 1 5 4 {timer} 3" for timer in range(1, FUSE + 1)]
    lost = [100 - evader(text, 25 / FUSE) for text in bombs]
    assert lost[:3] == pytest.approx([25 * (11 - timer * 25 / 8) / 10 for timer in (1, 2, 3)])
    assert lost[3:] == [0] * 5


def test_the_papers_third_figure_scores_69():
    # All tiles within two: 13. Four of the eight cells that can be walked to are in reach of the bomb.
    position = drawn("..\n0 0 0 0 1 3\n0 1 6 4 1 3\n1 0 8 4 8 5")
    score = float(attacker_score(position.state, 1, 2, AREAS))
    assert score == pytest.approx(100 * (1 - 4 / 13))
    assert round(score) == 69


def test_an_opponent_without_a_safe_cell_and_a_dead_one_score_100():
    shut_in = drawn("..\n0 0 12 10 1 3\n0 1 0 0 1 3\n1 0 0 1 8 3\n1 0 1 0 7 3")
    assert attacker_score(shut_in.state, 1, 2, AREAS) == 100
    assert attacker_score(shut_in.state, 2, 2, AREAS) == 100
