"""`hsctl tune`: options, results, what is refused, and a study that is killed and resumed."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from hsctl.league.ledger import Ledger
from tests.hsctl.run import PLENTY, on_terminal, processes_with, refusal, run_here, start_marked, wait_for

pytest.importorskip("cmaes", reason="needs the extra [tune]")
Capture = pytest.CaptureFixture[str]
BOT = """
import sys
input()
while float(sys.argv[1]) <= 1:
    rows = [input() for _ in range(11)]
    entities = [input() for _ in range(int(input()))]
    print("MOVE 0 0", flush=True)
"""  # stays where it is, or gives up at once
QUICK = ("--nodes", "5", "--jobs", "1", "--games", "2", "--trials", "12", "--confirm", "0")
SIMPLE = ("simple", "--params", "box=0..3,decay")


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data"


def without_effort(text: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text)
    return {name: value for name, value in record.items() if name != "played_now"}


def test_the_same_command_says_the_same_and_plays_nothing_again(capsys: Capture, data_folder: Path) -> None:
    words = ("tune", *SIMPLE, "--against", "simple", *QUICK, "--json")
    code, out, _ = run_here(capsys, *words)
    assert code == 0 and json.loads(out)["played_now"] == 26
    again = run_here(capsys, *words).out
    assert json.loads(again)["played_now"] == 0
    assert without_effort(again) == without_effort(out)
    assert without_effort(run_here(capsys, *words, "--study", data_folder / "other").out) == without_effort(out)
    assert without_effort(run_here(capsys, *words, "--seed", "5").out) != without_effort(out)


@pytest.mark.slow
def test_four_players_and_a_confirmation(capsys: Capture) -> None:
    pool = ("--against", "simple", "--against", "still", "--against", "simple", "--players", "4")
    options = ("--games", "4", "--confirm", "16")
    code, out, _ = run_here(capsys, "tune", *SIMPLE, *pool, *QUICK, *options, "--json")
    record = json.loads(out)
    assert record["opponents"] == ["simple #1", "still", "simple #2"]
    assert all(len(trial["scores"]) == 3 and trial["games"] == 4 for trial in record["trials"])
    confirmed = record["confirmation"]
    assert confirmed["boards"] == 2 and confirmed["games"] == 16 and min(confirmed["seeds"]) > 10**9
    assert record["verdict"] == "not shown to be better" and code in (1, 3)


def test_a_study_is_shown_as_tables(capsys: Capture) -> None:
    _, out, err = run_here(capsys, "tune", *SIMPLE, "--against", "simple", *QUICK)
    assert "12 trials, 26 games" in out and "best: simple:box=" in out and "matters" in out
    plan, games, progress, *_ = err.splitlines()[-3:]
    assert "box 0..3 from 1" in plan and "12 trials of 2 games" in games and "12 of 12 trials" in progress


def test_it_says_when_every_candidate_wins_every_game(capsys: Capture) -> None:
    words = ("tune", "simple", "--params", "decay=0.8..1", "--against", "still", *QUICK)
    code, out, _ = run_here(capsys, *words, "--confirm", "8")
    assert code == 3 and "choose a stronger --against" in out and "best:" not in out
    record = json.loads(run_here(capsys, *words, "--json").out)
    assert (record["best"], record["one_sided"]) == (None, "won")


@pytest.mark.slow
def test_trials_are_shown_while_they_are_played() -> None:
    out, err = on_terminal("tune", *SIMPLE, "--against", "simple", *QUICK)
    assert "12 trials, 26 games" in out
    assert "the first generation is playing" in err and "0/26" in err


def test_ctrl_c_shows_what_was_found_and_how_to_resume(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hsctl.research.tune.study.new_confirmation", stop)
    code, out, err = run_here(capsys, "tune", *SIMPLE, "--against", "simple", *QUICK, "--confirm", "8")
    assert code == 130 and "12 trials, 26 games" in out and "stopped after 26 games; this resumes it: hsctl" in err


def test_a_bot_is_tuned_by_its_command_line(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    template = f"{shlex.quote(sys.executable)} {tmp_path}/bot.py {{w}}"
    words = ("--template", template, "--params", "w=0..2", "--against", "still", "--time", "5000", "--startup", "60000")
    record = json.loads(run_here(capsys, "tune", *words, *QUICK, "--json").out)
    tried = record["trials"][1:]
    assert [trial["player"] for trial in tried] == [template.format(w=trial["values"]["w"]) for trial in tried]
    assert {trial["goal"] for trial in tried if trial["values"]["w"] > 1} == {0.0}
    assert {trial["goal"] for trial in tried if trial["values"]["w"] <= 1} == {0.5}
    assert record["parameters"][0]["best"] < 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*SIMPLE,), "no opponents"),
        (("simple", "--against", "random"), "nothing to tune"),
        (("--params", "box", "--against", "random"), "no player to tune"),
        ((*SIMPLE, "--template", "x {box}", "--against", "random"), "--template cannot be combined with AGENT"),
        (("simple", "--params", "box", "--against", "random"), "give a range, such as box=0..2"),
        (("--template", "python {w}", "--params", "w", "--against", "random"), "w has no range"),
        ((*SIMPLE, "--against", "nobody"), "'nobody' is neither an agent nor a program"),
        ((*SIMPLE, "--against", "random", "--players", "4"), "--players 4"),
        ((*SIMPLE, "--against", "random", "--confirm", "3"), "--confirm 3: a board takes 4 games"),
        ((*SIMPLE, "--against", "random", "--trials", "3"), "--trials 3: too few"),
        ((*SIMPLE, "--against", "random", "--plot", "study.txt"), "--plot study.txt"),
    ],
)
def test_wrong_usage_gets_one_line(capsys: Capture, words: tuple[str, ...], told: str) -> None:
    assert told in refusal(capsys, "tune", *words)


@pytest.mark.slow
@pytest.mark.linux
def test_a_study_killed_on_its_way_ends_as_one_that_was_left_alone(capsys: Capture, tmp_path: Path) -> None:
    words = ("tune", *SIMPLE, "--against", "simple", *QUICK, "--json", "--study")
    killed, mark = tmp_path / "killed", f"mark of {tmp_path}"
    main = start_marked(mark, *words, killed, "--jobs", "2")
    wait_for(lambda: killed.exists() and count(killed) >= 10)
    main.kill()
    main.communicate(timeout=PLENTY)
    wait_for(lambda: not processes_with(mark))
    kept = count(killed)
    resumed, whole = run_here(capsys, *words, killed), run_here(capsys, *words, tmp_path / "whole")
    assert (resumed.code, whole.code) == (0, 0), resumed.err + whole.err
    assert without_effort(resumed.out) == without_effort(whole.out)
    assert json.loads(resumed.out)["played_now"] == json.loads(whole.out)["played_now"] - kept


def count(path: Path) -> int:
    with Ledger(path) as ledger:
        return len(ledger)
