"""Data out: what is in the tables, and that files hold what the rows say."""

import csv
import io
import json
from pathlib import Path

import pytest

import hsctl
from hsctl.report.export import LEDGER, MAKERS, TABLES, flat_rows, format_page, write_file, write_text
from replays.playback import Playback
from tests.fuzz.mutate import EVIL
from tests.hsctl.league.test_ledger import aged, filled
from tests.hsctl.run import ROOT, refusal, run_here
from tests.replays.recorded import record_game


@pytest.fixture(scope="module")
def replay() -> hsctl.Replay:
    return hsctl.play_game("simple", "random", seed=3, nodes=10)


@pytest.mark.parametrize("table", TABLES)
def test_rows_have_the_documented_columns(replay: hsctl.Replay, table: str) -> None:
    rows = list(MAKERS[table](replay.playback, "game.json"))
    assert rows and all(list(row) == list(TABLES[table]) for row in rows)


def test_the_page_says_what_the_columns_are() -> None:
    assert (ROOT / "docs" / "reference" / "export.md").read_text() == format_page()


def test_turns_are_of_the_living_and_events_of_what_happened(replay: hsctl.Replay) -> None:
    assert len([row for row in replay.turns if row["turn"] == 0]) == 2
    deaths = [row for row in replay.events if row["event"] == "death"]
    assert [row["death_turn"] for row in replay.games if row["death_turn"] is not None] == [
        row["turn"] for row in deaths
    ]


def test_turns_are_numbered_from_the_first_of_the_record(replay: hsctl.Replay) -> None:
    assert {row["first_turn"] for row in replay.games} == {0}
    later = Playback(record_game(3, 2, game=replay.playback.game_at(5)))
    assert [row["first_turn"] for row in MAKERS["games"](later, "")] == [5, 5]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_files_hold_the_rows(replay: hsctl.Replay, form: str, tmp_path: Path) -> None:
    path, rows = tmp_path / f"turns.{form}", replay.turns
    assert write_file(rows, list(TABLES["turns"]), form, path) == len(rows)
    if form == "csv":
        read = list(csv.DictReader(path.open()))
        assert [int(row["x"]) for row in read] == [row["x"] for row in rows]
    elif form == "jsonl":
        assert [json.loads(line) for line in path.read_text().splitlines()] == rows
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_table(path).to_pylist() == rows


FORMULAS = ["=1+1", "@x", " =1+1", "\t=1", "\r\n+1", "\u00a0-1", "\u3000＝1", "\ufeff＠x", "\x00=1", "＋1", "－1", "−1"]


@pytest.mark.parametrize("text", FORMULAS, ids=ascii)
def test_no_cell_is_a_formula(tmp_path: Path, text: str) -> None:
    write_file([{"message": text}, {"message": "fine = 1"}], ["message"], "csv", tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        assert [row["message"] for row in csv.DictReader(file)] == [f"'{text}", "fine = 1"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_terminal_gets_no_control_characters(form: str) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out, redirected = Terminal(), io.StringIO()
    rows = [{"name": text, "turn": 1} for text in [*EVIL, "\x7f"]]
    for each in (out, redirected):
        write_text(rows, ["name", "turn"], form, each)
    assert all(line.isprintable() for line in out.getvalue().split("\n"))
    assert out.getvalue().count("\n") == len(rows) + (form == "csv")
    assert "\x1b[2J" in redirected.getvalue() if form == "csv" else True


def test_a_nested_answer_is_flat_by_keys() -> None:
    rows = list(flat_rows({"title": "t", "cells": [{"a": 1}, {"a": [2, None]}]}))
    assert [tuple(row.values()) for row in rows] == [
        ("title", "t"),
        ("cells.0.a", 1),
        ("cells.1.a.0", 2),
        ("cells.1.a.1", None),
    ]


def test_a_ledger_and_replays_are_exported(
    capsys: pytest.CaptureFixture[str], replay: hsctl.Replay, tmp_path: Path
) -> None:
    league = hsctl.run_league("still", "random", games=2, nodes=1, ledger=tmp_path / "games.sqlite")
    out = run_here(capsys, "export", "ledger", "--ledger", tmp_path / "games.sqlite").out
    rows = list(csv.DictReader(out.splitlines()))
    assert list(rows[0]) == list(LEDGER)
    assert sorted(int(row["boxes"]) for row in rows) == sorted(row["boxes"] for row in league.games)
    file = replay.save(tmp_path / "replays" / "game.json")
    done = run_here(capsys, "export", "replays", file.parent, "--to", "jsonl", "--out", tmp_path / "data")
    assert done.code == 0 and f"{len(replay.turns)} rows" in done.err
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == sorted(f"{name}.jsonl" for name in TABLES)


def test_a_ledger_that_is_exported_is_only_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    none = tmp_path / "none.sqlite"
    assert refusal(capsys, "export", "ledger", "--ledger", none) == (
        f"{none}: No such file or directory; name a ledger"
    )
    code, out, err = run_here(capsys, "export", "ledger")
    assert (code, out) == (0, ",".join(LEDGER) + "\n") and err.startswith("no games yet: ")
    assert list(tmp_path.iterdir()) == []


def test_an_older_ledger_is_exported_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = aged(filled(tmp_path / "old.sqlite", range(3)))
    before = path.read_bytes()
    out = run_here(capsys, "export", "ledger", "--ledger", path).out
    assert {row["seed"] for row in csv.DictReader(out.splitlines())} == {"0", "1", "2"}
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["boxes"], "'boxes' is not one of"),
        (["ledger", "--to", "xls"], "'xls' is not one of"),
        (["replays", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["replays", "--table", "moves"], "'moves' is not one of"),
        (["ledger", "--table", "turns"], "a ledger has only games"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refusal(capsys, "export", *arguments)
