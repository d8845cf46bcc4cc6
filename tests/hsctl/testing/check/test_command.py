"""`hsctl check`: options, the report on the screen, as JSON and as JUnit, wrong input."""

import json
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from hsctl.testing.check.run import last_turn
from hsctl.testing.check.session import FORMAT, VERSION, CheckLine, CheckReport
from replays.schema import format_schema
from tests.hsctl.run import ROOT, refusal, run_here
from tests.hsctl.testing.check.faults import faulty

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")


def test_a_bot_that_dies_is_a_no_with_all_that_is_known(capsys: Capture, tmp_path: Path) -> None:
    junit = tmp_path / "out" / "check.xml"
    folder = tmp_path / "inputs"
    code, out, _ = run_here(
        capsys, "check", faulty("dies at once"), "--only", "limits", "--junit", junit, "--out", folder
    )
    assert code == 1
    assert "FAIL an answer" in out and "crash: exited with code 1" in out and "no weights found" in out
    assert "left out: 1 check," in out and "not fit for the arena: 0 passed, 0 warned, 1 failed" in out
    assert f"< {folder / 'protocol-an-answer.txt'}" in out
    assert (folder / "protocol-an-answer.txt").read_text().startswith("13 11 0\n")
    (case,) = ElementTree.parse(junit).getroot().iter("testcase")
    failure = case.find("failure")
    assert failure is not None and "exited with code 1" in failure.attrib["message"]


def test_the_sheet_as_json_fits_its_schema(capsys: Capture, tmp_path: Path) -> None:
    source = tmp_path / "bot.py"
    source.write_text("x" * 100_001)
    code, out, _ = run_here(capsys, "check", faulty("none"), "--only", "limits", "--source", source, "--json")
    report = msgspec.json.decode(out, type=CheckReport)
    assert [(line.name, line.verdict) for line in report.lines] == [
        ("an answer", "pass"),
        ("size of the source", "fail"),
        ("one core is enough", "pass"),
    ]
    assert (code, report.is_fit) == (1, False)
    assert report.lines[1].evidence == "100,001 of 100,000 characters"
    assert json.loads(out)["format"] == "hsctl-check"


def test_the_schema_is_the_one_in_the_docs() -> None:
    assert (ROOT / "docs" / "reference" / "schemas" / "check.schema.json").read_bytes() == format_schema(
        CheckReport, FORMAT, VERSION
    )


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["beam"], "'beam' is a built-in player"),
        (["./no such bot"], "'./no such bot' is neither an agent nor a program that hsctl can run"),
        (["true", "--only", "speed"], "--only speed: "),
        (["true", "--only", "suite"], "--only suite: "),
        (["true", "--only", "limits", "--quick"], "--quick cannot be combined with --only"),
        (["true", "--suite", "nowhere"], "nowhere "),
        (["true", "--source", "nowhere"], "nowhere: "),
    ],
)
def test_wrong_input_gets_one_line(capsys: Capture, arguments: list[str], error: str) -> None:
    assert refusal(capsys, "check", *arguments).startswith(error)


def test_of_what_was_sent_the_last_turn_is_shown() -> None:
    board = "\n".join([".............", ".X.X.X.X.X.X."] * 5 + ["............."])
    turn = f"{board}\n1\n0 0 0 0 1 3\n"
    assert last_turn(CheckLine("x", "fail", "", sent=f"13 11 0\n{turn}")) == f"13 11 0\n{turn}".rstrip()
    assert last_turn(CheckLine("x", "fail", "", sent=f"13 11 0\n{turn}{turn}")) == turn.rstrip()
