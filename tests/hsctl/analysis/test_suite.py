"""Suites: demands and entries are read back as written; errors are one line and name the file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.errors import HsctlError
from engine.notation import Order, parse_header
from hsctl.analysis import suite
from hsctl.analysis.suite import (
    FORMAT,
    VERSION,
    Avoid,
    Demand,
    Play,
    SuiteEntry,
    Survive,
    Within,
    parse_demand,
    read_entry,
    read_inputs,
    read_suite,
    write_entry,
)
from replays.schema import format_schema
from tests.hsctl.run import ROOT

BOARD = [".............", ".X.X.X.X.X.X."] * 5 + ["............."]
START = [*BOARD, "2", "0 0 0 0 1 3", "0 1 12 10 1 3"]
LATER = [*BOARD, "3", "0 0 1 0 0 3", "0 1 12 10 1 3", "1 0 0 0 8 3"]
INPUTS = ["13 11 1", *START, *LATER]


def written(folder: Path, **other: Any) -> Path:
    path = folder / "entry.json"
    entry = {"format": FORMAT, "version": 1, "inputs": INPUTS, "demands": ["must survive"], **other}
    path.write_text(json.dumps(entry))
    return path


def test_an_entry_is_what_was_written(tmp_path: Path) -> None:
    entry = SuiteEntry(FORMAT, 1, INPUTS, ["must survive 3", "within 80 ms"], 7, "because")
    path = write_entry(tmp_path, "one", entry)
    assert path == tmp_path / "one.json" and read_entry(path) == entry
    assert read_suite(tmp_path) == {"one": entry}


def test_the_entry_that_is_documented_begins_like_one() -> None:
    (first,) = re.findall(r'"inputs": \["([^"]*)"', suite.__doc__ or "")
    assert parse_header(first) == 0


def test_inputs_are_understood_turn_by_turn(tmp_path: Path) -> None:
    inputs = read_inputs(read_entry(written(tmp_path)))
    assert inputs.seat == 1 and "".join(inputs.turns) == "".join(f"{line}\n" for line in INPUTS)
    assert [text.count("\n") for text in inputs.turns] == [1 + len(START), len(LATER)]
    assert inputs.game.turn == 1 and len(inputs.game.bombs) == 1
    assert read_inputs(read_entry(written(tmp_path, turn=42))).game.turn == 42


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"demands": []}, "length >= 1"),
        ({"demands": ["must win"]}, "demand 'must win'"),
        ({"inputs": []}, "line 1: expected"),
        ({"inputs": ["13 11 0"]}, "line 2: expected 11 rows and the number of entities"),
        ({"inputs": [*INPUTS, "....."]}, f"line {len(INPUTS) + 2}: expected 11 rows"),
        ({"inputs": ["13 11 0", *START[:-1]]}, "line 13: expected 2 entity lines to follow, found 1"),
        ({"inputs": ["13 11 2", *START]}, "player 2 is not on the board of the last turn"),
        ({"inputs": ["13 11 0", *BOARD, "many"]}, "line 13: expected `number of entities`"),
        ({"turn": 200}, "<= 199"),
        ({"version": 2}, "not an entry of a suite"),
        ({"colour": "red"}, "unknown field `colour`"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, other: dict[str, Any], message: str) -> None:
    path = written(tmp_path, **other)
    with pytest.raises(HsctlError) as error:
        read_suite(tmp_path)
    assert str(error.value).startswith(f"{path}: ") and message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_suite_is_a_folder_with_entries(tmp_path: Path) -> None:
    with pytest.raises(HsctlError, match=re.escape(str(tmp_path))):
        read_suite(tmp_path)
    with pytest.raises(HsctlError, match="nowhere"):
        read_suite(tmp_path / "nowhere")


BOMB_3_4, MOVE_0_1 = Order(True, 3, 4, ""), Order(False, 0, 1, "")


@pytest.mark.parametrize(
    ("text", "demand"),
    [
        ("must survive", Survive()),
        ("must survive 9", Survive(9)),
        ("must not BOMB 3 4", Avoid(BOMB_3_4)),
        ("must play one of MOVE 0 1", Play((MOVE_0_1,))),
        ("must play one of BOMB 3 4, MOVE 0 1", Play((BOMB_3_4, MOVE_0_1))),
        ("within 80 ms", Within(80.0)),
        ("within 0.5 ms", Within(0.5)),
    ],
)
def test_a_demand_is_read_and_written(text: str, demand: Demand) -> None:
    assert parse_demand(text) == demand and str(demand) == text
    assert parse_demand(f"  {text.replace(' ', '  ')} ") == demand


@pytest.mark.parametrize(
    "text",
    [
        "survive",
        "must survive long",
        "must survive 0",
        "must survive 201",
        "must not JUMP 3 4",
        "must not BOMB 3 4 or else",
        "must play one of MOVE 0 1,",
        "within 0 ms",
        "within 9999999999 ms",
        "within 80",
    ],
)
def test_a_wrong_demand_is_refused(text: str) -> None:
    with pytest.raises(HsctlError, match=r"^demand "):
        parse_demand(text)


def test_the_kept_schema_is_that_of_the_code() -> None:
    kept = (ROOT / "docs" / "reference" / "schemas" / "suite.schema.json").read_bytes()
    assert kept == format_schema(SuiteEntry, FORMAT, VERSION), (
        "write it anew: python -m hsctl.analysis.suite > docs/reference/schemas/suite.schema.json"
    )
