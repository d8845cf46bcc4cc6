"""Simulators that fail to answer: each is told in one line, with the evidence."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.game import Game
from hsctl.match.players import read_player
from hsctl.match.runner import play_game
from hsctl.match.seats import make_seat
from hsctl.testing.conform.rules import RULES
from hsctl.testing.conform.run import ConformReport, check_stream, shrunk, stream, variants_of
from hsctl.testing.conform.simulator import Simulator
from replays.playback import load
from replays.replay import Limits, write
from tests.hsctl.run import ROOT, refusal, run_here
from tests.hsctl.testing.conform.planted import EXAMPLES, command_of, plant

GREET = "print(input(), flush=True)\n"
ROW = "print('.............', flush=True)\n"


def written(folder: Path, code: str) -> str:
    """The command of a Python program."""
    (folder / "sim.py").write_text(code)
    return shlex.join([sys.executable, str(folder / "sim.py")])


def changed_adapter(folder: Path, old: str, new: str) -> str:
    """The command of the example with something else in its adapter."""
    text = (EXAMPLES / "conform.py").read_text()
    assert text.count(old) == 1
    (folder / "conform.py").write_text(text.replace(old, new))
    shutil.copy(EXAMPLES / "simulator.py", folder)
    return command_of(folder)


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def test_a_program_that_does_not_exist_is_refused_before_anything_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.jit.compiling", lambda *_: pytest.fail("compiled first"))
    assert "No such file" in refusal(capsys, "conform", "./nothing-here")


def test_a_program_that_does_not_greet_cannot_be_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = refusal(capsys, "conform", written(tmp_path, "print('MOVE 0 0', flush=True)\ninput()"))
    assert line.endswith("expected the line `hsctl-conform 1` (or `hsctl-conform 1 scores`) first, found 'MOVE 0 0'")


def test_a_program_that_ends_at_once_cannot_be_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = refusal(capsys, "conform", written(tmp_path, "raise ValueError('no license')"))
    assert "crash instead of greeting" in line and "no license" in line


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("input()\n1 / 0", "crash instead of line 1 of its answer, row 0: exited with code 1"),
        ("input()\nprint('hello', flush=True)\ninput()", "line 1 of its answer: expected row 0, 13 of the characters"),
        (ROW * 2 + "input()", "line 2 of its answer: expected a wall X at 1,1, found '.............'"),
    ],
)
def test_a_simulator_that_fails_is_shown_with_the_board(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, code: str, told: str
) -> None:
    run = run_here(capsys, "conform", written(tmp_path, GREET + code))
    assert run.code == 1
    assert "sim.py gives no position" in on_one_line(run.out)
    assert told in on_one_line(run.out)


def test_a_simulator_that_hangs_is_told_by_the_line_that_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = written(tmp_path, GREET + "print('.............', flush=True)\nimport time\ntime.sleep(1000)")
    run = run_here(capsys, "conform", command, "--time", "1000")
    assert run.code == 1
    assert "no line 2 of its answer, row 1 within 1000 ms" in on_one_line(run.out)


def test_too_few_lines_are_told_by_what_came_instead(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = changed_adapter(tmp_path, "print(len(lines), *lines", "print(len(lines) + 1, *lines[:-1]")
    run = run_here(capsys, "conform", command)
    assert run.code == 1
    assert "expected `type owner x y param1 param2`, found 'scores 0 0 0 0'" in on_one_line(run.out)


def test_a_crash_is_shrunk_too(tmp_path: Path) -> None:
    crash = "if len(state.bombs) > 3: raise ValueError('too many bombs')\n    lines = [f\"0"
    command = changed_adapter(tmp_path, 'lines = [f"0', crash)
    report = ConformReport({})
    with Simulator(command, 60.0) as simulator:
        check_stream(simulator, report, stream(0), 1000, lambda _: None)
        assert report.finding
        small = shrunk(simulator, report.finding)
    assert "too many bombs" in small.outcome.failure
    assert len(small.outcome.ours.bombs) == 4
    assert small.case.start.entity_count <= 8


def test_the_order_of_entities_does_not_matter(tmp_path: Path) -> None:
    command = changed_adapter(tmp_path, "print(len(lines), *lines", "print(len(lines), *lines[::-1]")
    report = ConformReport({})
    with Simulator(command, 60.0) as simulator:
        check_stream(simulator, report, stream(0), 100, lambda _: None)
    assert report.is_equal and report.rounds == 100


def test_json_tells_rules_and_the_smallest_case(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command, saved = plant("items don't stop blasts", tmp_path), tmp_path / "in.txt"
    run = run_here(capsys, "conform", command, "--rules", "--json", "--save", saved)
    told = json.loads(run.out)
    assert run.code == 1 and not told["equal"]
    results = {rule["rule"]: rule["result"] for rule in told["rules"]}
    assert results["items-stop-blasts"] == "fail" and results["boxes-stop-blasts"] == "pass"
    difference = told["difference"]
    assert difference["page"] == "docs/reference/rules.md#items-stop-blasts"
    assert difference["differences"] == [{"cell": [3, 0], "words": "3,0: no box, expected an empty box"}]
    words = shlex.split(command)
    again = subprocess.run(words, input=saved.read_text(), capture_output=True, text=True, check=False)
    assert difference["theirs"]["position"] in again.stdout


def test_rules_are_listed_with_pass_or_fail(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = run_here(capsys, "conform", plant("new bombs block at once", tmp_path), "--rules")
    lines = [line.split() for line in run.out.splitlines()]
    assert ["Boxes", "stop", "blasts", "pass"] in lines
    assert ["A", "new", "bomb", "does", "not", "block", "this", "round", "fail"] in lines
    assert "rules: 47 pass, 1 fails; rounds compared: " in run.out


def test_a_simulator_without_scores_is_not_asked_for_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = changed_adapter(tmp_path, 'print(input(), "scores", flush=True)', "print(input(), flush=True)")
    path = tmp_path / "conform.py"
    path.write_text(path.read_text().replace('"scores {} {} {} {}".format(*state.scores), ', ""))
    run = run_here(capsys, "conform", command, "--states", "50")
    assert run.code == 0
    assert "rules: 44 pass, 4 not told (scores); rounds compared: " in run.out


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_adapter_in_cpp_follows_all_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, program = ROOT / "examples" / "conform.cpp", tmp_path / "conform"
    subprocess.run(["g++", "-O1", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    run = run_here(capsys, "conform", str(program), "--states", "300", "--time", "60000")
    assert (run.code, run.out.strip().endswith("no difference")) == (0, True)


def test_adapters_are_short() -> None:
    for name in ("conform.py", "conform.cpp"):
        assert len((EXAMPLES / name).read_text().splitlines()) < 40


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A game in which a bot is eliminated on its third turn, and the others play on."""
    game = Game.start(7, 3)
    replay, _ = play_game([make_seat(read_player(text)) for text in ("simple", BOT, "simple")], game, NO_CLOCK, 7)
    path = tmp_path / "game.json"
    write(path, replay)
    return path


BOT = shlex.join([sys.executable, "-c", "print('MOVE 0 0\\nMOVE 0 0\\nnonsense', flush=True)\nwhile input(): pass"])
NO_CLOCK = Limits(nodes=1)


def test_recorded_games_are_streamed(capsys: pytest.CaptureFixture[str], tmp_path: Path, recorded: Path) -> None:
    playback = load(recorded)
    assert [move and move.failure and move.failure.cause for move in playback.moves_at(2)] == [None, "invalid", None]
    turns = playback.end_turn - playback.first_turn
    run = run_here(capsys, "conform", command_of(EXAMPLES), "--game", recorded, "--json")
    told = json.loads(run.out)
    rounds = sum(len(case.rounds) for rule in RULES for each in rule.drawings for case in variants_of(each.case))
    assert (run.code, told["equal"], told["rounds"]) == (0, True, rounds + turns)


def test_a_recorded_game_has_no_seed(capsys: pytest.CaptureFixture[str], recorded: Path) -> None:
    told = refusal(capsys, "conform", "./mysim", "--game", recorded, "--seed", "1")
    assert told == "--game cannot be combined with --seed"
