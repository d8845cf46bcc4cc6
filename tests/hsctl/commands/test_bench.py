"""`hsctl bench`: what it measures, and from which positions."""

import json
from pathlib import Path

import numpy as np
import pytest

from engine.notation import format_position, parse_position
from engine.spec.bridge import from_state
from engine.spec.naive import new_naives
from engine.state import new_states
from hsctl.bench import measure, run
from hsctl.bench.costs import BOMB_COUNTS, RANGES, growth_task
from hsctl.bench.engines import ALL, BITWISE, NAIVE, ONE, make_steps
from hsctl.bench.kernels import play_bitwise, play_naive
from hsctl.bench.measure import SLICE_NS, Task
from hsctl.bench.positions import CHAIN, CROWD, MIDGAME_2, MIDGAME_3, MIDGAME_4, measured_from
from tests.engine.draw import assert_same, board
from tests.hsctl.run import refusal, run_here

MIDGAMES = {2: MIDGAME_2, 3: MIDGAME_3, 4: MIDGAME_4}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """One short slice of everything: the figures mean little, but all of them are there."""
    monkeypatch.setattr(measure, "SLICE_NS", 20_000)
    monkeypatch.setattr(run, "QUICK_ROUNDS", 1)


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


# What is printed


@pytest.mark.usefixtures("hasty")
def test_json_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = run_here(capsys, "bench", "--quick", "--json")
    assert code == 0
    figures = json.loads(out)
    for engine in ("naive", "bitwise"):
        for players in "234":
            for who in ("one", "all"):
                assert isinstance(figures["table1"][engine][players][who], int)
                assert figures["table1"][engine][players][who] > 1_000
    assert figures["table1"]["paper"] == {
        "naive": {"2": 90_000, "3": 79_000, "4": 80_000},
        "bitwise": {"2": 1_450_000, "3": 1_300_000, "4": 1_280_000},
    }
    assert list(figures["cost"]) == ["copy", "step", "is_survivable", "mask", "can_kill"]
    assert min(figures["cost"].values()) > 0
    assert list(figures["growth"]["bombs"]) == ["0", "4", "8", "12", "16", "20", "24", "28", "32"]
    assert list(figures["growth"]["ranges"]) == [str(bomb_range) for bomb_range in range(3, 14)]
    assert list(figures["start"]) == ["warm"]
    assert 0.1 < figures["start"]["warm"] < 60


@pytest.mark.usefixtures("hasty")
def test_the_tables_fit_80_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run_here(capsys, "bench", "--quick").out
    assert max(map(len, out.splitlines())) <= 80
    titles = [line.rstrip() for line in out.splitlines() if line.startswith(("Table", "Cost", "Start"))]
    assert titles[:-1] == [
        "Table 1: steps of random games in 500 ms",
        "Cost of a call on states that random games meet",
        "Cost of a step by bombs, four players",
        "Cost of a step by ranges, four players",
    ]
    assert titles[-1].endswith("warm (cold: not with --quick)")
    paper = [line.split() for line in out.splitlines() if "paper:" in line]
    assert paper == [
        ["paper:", "naive", "90", "k", "79", "k", "80", "k"],
        ["paper:", "bitwise", "1.45", "M", "1.30", "M", "1.28", "M"],
    ]


# Positions


@pytest.mark.usefixtures("hasty")
def test_named_positions_make_the_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    three = write(tmp_path / "three.txt", f"13 11 0\n{MIDGAME_3}")
    chain = write(tmp_path / "chain.txt", CHAIN)  # three players too
    crowd = write(tmp_path / "crowd.txt", CROWD)
    words = [word for path in (three, chain, crowd) for word in ("--position", path)]
    table = json.loads(run_here(capsys, "bench", "--quick", "--json", *words).out)["table1"]
    assert list(table["bitwise"]) == list(table["naive"]) == ["3", "4"]


def test_several_positions_of_a_column_give_their_mean() -> None:
    def task(best_ns: float) -> Task:
        return Task(lambda count: None, best_ns=best_ns)

    steps = make_steps(
        [((BITWISE, 2, ONE), task(50.0)), ((BITWISE, 2, ONE), task(100.0)), ((NAIVE, 4, ALL), task(1e3))]
    )
    assert steps == {BITWISE: {2: {ONE: 7_500_000}}, NAIVE: {4: {ALL: 500_000}}}


def test_a_bad_position_is_refused_with_file_and_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path / "bad.txt", MIDGAME_2.replace("0 0 6 4 2 7", "0 0 5 5 2 7"))
    assert refusal(capsys, "bench", "--position", path) == (
        f"{path}: line 13: expected an entity on the floor, found a wall at 5 5"
    )
    path = write(tmp_path / "short.txt", ".............\n")
    assert refusal(capsys, "bench", "--position", path) == (
        f"{path}: line 2: expected row 1 of 11 rows, found the end of the text"
    )


def test_what_is_no_position_file_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing, picture = tmp_path / "none.txt", tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    wanted = "expected a position in the arena's text"
    assert refusal(capsys, "bench", "--position", missing) == f"{missing}: No such file or directory, {wanted}"
    assert refusal(capsys, "bench", "--position", picture) == f"{picture}: not text, {wanted}"
    assert refusal(capsys, "bench", "--position", tmp_path) == f"{tmp_path}: Is a directory, {wanted}"


def test_a_position_needs_two_living_players(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path / "alone.txt", board("0 1 0 0 1 3"))
    assert refusal(capsys, "bench", "--position", path) == (
        f"{path}: a position with 1 living players, expected 2 to 4"
    )


def test_if_player_0_is_dead_another_takes_his_name_and_his_bombs() -> None:
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


# How it is measured


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
    monkeypatch.setattr("hsctl.bench.costs.step_states", lambda pool, *rest: pools.append(pool))
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

    monkeypatch.setattr(run, "start_seconds", start)
    assert run.measure_start(is_quick=False) == {"cold": 1.0, "warm": 2.0}
    assert found == [[], ["compiled"]]


# Options


def test_the_signature_is_fixed_work(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--quick"], ["--figures"], ["--position", "any.txt"]):
        wanted = f"--signature cannot be combined with {option[0]}"
        assert refusal(capsys, "bench", "--signature", *option) == wanted


def test_the_figures_follow_a_game_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = "--figures cannot be combined with --position"
    assert refusal(capsys, "bench", "--figures", "--position", "any.txt") == wanted
