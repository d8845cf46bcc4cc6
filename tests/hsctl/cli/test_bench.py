"""`hsctl bench`: what it prints, and which positions and options it takes."""

import json
from pathlib import Path

import pytest

from hsctl.behaviour import CHAIN, CROWD, MIDGAME_2, MIDGAME_3
from hsctl.research.bench import measure, report
from tests.engine.draw import board
from tests.hsctl.run import refusal, run_here


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """One short slice of everything: the figures mean little, but all of them are there."""
    monkeypatch.setattr(measure, "SLICE_NS", 20_000)
    monkeypatch.setattr(report, "QUICK_ROUNDS", 1)
    monkeypatch.setattr(report, "start_seconds", lambda: 0.5)  # measured in test_start.py


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
    assert list(figures["cost"]) == ["copy", "step", "is_survivable", "mask", "can_kill", "judge"]
    assert min(figures["cost"].values()) > 0
    assert list(figures["growth"]["bombs"]) == ["0", "4", "8", "12", "16", "20", "24", "28", "32"]
    assert list(figures["growth"]["ranges"]) == [str(bomb_range) for bomb_range in range(3, 14)]
    assert "1" in figures["batches"]
    for row in figures["batches"].values():
        assert list(row) == ["1", "16", "256", "4096", "65536"]
        assert min(row.values()) > 1_000
    assert {entry["engine"]: entry["steps_per_second"] for entry in figures["published"]} == {
        "pomcpp": 1_470_000,
        "cpommerman": 41_000,
        "Pommerman": 2_000,
        "paper: bitwise": 2_900_000,
    }
    assert all(entry["conditions"] and entry["source"] for entry in figures["published"])
    assert list(figures["start"]) == ["warm"]
    assert figures["start"]["warm"] == 0.5


@pytest.mark.usefixtures("hasty")
def test_the_tables_fit_80_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run_here(capsys, "bench", "--quick").out
    assert max(map(len, out.splitlines())) <= 80
    titles = [
        line.rstrip() for line in out.splitlines() if line.startswith(("Table", "Cost", "Steps", "Published", "Start"))
    ]
    assert titles[:-1] == [
        "Table 1: steps of random games in 500 ms",
        "Cost of a call on states that random games meet",
        "Cost of a step by bombs, four players",
        "Cost of a step by ranges, four players",
        "Steps per second of a batch, in millions",
        "Published elsewhere: steps per second of one thread, not measured here",
    ]
    assert titles[-1].endswith("warm (cold: not with --quick)")
    paper = [line.split() for line in out.splitlines() if line.startswith("paper:")]
    assert paper[:2] == [
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
    wanted = "name a file with a position in the arena's text"
    assert refusal(capsys, "bench", "--position", missing) == f"{missing}: No such file or directory; {wanted}"
    assert refusal(capsys, "bench", "--position", picture) == f"{picture}: not text; {wanted}"
    assert refusal(capsys, "bench", "--position", tmp_path) == f"{tmp_path}: Is a directory; {wanted}"


def test_a_position_needs_two_living_players(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write(tmp_path / "alone.txt", board("0 1 0 0 1 3"))
    assert refusal(capsys, "bench", "--position", path) == (f"{path}: 1 living players: a position needs 2 to 4")


# Options


def test_the_signature_is_fixed_work(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--quick"], ["--figures"], ["--position", "any.txt"]):
        wanted = f"--signature cannot be combined with {option[0]}"
        assert refusal(capsys, "bench", "--signature", *option) == wanted


def test_the_figures_follow_a_game_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = "--figures cannot be combined with --position"
    assert refusal(capsys, "bench", "--figures", "--position", "any.txt") == wanted
