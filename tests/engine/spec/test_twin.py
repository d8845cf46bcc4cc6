"""Both engines play the same random games, compiled and as plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.spec.bridge import FIELDS, SAME, difference, from_state
from engine.spec.naive import new_naive
from engine.spec.twin import explain, verify
from engine.state import copy_state, new_states
from tests.engine.draw import pack, position

ROOT = Path(__file__).parents[3]
STEPS = 100_000  # for each number of players
PLAIN_STEPS = 600


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_engines_agree_over_random_games_that_reach_every_corner(players):
    met = verify(STEPS, seed=1, players=players)
    assert met.steps == STEPS
    assert met.most_bombs_of_one == 8
    assert met.most_bombs == 8 * players
    assert met.largest_range > 15
    assert met.longest_game == 200
    assert met.explosions > 10_000
    assert min(met.mixed_chains, met.deaths, met.shared_deaths, met.shared_cells, met.shared_bombs) > 1_000


def test_a_seed_repeats_its_games_and_another_plays_others():
    assert verify(1_000, seed=1, players=3) == verify(1_000, seed=1, players=3)
    assert verify(1_000, seed=1, players=3).digest != verify(1_000, seed=2, players=3).digest


def run_plain(*arguments: str) -> str:
    """Run Python without the compiler (its uint64 scalars warn where they wrap around, as they must)."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_plain_python_plays_the_same_games_as_compiled_code():
    plain = run_plain("-c", f"from engine.spec.twin import verify; print(verify({PLAIN_STEPS}, seed=1, players=4))")
    assert plain == str(verify(PLAIN_STEPS, seed=1, players=4))


@pytest.mark.slow
def test_the_drawn_rules_hold_in_plain_python():
    rules = str(Path(__file__).with_name("test_naive.py"))
    assert "passed" in run_plain("-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-v", rules)


BEFORE = """
    ..12
    .X.X
    0 0 0 0 2 5
    0 1 4 4 1 3
    1 0 0 0 5 3
    1 1 4 4 2 7
    2 0 2 2 2 2
    """


def flip(numbers, at, bits):
    numbers[at] ^= numbers.dtype.type(bits)


def swap(numbers, at, other):
    numbers[at], numbers[other] = int(numbers[other]), int(numbers[at])


@pytest.mark.parametrize(
    ("field", "change"),
    [
        pytest.param("grid", lambda state, map_: flip(state.boxes, 0, 2), id="a box"),
        pytest.param("grid", lambda state, map_: flip(map_.range_items, 0, 2), id="its content"),
        pytest.param("items", lambda state, map_: flip(state.items, 0, state.items[0]), id="an item"),
        pytest.param("bombs", lambda state, map_: flip(state.bombs, 4, 0x0100), id="a bomb's range"),
        pytest.param("bombs", lambda state, map_: flip(state.bombs, 4, int(state.bombs[4]) * 0x10001), id="its owner"),
        pytest.param("bombs", lambda state, map_: swap(state.bombs, 3, 4), id="its fuse"),
        pytest.param("players", lambda state, map_: flip(state.players, 0, 1 << 16), id="a player's stock"),
        pytest.param("players", lambda state, map_: flip(state.players, 0, 1 << 8), id="range"),
        pytest.param("players", lambda state, map_: flip(state.players, 1, 1), id="cell"),
        pytest.param("players", lambda state, map_: flip(state.players, 1, state.players[1]), id="death"),
        pytest.param("scored", lambda state, map_: flip(state.scored, 3, 1), id="boxes scored"),
        pytest.param("turn", lambda state, map_: setattr(state, "turn", state.turn + 8), id="the turn"),
        pytest.param("blocked", lambda state, map_: flip(state.blocked, 0, 1 << 17), id="a blocked cell"),
        pytest.param("padding", lambda state, map_: flip(state.items, 0, 1 << 63), id="no cell"),
    ],
)
def test_a_difference_in_any_field_is_found_and_named(field, change):
    state, map_ = position(BEFORE)
    naive = from_state(state, map_)
    assert difference(naive, state, map_, new_naive()) == SAME
    changed, other_map = copy_state(state), map_.copy()
    change(changed, other_map)
    assert FIELDS[difference(naive, changed, other_map, new_naive())] == field


def test_a_difference_is_drawn_with_the_position_before_the_actions_and_both_results():
    state, map_ = position(BEFORE)
    states = new_states(2)
    states[1] = state
    states[0] = state
    states[0].scored[1] = 7
    drawn = explain("scored", states, map_, from_state(state, map_), int(pack({0: "right", 1: "stay+bomb"})))
    assert "differ in: scored" in drawn
    assert "actions: 0 right, 1 stay+bomb" in drawn
    assert drawn.count("..12") == 3
    assert "fast, scored [0 7 0 0]" in drawn
    assert "slow, scored [0 0 0 0]" in drawn
