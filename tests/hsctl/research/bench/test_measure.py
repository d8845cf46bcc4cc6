"""What `hsctl bench` measures, and how: positions, both engines, batches, slices, starts and compiling."""

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from engine.batch import Batch
from engine.compile.cache import JIT_DISABLED
from engine.notation import format_position, parse_position
from engine.spec.bridge import from_state
from engine.spec.naive import new_naives
from engine.state import MAX_PLAYERS, new_states
from hsctl.behaviour import MIDGAMES
from hsctl.research.bench import measure, report, speed
from hsctl.research.bench.kernels import ACTIONS_A_GAME, play_bitwise, play_naive
from hsctl.research.bench.measure import SLICE_NS, Task, measured_from, midgames
from hsctl.research.bench.speed import (
    ALL,
    BITWISE,
    BOMB_COUNTS,
    NAIVE,
    ONE,
    RANGES,
    batch_task,
    draw_rounds,
    growth_task,
    make_batches,
    make_steps,
    thread_counts,
)
from hsctl.research.bench.startup import SHOWN, Compiled, compiling_view, measure_compiling
from tests.engine.draw import assert_same, board


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


# Positions


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


# Batches


def new_batch(games: int) -> Batch:
    positions = midgames()
    states = np.array([positions[k % len(positions)].state for k in range(games)])
    return Batch(states, np.array([positions[k % len(positions)].map for k in range(games)]))


def test_rounds_are_drawn_of_legal_actions() -> None:
    drawn, played = draw_rounds(new_batch(30)), new_batch(30)
    assert drawn.shape == (ACTIONS_A_GAME, 30)
    for joints in drawn:
        legal = played.legal()
        for game, joint in enumerate(joints):
            for player in range(MAX_PLAYERS):
                if legal[game, player]:
                    assert legal[game, player] >> (int(joint) >> 4 * player & 15) & 1
        played.step(joints)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_slice_ends_where_its_last_game_stands(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Batch] = []

    class Kept(Batch):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(speed, "Batch", Kept)
    task = batch_task(midgames(), 9, threads)
    measured = made[0]
    task.run(ACTIONS_A_GAME + 4)
    assert {int(state.turn) for state in measured.states} == {4}
    ends = measured.states.copy()
    task.run(4)
    assert all(measured.states[game] == ends[game] for game in range(9))


def test_steps_are_told_by_threads_and_games() -> None:
    tasks = [((16, 1), Task(lambda count: None, best_ns=1600.0)), ((1, 2), Task(lambda count: None, best_ns=500.0))]
    assert make_batches(tasks) == {1: {16: 10_000_000}, 2: {1: 2_000_000}}


@pytest.mark.parametrize(("cores", "counts"), [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])])
def test_threads_double_up_to_the_cores_at_hand(cores: int, counts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed.os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert thread_counts() == counts


# Compiling

ROWS = [Compiled("the game", "engine.rules.step", 1, 0.5), Compiled("mcts", "search.mcts.tree.advance", 2, 1.25)]


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_every_kernel_is_measured_though_this_process_has_it_compiled():
    rows = measure_compiling(["random"])
    assert "search.basic.agent.random_action" in {row.kernel for row in rows}
    assert all(row.part == "random" and row.compilations >= 1 and row.seconds > 0 for row in rows)


def test_the_view_adds_up_parts_and_names_the_dearest_kernels():
    many = [*ROWS, *(Compiled("mcts", f"kernel_{number}", 1, 0.001) for number in range(SHOWN))]
    console = Console(width=100)
    with console.capture() as captured:
        console.print(compiling_view(many))
    lines = [line.split() for line in captured.get().splitlines()]
    cells = [[word for word in line if word != "│"] for line in lines]
    assert ["the", "game", "1", "1", "0.5"] in cells
    assert ["mcts", "21", "22", "1.3"] in cells
    assert ["all", "22", "23", "1.8"] in cells
    dearest = [line for line in cells if len(line) >= 4 and line[-1].count(".") == 1 and len(line[-1]) == 4]
    assert dearest[0] == ["search.mcts.tree.advance", "mcts", "2", "1.25"]
    assert len(dearest) == SHOWN
