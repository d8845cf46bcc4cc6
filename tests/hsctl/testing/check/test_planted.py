"""Planted faults: each is found under its own name, with what was sent and came back; a sound bot passes."""

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.game import Game
from engine.position import Bomb, Player
from hsctl.testing.check import probes, session
from hsctl.testing.check.run import plan_checks, run_checks
from hsctl.testing.check.session import CHAPTERS, FAIL, PASS, WARN, CheckedBot, CheckLine, CheckReport
from tests.hsctl.testing.check.faults import faulty

EXAMPLES = Path(__file__).parents[4] / "examples"


def report_of(command: str, names: Sequence[str], folder: Path | None = None) -> CheckReport:
    """The checks of these names alone."""
    subject = CheckedBot(command, folder=folder)
    checks = plan_checks(subject, [chapter for chapter in CHAPTERS if chapter != "strength"], print)
    return run_checks(subject, [check for check in checks if check.name in names], lambda number, check: None)


def line_of(command: str, *names: str, folder: Path | None = None) -> CheckLine:
    """The line of the last of these checks; the others pass."""
    *others, line = report_of(command, names, folder).lines
    assert [other.verdict for other in others] == [PASS] * len(others), others
    return line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "names", "verdict", "evidence"),
    [
        ("slow start", ["first turn"], FAIL, "the limit is 1000"),
        ("late on turn 1", ["later turns"], FAIL, "turns late, first turn 1: "),
        ("stale input", ["the newest input"], FAIL, "each answer is the one to the turn before"),
        ("wrong seat", ["its own seat"], FAIL, "the answers from seats 0 to 3 are all"),
        ("reads too little", ["an answer", "all of its input"], FAIL, "before the last line of its input was sent"),
        ("CRLF", ["CRLF"], WARN, "turn 0: crash: exited with code 1"),
        ("missing player", ["dead players missing"], FAIL, "turn 0: crash: exited with code 1"),
        ("two lines", ["2 players", "one line a turn"], FAIL, "printed before their turn"),
        ("lower case", ["2 players", "orders in capitals"], WARN, "16 answers were in lower case"),
        ("off the board", ["2 players", "targets on the board"], WARN, "had a target off the board"),
        ("no bomb", ["2 players", "bombs that it has"], WARN, "BOMB without a bomb to drop"),
        ("no effect", ["2 players", "moves with effect"], WARN, "moves that lead nowhere"),
        ("stays on its bomb", ["2 players", "orders that can be survived"], WARN, "meant certain death, first turn "),
        ("not deterministic", ["the same answers again"], WARN, "of the same inputs: first 'MOVE "),
        ("nonsense", ["2 players"], FAIL, "turn 0: invalid: expected `MOVE x y` or `BOMB x y`, found 'WAIT'"),
        ("needs stderr", ["stderr thrown away"], WARN, "turn 0: crash: exited with code 1"),
        ("much stderr", ["stderr all the game"], WARN, "4096 bytes or more on a turn"),
        ("memory", ["768 MB of memory"], FAIL, "memory: "),
    ],
)
def test_a_planted_fault_is_found_under_its_name(
    fault: str, names: list[str], verdict: str, evidence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "MEMORY_MB", 100)  # enough for Python, and light on the machine
    line = line_of(faulty(fault), *names)
    assert (line.name, line.verdict) == (names[-1], verdict), line
    assert evidence in line.evidence
    assert line.sent or fault == "much stderr"


def test_a_bot_that_reads_with_input_needs_no_stderr(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\ninput()\n"
        "while True:\n"
        "    rows = [input() for _ in range(11)]\n"
        "    things = [input() for _ in range(int(input()))]\n"
        "    print('thinking', file=sys.stderr, flush=True)\n"
        "    print('MOVE 0 0', flush=True)\n"
    )
    line = line_of(shlex.join([sys.executable, "-S", str(bot)]), "stderr thrown away")
    assert (line.verdict, line.evidence) == (PASS, "8 turns answered")


def test_a_bot_that_kills_itself_is_kept_alive_to_see_more_of_it() -> None:
    line = line_of(faulty("stays on its bomb"), "a whole game")
    assert (line.verdict, line.turn) == (FAIL, 40)
    assert line.evidence.startswith("a whole game, turn 40: crash: exited with code 1 (kept alive: its order on turn ")


def test_who_cannot_be_kept_alive_was_not_seen_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "other_way", lambda *_: None)
    line = line_of(faulty("stays on its bomb"), "a whole game")
    assert (line.verdict, line.evidence) == (WARN, "only 9 of 200 turns seen: it died on turn 8")


def test_only_orders_that_mean_death_are_not_carried_out() -> None:
    players = [Player(0, 0, 0, 0, 3, 0), Player(1, 12, 10, 1, 3, 0)]
    game = Game.build({}, players, [Bomb(0, 0, 0, 4, 3)], seats=2)
    right, down = 2, 4
    assert session.other_way(game, 0, [right, 0]) is None
    assert session.other_way(game, 0, [0, 0]) in (right, down)
    assert session.other_way(Game.build({}, players, [Bomb(0, 0, 0, 1, 3)], seats=2), 0, [0, 0]) is None


def test_what_was_sent_can_be_fed_to_the_bot_again(tmp_path: Path) -> None:
    line = line_of(faulty("missing player"), "dead players missing", folder=tmp_path)
    assert Path(line.file) == tmp_path / "protocol-dead-players-missing.txt"
    words = shlex.split(faulty("missing player"))
    again = subprocess.run(words, input=Path(line.file).read_text(), capture_output=True, text=True, check=False)
    assert again.returncode == 1 and "KeyError: 0" in again.stderr
    assert "KeyError: 0" in line.received


def test_without_an_answer_nothing_else_is_checked() -> None:
    report = report_of(faulty("dies at once"), ["an answer", "2 players", "CRLF"])
    (line,) = report.lines
    assert (line.name, line.verdict, report.is_fit) == ("an answer", FAIL, False)
    assert "exited with code 1" in line.evidence and "no weights found" in line.received
    assert report.left_out == ["protocol: 2 players", "robustness: CRLF"]


def assert_sound(command: str) -> None:
    """All lines pass, but for those of times, which depend on what else the machine does."""
    subject = CheckedBot(command)
    checks = plan_checks(subject, [chapter for chapter in CHAPTERS if chapter != "strength"], print)
    report = run_checks(subject, checks, lambda number, check: None)
    assert not report.left_out and {line.chapter for line in report.lines} == {*CHAPTERS} - {"suite", "strength"}
    assert [line for line in report.lines if line.verdict != PASS and line.chapter != "timing"] == []


@pytest.mark.slow
def test_the_example_in_python_passes() -> None:
    assert_sound(f"python3 {EXAMPLES / 'bot.py'}")


@pytest.mark.slow
def test_the_example_in_cpp_passes(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    try:
        subprocess.run(["g++", "-O2", "-std=c++17", "-o", bot, EXAMPLES / "bot.cpp"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no g++ here")
    assert_sound(str(bot))
