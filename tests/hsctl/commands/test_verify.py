"""`hsctl verify`: the engines agree, or the difference is drawn."""

import os
import shutil
from pathlib import Path

import pytest

from engine.spec.twin import Summary
from hsctl.verify import twins
from hsctl.verify.twins import add, compare, portions_of
from tests.hsctl.run import ROOT, refusal, run_here, run_program

PACKAGES = ("engine", "search", "replays", "hsctl")


def test_engines_that_agree_are_told_with_what_their_games_met(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _err = run_here(capsys, "verify", "--steps", "3000", "--seed", "5")
    assert code == 0
    assert out.splitlines()[-1] == "the engines agree in every field over 3,000 rounds (seed 5)"
    assert max(map(len, out.splitlines())) <= 80
    (rounds,) = [line.split()[-3:] for line in out.splitlines() if "rounds compared" in line]
    assert rounds == ["1,000"] * 3


def test_a_seed_repeats_its_games_and_another_plays_others(capsys: pytest.CaptureFixture[str]) -> None:
    first = run_here(capsys, "verify", "--steps", "300", "--seed", "1").out
    assert run_here(capsys, "verify", "--steps", "300", "--seed", "1").out == first
    assert run_here(capsys, "verify", "--steps", "300", "--seed", "2").out.splitlines()[:-1] != first.splitlines()[:-1]


def test_a_broken_rule_is_found_and_drawn(tmp_path: Path) -> None:
    """Blasts of one engine reach a cell too far (run as plain Python: nothing to compile)."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    naive = tmp_path / "engine" / "spec" / "naive.py"
    text = naive.read_text()
    assert text.count("range(bomb.range - 1)") == 1
    naive.write_text(text.replace("range(bomb.range - 1)", "range(bomb.range)"))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore", "PYTHONPATH": str(tmp_path)}
    done = run_program("verify", "--steps", "600", cwd=tmp_path, env=environment)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("the engines differ in: ")
    for word in ("before (turn ", "actions: ", "fast, scored ", "slow, scored "):
        assert word in done.stdout
    assert "Traceback" not in done.stderr


def test_the_engine_is_checked_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    by_name = run_here(capsys, "verify", "engine", "--steps", "300")
    assert by_name.code == 0 and by_name.out == run_here(capsys, "verify", "--steps", "300").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("statistics --steps 5", "statistics cannot be combined with --steps"),
        ("engine --runs 5", "engine cannot be combined with --runs"),
        ("--runs 5", "engine cannot be combined with --runs"),
        ("--deaths 1 --deaths-in .", "--deaths cannot be combined with --deaths-in"),
        ("statistics --deaths 1", "--deaths cannot be combined with engine or statistics"),
        ("--deaths 1 --steps 5", "--deaths cannot be combined with --steps"),
        ("--deaths-in . --seed 0 --runs 5", "--deaths-in cannot be combined with --runs or --seed"),
        ("engine --player beam", "--player needs --deaths-in"),
        ("--deaths-in nowhere", "--deaths-in nowhere: expected a folder of replays"),
    ],
)
def test_words_that_do_not_fit_are_refused(capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    assert refusal(capsys, "verify", *words.split()) == message


def test_what_cannot_be_checked_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'bots' is not one of 'engine', 'statistics'" in refusal(capsys, "verify", "bots")


@pytest.mark.parametrize("words", [("--steps", "0"), ("--seed", "-1"), ("--steps", "many")])
def test_wrong_numbers_are_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, str]) -> None:
    assert words[0] in refusal(capsys, "verify", *words)


@pytest.mark.parametrize("steps", [1, 2, 3, 1000, 3 * twins.PORTION, 400_001])
def test_portions_add_up_and_take_turns(steps: int) -> None:
    portions = portions_of(steps)
    assert sum(count for _players, count in portions) == steps
    assert max(count for _players, count in portions) <= twins.PORTION
    shares = [sum(count for players, count in portions if players == wanted) for wanted in (2, 3, 4)]
    assert max(shares) - min(shares) <= 1
    assert [players for players, _count in portions][:3] == [2, 3, 4][: len(portions)]


def test_two_runs_add_up_to_one() -> None:
    one = Summary(
        10, 2, 3, 4, 5, 6, 7, 8, most_bombs=9, most_bombs_of_one=3, largest_range=4, longest_game=10, digest=2
    )
    other = Summary(20, 1, 1, 1, 1, 1, 1, 1, 8, 4, 5, 6, digest=(1 << 64) - 1)
    assert add(one, other) == Summary(30, 3, 4, 5, 6, 7, 8, 9, 9, 4, 5, 10, 1)


def test_every_portion_plays_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    def verify(steps: int, seed: int, players: int) -> Summary:
        seeds.append(seed)
        return Summary(steps, *[0] * 12)

    monkeypatch.setattr(twins, "verify", verify)
    done: list[int] = []
    met = compare(10 * twins.PORTION, 3, done.append)
    compare(10 * twins.PORTION, 4, done.append)
    assert sum(summary.steps for summary in met.values()) == sum(done) // 2 == 10 * twins.PORTION
    assert len(set(seeds)) == len(seeds)
