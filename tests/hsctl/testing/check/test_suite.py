"""Entries of a suite, written by hand: each demand holds or is broken, and the line says which."""

import json
from pathlib import Path

import pytest

from engine.game import Game
from engine.notation import format_header, format_position
from engine.position import Bomb, Player
from hsctl.analysis.suite import FORMAT, VERSION, SuiteEntry, read_suite, write_entry
from hsctl.testing.check.run import run_checks, suite_checks
from hsctl.testing.check.session import FAIL, PASS, CheckedBot, CheckLine, CheckReport, encode
from tests.hsctl.testing.check.faults import faulty, scripted

OTHER = Player(1, 12, 10, 1, 3, 0)


def entry(demand: str, *bombs: Bomb) -> SuiteEntry:
    """Player 0 at 0,0, and what the answer must be."""
    game = Game.build({(0, 4): 0, (12, 0): 1}, [Player(0, 0, 0, 1, 3, 0), OTHER], bombs, seats=2)
    lines = (format_header(0) + format_position(game)).splitlines()
    return SuiteEntry(FORMAT, VERSION, lines, [demand], why="as it happened")


def line_of(command: str, made: SuiteEntry) -> CheckLine:
    subject = CheckedBot(command, suite={"entry": made})
    (line,) = run_checks(subject, suite_checks(subject.suite), lambda number, check: None).lines
    return line


NEAR = Bomb(1, 0, 2, 2, 3)  # hits 0,0 in the next round but one


@pytest.mark.parametrize(
    ("answers", "demand", "bombs", "verdict"),
    [
        (["MOVE 1 0"], "must survive", [NEAR], PASS),
        (["MOVE 0 1"], "must survive", [NEAR], FAIL),
        (["MOVE 1 0"] * 5, "must survive 4", [NEAR], PASS),
        (["MOVE 1 0", "MOVE 1 0", "nonsense"], "must survive 4", [NEAR], FAIL),
        (["MOVE 1 0", "MOVE 0 0", "MOVE 0 0", "MOVE 0 0"], "must survive 4", [Bomb(1, 0, 2, 3, 3)], FAIL),
        (["BOMB 1 0"], "must not BOMB 1 0", [], FAIL),
        (["BOMB 12 0"], "must not BOMB 1 0", [], FAIL),  # the same step
        (["BOMB 0 1"], "must not BOMB 1 0", [], PASS),
        (["MOVE 0 1"], "must play one of MOVE 1 0, MOVE 0 1", [], PASS),
        (["MOVE 0 0"], "must play one of MOVE 1 0, MOVE 0 1", [], FAIL),
        (["MOVE 0 0"], "within 600000 ms", [], PASS),
    ],
)
def test_a_demand_holds_or_is_broken(answers: list[str], demand: str, bombs: list[Bomb], verdict: str) -> None:
    line = line_of(scripted(*answers), entry(demand, *bombs))
    assert line.verdict == verdict, line
    if verdict == FAIL:
        assert line.evidence.startswith(f"`{demand}`: ") and "as it happened" in line.evidence
        assert line.sent.startswith("13 11 0\n.....")


def test_an_answer_after_its_time_breaks_its_demand() -> None:
    line = line_of(faulty("slow start"), entry("within 80 ms"))
    assert line.verdict == FAIL and "answered after 3" in line.evidence


def test_a_folder_of_entries_is_read_by_name(tmp_path: Path) -> None:
    write_entry(tmp_path, "first", entry("must survive"))
    assert [check.name for check in suite_checks(read_suite(tmp_path))] == ["first"]


def test_the_json_of_a_sheet_cannot_steer_a_terminal() -> None:
    why = "\x1b[2J\u202egnp\u2028\n"
    report = CheckReport("hsctl-check", 1, "0", why, False, 0.0, [CheckLine("one", "fail", why)])
    text = encode(report)
    assert text.isascii() and "\x1b" not in text and json.loads(text)["command"] == why
