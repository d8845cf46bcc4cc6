"""The fire of one bomb, from every cell and with every range, against a walk cell by cell."""

from random import Random

import numpy as np
import pytest

from engine.blast import blast
from engine.board import CELLS, DELTAS, OPEN_CELLS, cells_of, is_on_board, is_wall, words_of
from engine.jit import entry
from engine.state import MAX_RANGE


@entry
def fire_of(cell, bomb_range, a, h, v):
    return blast(cell, bomb_range, (a, h, v))


def walk(x, y, bomb_range, obstacles):
    burning = {(x, y)}
    for dx, dy in DELTAS[1:]:
        for steps in range(1, bomb_range):
            place = x + steps * dx, y + steps * dy
            if not is_on_board(*place) or is_wall(*place):
                break
            burning.add(place)
            if place in obstacles:
                break
    return sorted(burning, key=lambda place: (place[1], place[0]))


@pytest.mark.parametrize("density", [0, 5, 30, 113])
def test_fire_goes_as_far_as_a_walk_does(density):
    random = Random(density)
    for x, y in OPEN_CELLS:
        for bomb_range in (*range(1, 17), MAX_RANGE):
            obstacles = random.sample(OPEN_CELLS, density)
            fire = fire_of(np.uint64(CELLS[y, x]), np.uint64(bomb_range), *words_of(obstacles))
            assert cells_of(np.array(fire, np.uint64)) == walk(x, y, bomb_range, obstacles)
