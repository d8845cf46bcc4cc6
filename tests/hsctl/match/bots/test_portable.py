"""Bots without a guardian: the evil ones get the same causes, and nothing of their process group is left."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from hsctl.match.bots.answer import Cause
from hsctl.match.bots.bot import LONGEST_LINE, Bot
from hsctl.match.bots.limits import BotLimits
from hsctl.match.bots.portable import taskkill
from hsctl.match.bots.process import STDERR_KEPT
from tests.hsctl.match.bots.asking import (
    PLENTY,
    SHORT,
    ask_all,
    cause_and_detail,
    evil,
    lines,
    processes,
    wait_until_none_is_left,
)
from tests.hsctl.match.bots.test_bot import ODD, OUT, SILENT

pytestmark = pytest.mark.linux  # where what is left can be found

PORTABLE = BotLimits(is_portable=True)
ESCAPING = {"forks_setsid": 1, "forks_daemon": 1, "family_and_crash": 2}  # how many leave the bot's process group
# The first leaves it, too, and can't be found; the second would end the process that runs it: this one.
UNPROTECTED = ("forks_without_end", "pesters_its_guardian")


def portable(mode: str, startup_s: float = PLENTY) -> Bot:
    return evil(mode, startup_s=startup_s, bot_limits=PORTABLE)


def kill_escaped(mode: str) -> None:
    """Nobody is left but those that leave the group, if they were in time."""
    left = processes()
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert len(left) <= ESCAPING.get(mode, 0)
    wait_until_none_is_left()


def wait_for_threads(before: int) -> None:
    deadline = time.monotonic() + PLENTY
    while threading.active_count() > before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- what is promised ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "turns", "cause", "detail"), OUT, ids=[row[0] for row in OUT])
def test_a_bot_that_fails_is_out_for_its_exact_cause(mode: str, turns: int, cause: Cause, detail: str) -> None:
    threads = threading.active_count()
    with portable(mode) as bot:
        assert lines(ask_all(bot, turns)) == [f"MOVE {turn} 0" for turn in range(turns)]
        failure = bot.ask("one more\n", SHORT if cause == "timeout" else PLENTY).failure
        assert failure is not None
        assert cause_and_detail(failure) == (cause, detail)
        kill_escaped(mode)  # before stop(), too
    wait_for_threads(threads)


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "detail"), SILENT)
def test_a_bot_that_never_answers_is_out_when_its_time_is_up(mode: str, detail: str) -> None:
    with portable(mode, startup_s=SHORT - 0.5) as bot:
        failure = bot.ask("turn\n", 0.5).failure
    assert failure is not None
    assert cause_and_detail(failure) == ("timeout", detail)
    assert SHORT <= failure.wall_s < SHORT + PLENTY
    assert failure.exit_code is None and failure.signal is None
    assert failure.last_line == ("MOVE 3" if mode == "half_a_line" else None)


@pytest.mark.parametrize(("mode", "first_lines"), [row for row in ODD if row[0] not in UNPROTECTED])
def test_a_bot_that_is_only_odd_plays_on(mode: str, first_lines: list[str]) -> None:
    with portable(mode) as bot:
        answers = ask_all(bot, len(first_lines))
    assert bot.failure is None
    assert lines(answers) == first_lines
    kill_escaped(mode)


def test_floods_end_a_bot_and_stay_in_its_pipe() -> None:
    with portable("prints_megabytes") as bot:
        ask_all(bot, 2000)
        assert len(bot._process.inbox) < 4 * 64 * 1024
    assert bot.failure is not None and bot.failure.cause == "flood"
    with portable("line_without_end") as bot:
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and cause_and_detail(failure) == ("flood", f"a line of more than {LONGEST_LINE} bytes")


def test_a_bot_that_never_reads_is_out_though_it_answers() -> None:
    threads = threading.active_count()
    with portable("never_reads") as bot:
        assert bot.ask("x" * 40_000, PLENTY).line == "MOVE 1 1"
        failure = bot.ask("x" * 400_000, SHORT).failure
    assert failure is not None and failure.cause == "timeout"
    assert "bytes of its input not read within 1500 ms" in failure.detail
    wait_for_threads(threads)


def test_stderr_is_kept_by_turn_and_only_its_tail() -> None:
    """Threads read it, so on a busy machine its last bytes may come with the next turn."""
    with portable("floods_stderr_and_answers") as bot:
        answers = ask_all(bot, 3)
    assert lines(answers) == ["MOVE 0 0", "MOVE 1 0", "MOVE 2 0"]
    assert all(0 < len(answer.stderr.encode(errors="replace")) <= STDERR_KEPT + 2 for answer in answers)


def test_a_crash_is_described_with_its_evidence() -> None:
    with portable("dies_on_turn_3") as bot:
        ask_all(bot, 4)
    assert bot.failure is not None
    assert bot.failure.describe() == (
        "exited with code 1; last output 'MOVE 2 0'; stderr ends 'IndexError: the board is smaller than that'"
    )


@pytest.mark.parametrize(
    ("mode", "content", "said"),
    [(None, "", "No such file or directory: "), (0o644, "x", "Permission denied"), (0o755, "x", "Exec format error")],
)
def test_what_can_not_start_says_why(mode: int | None, content: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bot"
    if mode is not None:
        file.write_text(content)
        file.chmod(mode)
    with Bot(str(file), startup_s=1, bot_limits=PORTABLE) as bot:
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.cause == "start" and failure.detail.startswith(said)


def test_no_file_of_the_runner_or_of_another_bot_leaks_into_a_bot() -> None:
    with portable("prints_nul") as first, portable("lists_its_files") as second:
        assert first.ask("turn\n", PLENTY).line
        assert second.ask("turn\n", PLENTY).line == "0 1 2 3"  # the last is the listing itself


# --- what is not --------------------------------------------------------------------------------------------------


def test_nothing_is_counted_and_a_late_answer_is_nobodys_fault() -> None:
    with portable("late_on_turn_7") as bot:
        answers = ask_all(bot, 7)
        assert {answer.cpu_s for answer in answers} == {None}
        assert bot.held().threads == 0
        late = bot.ask("turn\n", 0.2).late
    assert late is not None and (late.culprit, late.cpu_ms) == ("unclear", None)


def test_on_windows_the_program_that_ends_bots_is_named_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEMROOT", "/windows")
    assert taskkill() == os.path.join("/windows", "System32", "taskkill.exe")
