"""`hsctl play` with bots that have faults: silent ones are told at the end, hopeless bots make it exit with 1."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.hsctl.run import Run, run_here
from tests.hsctl.testing.check.faults import faulty

Capture = pytest.CaptureFixture[str]
NO_CLOCK = ("--time", "none", "--first-turn", "none", "--no-save", "--jobs", "1")


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


def play(capsys: Capture, *arguments: str) -> Run:
    return run_here(capsys, "play", *arguments, *NO_CLOCK)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("lower case", "answers were in lower case (first on turn 0 of seed 1: '"),
        ("off the board", "answers had a target off the board (first on turn 0 of seed 1: '"),
        ("no effect", "answers were moves that lead nowhere (first on turn 1 of seed 1: '"),
        ("no bomb", "answers were BOMB without a bomb to drop (first on turn 1 of seed 1: '"),
        (
            "two lines",
            "answers were printed before their turn: more than one line for a turn, and answers are late from",
        ),
    ],
)
def test_a_silent_fault_is_told_with_its_first_turn(capsys: Capture, fault: str, told: str) -> None:
    code, out, _ = play(capsys, faulty(fault), "still", "--seed", "1")
    assert code == 0
    (line,) = [line for line in out.splitlines() if told in line]
    assert line.startswith(faulty(fault))


def test_leagues_comparisons_and_pages_report_silent_faults_and_lost_boards(capsys: Capture, tmp_path: Path) -> None:
    bot, told = faulty("two lines"), "were printed before their turn"
    limits = ("--games", "2", "--time", "none", "--jobs", "1", "--ledger", str(tmp_path / "ledger"))
    words = ("league", bot, "simple", *limits)
    for _ in range(2):  # played, then from the ledger
        run = run_here(capsys, *words, "--html", str(tmp_path / "page"))
        assert run.code == 0 and told in run.out
        assert told in (tmp_path / "page" / "index.html").read_text()
    record = json.loads(run_here(capsys, *words, "--json").out)
    assert record["players"][0]["faults"]["ahead"] > 0 and record["players"][1]["faults"] == {}
    lost = [game["seats"] for game in record["games"] if game["ranks"][game["seats"].index(bot)] > 1]
    assert lost and all(shlex.join(["hsctl", "play", *seats, "--seed", "1"]) in run.out for seats in lost)
    comparison = run_here(capsys, "compare", bot, "simple", *limits)
    assert told in comparison.out and shlex.join(["hsctl", "play", *lost[0], "--seed", "1"]) in comparison.out
    compared = json.loads(run_here(capsys, "compare", bot, "simple", *limits, "--json").out)
    assert compared["faults"][bot]["ahead"] > 0 and len(compared["lost"]) == len(lost)


def test_a_sound_bot_has_no_faults(capsys: Capture) -> None:
    out = play(capsys, faulty("none"), "still", "--seed", "1", "--games", "1", "--json").out
    assert [player["faults"] for player in json.loads(out)["players"]] == [{}, {}]


def test_a_bot_that_fails_in_every_game_is_a_no_with_the_cause_first(capsys: Capture) -> None:
    bot = faulty("nonsense")
    code, out, _ = play(capsys, bot, "still", "--games", "2", "--seed", "1")
    assert code == 1
    assert out.startswith(f"{bot}: invalid: expected `MOVE x y` or `BOMB x y`, found 'WAIT'")


def test_a_bot_that_fails_in_one_game_of_two_is_none(capsys: Capture, tmp_path: Path) -> None:
    mark = tmp_path / "was here"
    script = f"import os, sys\nif os.path.exists({str(mark)!r}): sys.exit(3)\nopen({str(mark)!r}, 'w').close()\n"
    script += "while sys.stdin.readline(): print('MOVE 0 0', flush=True)\n"
    code, out, _ = play(
        capsys, shlex.join([sys.executable, "-S", "-c", script]), "still", "--games", "2", "--seed", "1"
    )
    assert code == 0 and "crash: exited with code 3" in out
