"""How it is measured: the same games on both engines, exact numbers of bombs, the shortest of many slices."""

from pathlib import Path

import numpy as np
import pytest

from engine.notation import parse_position
from engine.spec.bridge import from_state
from engine.spec.naive import new_naives
from engine.state import new_states
from hsctl.behaviour import MIDGAMES
from hsctl.research.bench import measure, report
from hsctl.research.bench.kernels import play_bitwise, play_naive
from hsctl.research.bench.measure import SLICE_NS, Task
from hsctl.research.bench.speed import ALL, BITWISE, BOMB_COUNTS, NAIVE, ONE, RANGES, growth_task, make_steps
from tests.engine.draw import assert_same


@pytest.mark.parametrize("everybody", [False, True])
@pytest.mark.parametrize("players", MIDGAMES)
def test_both_engines_are_timed_on_the_same_games(players: int, everybody: bool) -> None:
    game = parse_position(MIDGAMES[players])
    states, naives = new_states(2), new_naives(2)
    states[0], naives[0] = game.state, from_state(game.state, game.map)
    ends = set()
    for steps in range(1, 200):
        play_bitwise(states, game.map, everybody, steps)
        play_naive(naives, everybody, steps)
        assert_same(naives[1], states[1], game.map)
        assert 0 < states[1].turn <= 15
        ends.add(states[1].tobytes())
    assert len(ends) > 50


@pytest.mark.parametrize("bombs", BOMB_COUNTS)
def test_growth_is_measured_with_exactly_so_many_bombs(bombs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pools = []
    monkeypatch.setattr("hsctl.research.bench.speed.step_states", lambda pool, *rest: pools.append(pool))
    growth_task(bombs, RANGES[-1]).run(1)
    (pool,) = pools
    slots = pool["bombs"].view(np.uint16).reshape(len(pool), -1)
    assert set((slots != 0).sum(axis=1)) == {bombs}
    assert set(slots[slots != 0] >> 8) <= {RANGES[-1]}


class FakeClock:
    """Time that passes only as it is told to."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def test_the_least_time_of_many_full_slices_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, counts, delays = FakeClock(), [], [0, 9_000_000, 0, 500_000] * 20
    monkeypatch.setattr(measure, "perf_counter_ns", clock)

    def work(count: int) -> None:
        counts.append(count)
        clock.now += 70 * count + delays.pop()

    task = Task(work)
    measure.measure([task], 4, lambda: None)
    assert task.best_ns == 70.0
    assert all(SLICE_NS / 4 <= 70 * count <= 2 * SLICE_NS for count in counts[-4:])


def test_the_cold_start_has_an_empty_cache_and_the_warm_one_finds_it_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def start(cache: Path) -> float:
        found.append([path.name for path in cache.iterdir()])
        (cache / "compiled").touch()
        return float(len(found))

    monkeypatch.setattr(report, "start_seconds", start)
    assert report.measure_start(is_quick=False) == {"cold": 1.0, "warm": 2.0}
    assert found == [[], ["compiled"]]


def test_several_positions_of_a_column_give_their_mean() -> None:
    def task(best_ns: float) -> Task:
        return Task(lambda count: None, best_ns=best_ns)

    steps = make_steps(
        [((BITWISE, 2, ONE), task(50.0)), ((BITWISE, 2, ONE), task(100.0)), ((NAIVE, 4, ALL), task(1e3))]
    )
    assert steps == {BITWISE: {2: {ONE: 7_500_000}}, NAIVE: {4: {ALL: 500_000}}}
