"""External bots: each evil one gets its exact cause, the runner goes on, and no process is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.bots.answer import Cause
from hsctl.match.bots.bot import LONGEST_LINE, STDERR_KEPT, Bot
from hsctl.match.bots.limits import BotLimits
from tests.hsctl.match.bots.asking import (
    PLENTY,
    SHORT,
    ask_all,
    cause_and_detail,
    command,
    evil,
    guardians,
    lines,
    processes,
    wait_until_none_is_left,
)

pytestmark = pytest.mark.linux


# --- bots that are out, and why -------------------------------------------------------------------------------

OUT: list[tuple[str, int, Cause, str]] = [
    # mode, turns answered before, cause, a part of the sentence
    ("dies_on_turn_3", 3, "crash", "exited with code 1"),
    ("kills_itself", 1, "crash", "killed by SIGSEGV"),
    ("dies_while_its_child_holds_the_pipes", 1, "crash", "exited with code 7"),
    ("answers_and_exits", 3, "crash", "exited with code 5"),
    ("family_and_crash", 1, "crash", "exited with code 3"),
    ("exits_at_once", 0, "closed", "exited with code 0 and without an answer"),
    ("closes_output", 1, "closed", "closed its output and lived on"),
    ("closes_input", 3, "timeout", "no answer within 1500 ms"),
    ("line_without_end", 0, "flood", f"a line of more than {LONGEST_LINE} bytes"),
    ("late_on_turn_7", 7, "timeout", "no answer within 1500 ms"),
    ("ignores_sigterm", 1, "timeout", "no answer within 1500 ms"),
    ("stops_itself", 1, "timeout", "no answer within 1500 ms"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "turns", "cause", "detail"), OUT, ids=[row[0] for row in OUT])
def test_a_bot_that_fails_is_out_for_its_exact_cause(mode: str, turns: int, cause: Cause, detail: str) -> None:
    with evil(mode) as bot:
        answers = ask_all(bot, turns)
        assert lines(answers) == [f"MOVE {turn} 0" for turn in range(turns)]
        failed = bot.ask("one more\n", SHORT if cause == "timeout" else PLENTY)
        assert failed.line is None
        assert failed.failure is not None
        assert cause_and_detail(failed.failure) == (cause, detail)
        assert not processes()  # before stop(), too


SILENT = [
    ("never_answers", "no answer within 1500 ms, nothing printed so far: does it flush its output?"),
    ("never_flushes", "no answer within 1500 ms, nothing printed so far: does it flush its output?"),
    ("half_a_line", "no answer within 1500 ms"),
    ("floods_stderr", "no answer within 1500 ms, nothing printed so far: does it flush its output?"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "detail"), SILENT)
def test_a_bot_that_never_answers_is_out_when_its_time_is_up(mode: str, detail: str) -> None:
    with evil(mode, startup_s=SHORT - 0.5) as bot:
        answer = bot.ask("turn\n", 0.5)
    assert answer.failure is not None
    assert cause_and_detail(answer.failure) == ("timeout", detail)
    assert answer.failure.wall_s >= SHORT
    assert answer.failure.exit_code is None and answer.failure.signal is None
    assert answer.failure.last_line == ("MOVE 3" if mode == "half_a_line" else None)


def test_a_bot_that_prints_megabytes_is_out_for_the_flood() -> None:
    with evil("prints_megabytes") as bot:
        answers = ask_all(bot, 2000)
    answered = [answer for answer in answers if answer.failure is None]
    assert {answer.line for answer in answered} <= {"MOVE 0 0"}
    assert bot.failure is not None
    assert (bot.failure.cause, bot.failure.detail) == ("flood", "more than 65536 bytes of output ahead of its turns")


def test_a_bot_that_never_reads_is_out_though_it_answers() -> None:
    """The pipe takes the first input; the second finds it full."""
    with evil("never_reads") as bot:
        assert bot.ask("x" * 40_000, PLENTY).line == "MOVE 1 1"
        answer = bot.ask("x" * 400_000, SHORT)
    assert answer.failure is not None and answer.failure.cause == "timeout"
    assert "bytes of its input not read within 1500 ms" in answer.failure.detail


@pytest.mark.parametrize("mode", ["eats_memory", "child_eats_memory"])
def test_a_bot_that_holds_too_much_memory_is_out_whichever_process_holds_it(mode: str) -> None:
    with evil(mode, bot_limits=BotLimits(memory_mb=100)) as bot:
        assert bot.ask("turn\n", PLENTY).line == "MOVE 0 0"
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.cause == "memory"
    assert failure.detail.endswith("MB resident, allowed are 100")


def test_a_bot_within_its_memory_plays_on() -> None:
    with evil("forks_setsid", bot_limits=BotLimits(memory_mb=200)) as bot:
        assert lines(ask_all(bot, 3)) == ["MOVE 0 0", "MOVE 1 0", "MOVE 2 0"]
        time.sleep(0.3)
        assert bot.ask("turn\n", PLENTY).line == "MOVE 3 0"


def test_a_command_that_does_not_exist_cannot_start() -> None:
    with Bot("./no-such-bot --fast", startup_s=1) as bot:
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.cause == "start"
    assert failure.detail.startswith("No such file or directory: './no-such-bot'")


@pytest.mark.parametrize(("mode", "detail"), [(0o644, "Permission denied"), (0o755, "Exec format error")])
def test_a_file_that_cannot_be_executed_cannot_start(mode: int, detail: str, tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_text("print('MOVE 0 0')")
    file.chmod(mode)
    with Bot(str(file), startup_s=1) as bot:
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.cause == "start" and failure.detail.startswith(detail)


@pytest.mark.parametrize("text", ["", "  ", "python 'bot.py"])
def test_a_command_of_no_words_is_refused(text: str) -> None:
    with pytest.raises(HsctlError):
        Bot(text, startup_s=1)


# --- bots that are odd, and play on -----------------------------------------------------------------------------


ODD = [
    ("prints_binary", ["\N{REPLACEMENT CHARACTER}" * 128, "MOVE 0 0"]),
    ("prints_nul", ["MOVE\0 1 1", "MOVE 0 0"]),
    ("prints_crlf", ["MOVE 1 1", "MOVE 0 0"]),
    ("prints_an_empty_line", ["", "MOVE 0 0"]),
    ("huge_numbers", [f"MOVE {'9' * 1000} -{'9' * 1000}", "MOVE 0 0"]),
    ("prints_before_asked", ["MOVE 5 5", "MOVE 0 0"]),
    ("two_lines_at_once", ["MOVE 0 0", "MOVE 1 0", "MOVE 2 0"]),
    ("line_in_two_halves", ["MOVE 3 4", "MOVE 0 0"]),
    ("forks_setsid", ["MOVE 0 0", "MOVE 1 0"]),
    ("forks_daemon", ["MOVE 0 0", "MOVE 1 0"]),
    ("forks_without_end", ["MOVE 0 0", "MOVE 1 0"]),
    ("parent_exits_child_answers", ["MOVE 0 0", "MOVE 1 0"]),
    ("pesters_its_guardian", ["MOVE 0 0", "MOVE 1 0"]),
]


@pytest.mark.parametrize(("mode", "first_lines"), ODD)
def test_a_bot_that_is_only_odd_plays_on(mode: str, first_lines: list[str]) -> None:
    with evil(mode) as bot:
        answers = ask_all(bot, len(first_lines))
    assert bot.failure is None
    assert lines(answers) == first_lines


def test_a_line_ahead_answers_the_next_turn_at_once() -> None:
    """The bot sleeps after its three lines: the clock of the later turns has no part in them."""
    with evil("closes_input") as bot:
        assert bot.ask("turn\n", PLENTY).line == "MOVE 0 0"
        time.sleep(0.5)
        assert [bot.ask("turn\n", 0.0).line for _ in range(2)] == ["MOVE 1 0", "MOVE 2 0"]


def test_a_slow_start_has_its_own_allowance() -> None:
    with evil("starts_slowly", startup_s=PLENTY) as bot:
        answer = bot.ask("turn\n", 0.1)
        second = bot.ask("turn\n", PLENTY)
    assert answer.line == "MOVE 0 0"
    assert answer.wall_s > 1.0
    assert answer.late is None and answer.slow_start is not None and answer.slow_start.wall_ms > 1000
    assert second.slow_start is None


def test_a_start_within_the_first_turn_is_not_slow() -> None:
    with evil("starts_slowly", startup_s=1) as bot:
        assert bot.ask("turn\n", PLENTY).slow_start is None


def test_no_limit_means_none() -> None:
    with evil("starts_slowly", startup_s=0) as bot:
        assert bot.ask("turn\n", None).line == "MOVE 0 0"


def test_what_is_sent_without_a_question_comes_before_the_next_one() -> None:
    with Bot("cat", startup_s=PLENTY) as bot:
        bot.send("13 11 0\n")
        assert bot.ask("turn\n", PLENTY).line == "13 11 0"
        assert bot.ask("", PLENTY).line == "turn"


def test_stderr_is_captured_per_turn_and_only_its_tail() -> None:
    with evil("floods_stderr_and_answers") as bot:
        answers = ask_all(bot, 3)
    assert lines(answers) == ["MOVE 0 0", "MOVE 1 0", "MOVE 2 0"]
    for turn, answer in enumerate(answers):
        assert answer.stderr.endswith(f"end of turn {turn}\n\N{REPLACEMENT CHARACTER}")
        assert len(answer.stderr.encode(errors="replace")) <= STDERR_KEPT + 2
        assert f"end of turn {turn - 1}" not in answer.stderr


def test_cpu_time_is_that_of_the_turn() -> None:
    with evil("burns_cpu") as bot:
        burning, idle = ask_all(bot, 2)
    assert burning.cpu_s is not None and idle.cpu_s is not None
    assert 0.2 <= burning.cpu_s <= burning.wall_s + 0.5
    assert idle.cpu_s < burning.cpu_s / 2


# --- evidence -----------------------------------------------------------------------------------------------------


def test_a_crash_is_described_with_its_evidence_in_one_sentence() -> None:
    with evil("dies_on_turn_3") as bot:
        ask_all(bot, 4)
    failure = bot.failure
    assert failure is not None
    assert failure.exit_code == 1 and failure.signal is None
    assert failure.last_line == "MOVE 2 0"
    assert "first words" in failure.stderr
    assert failure.describe() == (
        "exited with code 1; last output 'MOVE 2 0'; stderr ends 'IndexError: the board is smaller than that'"
    )


def test_last_words_that_came_with_the_last_answer_are_evidence_too() -> None:
    with evil("answers_and_exits") as bot:
        answers = ask_all(bot, 4)
    assert [answer.stderr for answer in answers] == ["", "", "last words\n", ""]
    assert bot.failure is not None and bot.failure.stderr == "last words\n"


def test_a_signal_is_named_in_the_evidence() -> None:
    with evil("kills_itself") as bot:
        ask_all(bot, 2)
    assert bot.failure is not None
    assert (bot.failure.signal, bot.failure.exit_code) == ("SIGSEGV", None)


def test_a_rejected_answer_has_the_same_evidence_and_stops_the_bot() -> None:
    with evil("prints_nul") as bot:
        bot.ask("turn\n", PLENTY)
        failure = bot.reject("MOVE needs two numbers")
        assert not processes()
        assert bot.ask("turn\n", PLENTY).failure is failure
    assert (failure.cause, failure.last_line) == ("invalid", "MOVE\0 1 1")
    assert failure.describe() == "MOVE needs two numbers"


def test_after_a_failure_every_answer_is_that_failure() -> None:
    with evil("exits_at_once") as bot:
        first, second = ask_all(bot, 2)
        bot.send("ignored\n")
    assert second.failure is first.failure is bot.failure is not None


# --- neighbours and the runner -------------------------------------------------------------------------------------


def test_no_file_of_the_runner_or_of_another_bot_leaks_into_a_bot() -> None:
    with evil("forks_setsid") as first, evil("lists_its_files") as second:
        assert first.ask("turn\n", PLENTY).line == "MOVE 0 0"
        assert second.ask("turn\n", PLENTY).line == "0 1 2 3"  # the last is the listing itself


def test_signals_reach_a_bot_as_if_nobody_watched_it() -> None:
    with Bot("sh -c 'kill -PIPE $$; echo ignored'", startup_s=PLENTY) as bot:
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.signal == "SIGPIPE"


def test_a_bot_keeps_playing_while_its_neighbour_dies() -> None:
    with evil("forks_daemon") as sound, evil("dies_on_turn_3") as dying:
        for turn in range(5):
            assert sound.ask("turn\n", PLENTY).line == f"MOVE {turn} 0"
            dying.ask("turn\n", PLENTY)
        assert dying.failure is not None and dying.failure.cause == "crash"


def test_a_bot_dies_with_its_guardian_though_nobody_asks() -> None:
    with evil("ignores_sigterm") as bot:
        assert bot.ask("turn\n", PLENTY).line == "MOVE 0 0"
        [watchdog] = guardians()
        os.kill(watchdog, signal.SIGKILL)
        wait_until_none_is_left()


RUNNER = """
import os, sys, time
from hsctl.match.bots.bot import Bot
bots = [Bot(command, startup_s=60) for command in sys.argv[2:]]
for bot in bots:
    bot.start()
    assert bot.ask("turn\\n", None).line
if sys.argv[1] == "forks" and os.fork() == 0:
    sys.stdin.read()
    os._exit(0)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("name", "is_forked"),
    [("SIGKILL", False), ("SIGTERM", False), ("SIGKILL", True)],
    ids=["by kill -9", "by a polite signal", "by kill -9 while a fork of it holds the pipes"],
)
def test_a_killed_runner_leaves_no_process(name: str, is_forked: bool) -> None:
    modes = ["forks_setsid", "forks_daemon", "ignores_sigterm"]
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER, "forks" if is_forked else "", *map(command, modes)],
        cwd=Path(__file__).parents[4],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"ready\n"
        assert len(processes()) >= 2 * len(modes) + 2
        runner.send_signal(getattr(signal, name))
        runner.wait()
        wait_until_none_is_left()
