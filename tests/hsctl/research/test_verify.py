"""`hsctl.research.verify`: the engines agree or the difference is drawn, and the statistics keep their word."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.spec.twin import TwinRun
from hsctl.research import verify as script
from hsctl.research.verify import PORTION, add, app, compare, portions_of
from tests.hsctl.run import PLENTY, ROOT

PACKAGES = ("engine", "search", "replays", "hsctl")


def verify(*words: str, code: int = 0) -> list[str]:
    """The lines that the script prints."""
    result = CliRunner().invoke(app, words, env={"COLUMNS": "80"})
    assert result.exit_code == code, result.output
    return result.stdout.splitlines()


def test_engines_that_agree_are_shown_with_what_their_games_met() -> None:
    lines = verify("engine", "--steps", "3000", "--seed", "5")
    assert "3,000" in lines[-1] and "seed 5" in lines[-1]
    assert max(map(len, lines)) <= 80
    (rounds,) = [line.split()[-3:] for line in lines if "rounds compared" in line]
    assert rounds == ["1,000"] * 3


def test_a_seed_repeats_its_games_and_another_plays_others() -> None:
    first = verify("engine", "--steps", "300", "--seed", "1")
    assert verify("engine", "--steps", "300", "--seed", "1") == first
    assert verify("engine", "--steps", "300", "--seed", "2")[:-1] != first[:-1]


def test_a_broken_rule_is_found_and_drawn(tmp_path: Path) -> None:
    """Blasts of one engine reach a cell too far (run as plain Python: nothing to compile)."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    naive = tmp_path / "engine" / "spec" / "naive.py"
    text = naive.read_text()
    assert text.count("range(bomb.range - 1)") == 1
    naive.write_text(text.replace("range(bomb.range - 1)", "range(bomb.range)"))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore", "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-m", "hsctl.research.verify", "engine", "--steps", "600"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PLENTY)
    assert done.returncode == 1, done.stderr
    for word in ("before (turn ", "actions: ", "fast, scored ", "slow, scored "):
        assert word in done.stdout
    assert "Traceback" not in done.stderr


def test_statistics_are_shown_as_three_tables() -> None:
    lines = verify("statistics", "--runs", "8", "--seed", "3")
    assert "10 leagues, 8 tests" in lines[-1]
    assert max(map(len, lines)) <= 80


def test_statistics_that_are_worse_than_promised_give_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "is_honest", lambda *_: False)
    verify("statistics", "--runs", "1", code=1)


@pytest.mark.parametrize(
    "words",
    [
        "engine --steps 0",
        "engine --steps many",
        "engine --steps 10000000000000000000000000",
        "engine --seed -1",
        "engine --runs 5",
        "statistics --runs 0",
        "statistics --runs 10000000000000000000000000",
        "statistics --steps 5",
        "bots",
    ],
)
def test_wrong_words_and_numbers_are_refused(words: str) -> None:
    assert verify(*words.split(), code=2) == []


# Portions


@pytest.mark.parametrize("steps", [1, 2, 3, 1000, 3 * PORTION, 400_001])
def test_portions_add_up_and_take_turns(steps: int) -> None:
    portions = portions_of(steps)
    assert sum(count for _players, count in portions) == steps
    assert max(count for _players, count in portions) <= PORTION
    shares = [sum(count for players, count in portions if players == wanted) for wanted in (2, 3, 4)]
    assert max(shares) - min(shares) <= 1
    assert [players for players, _count in portions][:3] == [2, 3, 4][: len(portions)]


def test_two_runs_add_up_to_one() -> None:
    one = TwinRun(
        10, 2, 3, 4, 5, 6, 7, 8, most_bombs=9, most_bombs_of_one=3, largest_range=4, longest_game=10, digest=2
    )
    other = TwinRun(20, 1, 1, 1, 1, 1, 1, 1, 8, 4, 5, 6, digest=(1 << 64) - 1)
    assert add(one, other) == TwinRun(30, 3, 4, 5, 6, 7, 8, 9, 9, 4, 5, 10, 1)


def test_every_portion_plays_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    def play(steps: int, seed: int, players: int) -> TwinRun:
        seeds.append(seed)
        return TwinRun(steps, *[0] * 12)

    monkeypatch.setattr(script, "verify", play)
    done: list[int] = []
    met = compare(10 * PORTION, 3, done.append)
    compare(10 * PORTION, 4, done.append)
    assert sum(summary.steps for summary in met.values()) == sum(done) // 2 == 10 * PORTION
    assert len(set(seeds)) == len(seeds)
