"""`hsctl verify`: the engines agree, or the difference is drawn."""

import os
import shutil
from pathlib import Path

import pytest

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
    ],
)
def test_words_that_do_not_fit_are_refused(capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    assert refusal(capsys, "verify", *words.split()) == message


def test_what_cannot_be_checked_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'bots' is not one of 'engine', 'statistics'" in refusal(capsys, "verify", "bots")


@pytest.mark.parametrize("words", [("--steps", "0"), ("--seed", "-1"), ("--steps", "many")])
def test_wrong_numbers_are_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, str]) -> None:
    assert words[0] in refusal(capsys, "verify", *words)
