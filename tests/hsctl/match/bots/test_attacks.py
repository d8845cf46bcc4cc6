"""Bots that attack: each gets its exact cause or gets nowhere, no process is left, the opponent plays on unharmed."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from hsctl.match.bots import confine
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.guardian import MOST_PROCESSES
from hsctl.match.bots.limits import BotLimits
from tests.hsctl.match.bots.asking import (
    ATTACKING,
    EVIL,
    PLENTY,
    ask_all,
    attacking,
    command,
    evil,
    guardians,
    lines,
    wait_until_none_is_left,
)
from tests.hsctl.match.bots.unprivileged import python_for_all, run_and_give_up

pytestmark = pytest.mark.linux
fenced = pytest.mark.skipif(not confine.landlock_version(), reason="this kernel has no Landlock")
keeps_signals_in = pytest.mark.skipif(
    confine.landlock_version() < confine.FIRST_VERSION_WITH_SCOPES, reason="Landlock of this kernel knows no signals"
)


# --- whoever runs them, root too ----------------------------------------------------------------------------------


@fenced
def test_a_forger_can_open_no_pipe_of_its_guardian() -> None:
    with attacking("forges_reports") as bot:
        assert lines(ask_all(bot, 3)) == ["MOVE 0 0", "MOVE 1 0", "MOVE 2 0"]


@fenced
def test_a_cheat_can_open_no_pipe_of_its_opponent() -> None:
    with evil("forks_setsid") as sound, attacking("answers_for_others") as cheat:
        assert sound.ask("turn\n", PLENTY).line == "MOVE 0 0"
        assert cheat.ask("turn\n", PLENTY).line == "MOVE 0 0"
        assert lines([sound.ask("turn\n", PLENTY) for _ in range(3)]) == ["MOVE 1 0", "MOVE 2 0", "MOVE 3 0"]


@keeps_signals_in
def test_a_bot_cannot_kill_its_guardian() -> None:
    with evil("kills_its_guardian") as bot:
        assert lines(ask_all(bot, 3)) == ["MOVE 0 0", "denied", "MOVE 0 0"]


@pytest.mark.parametrize("nonsense", [b"memory much\n", b"exit\n", b"\xff\n", b"\n", b"exit 1 2\n", b"x" * 1000])
def test_nonsense_among_the_reports_is_the_end_of_the_bot_and_no_error_of_the_runner(nonsense: bytes) -> None:
    """Written by the test, which as its parent may be allowed to: as a bot of root could without Landlock."""
    with evil("forks_setsid") as sound, evil("ignores_sigterm") as forger:
        assert sound.ask("turn\n", PLENTY).line == "MOVE 0 0"
        assert forger.ask("turn\n", PLENTY).line == "MOVE 0 0"
        pipe = os.open(f"/proc/self/fd/{forger._process.status}", os.O_WRONLY)
        os.write(pipe, nonsense)
        os.close(pipe)
        failure = forger.ask("turn\n", PLENTY).failure
        assert failure is not None and failure.cause == "forged"
        assert sound.ask("turn\n", PLENTY).line == "MOVE 1 0"


@pytest.mark.parametrize("mode", ["forks_a_nameless_daemon", "waits_in_a_chain"])
def test_what_a_dead_guardian_leaves_falls_to_the_runner_and_is_killed(mode: str) -> None:
    """Killed by the test, as a bot could where no fence keeps its signals in."""
    with attacking(mode) as bot:
        assert bot.ask("turn\n", PLENTY).line == "MOVE 0 0"
        [watchdog] = guardians()
        os.kill(watchdog, 9)
        asked = (bot.ask("turn\n", PLENTY).failure for _ in range(100))  # answers until that is seen
        failure = next(failure for failure in asked if failure is not None)
        assert (failure.cause, failure.detail) == ("crash", "ended together with its guardian")
    wait_until_none_is_left()


def test_a_child_of_the_runners_own_is_not_taken_for_an_orphan() -> None:
    with subprocess.Popen(["sleep", "60"]) as own, evil("forks_daemon") as bot, evil("forks_setsid") as sound:
        assert bot.ask("turn\n", PLENTY).line == "MOVE 0 0"
        os.kill(bot._process._guardian.pid, 9)
        bot.stop()
        assert own.poll() is None
        assert sound.ask("turn\n", PLENTY).line == "MOVE 0 0"
        own.kill()


# --- the machine --------------------------------------------------------------------------------------------------


def test_a_core_dumper_leaves_no_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with attacking("dumps_core") as bot:
        failure = ask_all(bot, 2)[-1].failure
    assert failure is not None and (failure.cause, failure.detail) == ("crash", "killed by SIGABRT")
    assert not list(tmp_path.iterdir())


def test_a_disk_filler_is_ended_by_the_first_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with attacking("fills_the_disk") as bot:
        failure = ask_all(bot, 2)[-1].failure
    assert failure is not None
    assert (failure.cause, failure.detail) == ("crash", "killed by SIGXFSZ, for a file of more than 1024 MB")


def test_a_fork_bomb_is_out_for_its_processes() -> None:
    with evil("forks_setsid") as sound, attacking("fork_bomb") as bomb:
        assert bomb.ask("turn\n", PLENTY).line == "MOVE 0 0"
        failure = bomb.ask("turn\n", PLENTY).failure
        assert failure is not None and failure.cause == "processes"
        assert failure.detail.endswith(f" processes and threads, allowed are {MOST_PROCESSES}")
        assert sound.ask("turn\n", PLENTY).line == "MOVE 0 0"


def test_a_machine_without_memory_takes_bots_first() -> None:
    with Bot("cat - /proc/self/oom_score_adj", startup_s=PLENTY) as bot:
        assert bot.ask("turn\n", PLENTY).line == "turn"
        [pid] = bot._process.counts.pids()
        assert int(Path(f"/proc/{pid}/oom_score_adj").read_text()) == confine.OOM_SCORE


# --- as a user without privileges ---------------------------------------------------------------------------------

RUNNER = """
import sys
from hsctl.match.bots.bot import Bot
from tests.hsctl.match.bots.unprivileged import give_up
give_up(sys.argv[1])
bots = [Bot(command, startup_s=60) for command in sys.argv[2:]]
for bot in bots:
    bot.start()
for turn in range(4):
    for bot in bots:
        answer = bot.ask("turn\\n", 60)
        print(answer.line or answer.failure.cause)
for bot in bots:
    bot.stop()
"""


def play_unprivileged(*bots: tuple[str, Path]) -> list[str]:
    """The answers of four turns, turn by turn."""
    python = python_for_all()
    return run_and_give_up(RUNNER, python, *(command(mode, file, python) for mode, file in bots)).splitlines()


def test_without_privileges_a_forger_gets_nowhere() -> None:
    assert play_unprivileged(("forges_reports", ATTACKING)) == ["MOVE 0 0", "MOVE 1 0", "MOVE 2 0", "MOVE 3 0"]


@fenced
def test_without_privileges_a_cheat_gets_nowhere() -> None:
    found = play_unprivileged(("forks_setsid", EVIL), ("answers_for_others", ATTACKING))
    assert found == [f"MOVE {turn} 0" for turn in range(4) for _ in range(2)]


def test_without_privileges_a_fork_bomb_is_out_and_its_opponent_plays_on() -> None:
    found = play_unprivileged(("fork_bomb", ATTACKING), ("forks_setsid", EVIL))
    assert found[::2] == ["MOVE 0 0", "processes", "processes", "processes"]
    assert found[1::2] == [f"MOVE {turn} 0" for turn in range(4)]


# --- what a bot is told, and when it runs -------------------------------------------------------------------------


def test_a_bot_is_told_nothing_of_the_environment_but_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PATH", "HOME", "LANG", "TMPDIR", "SECRET_TOKEN", "MODE"):
        monkeypatch.setenv(name, os.environ.get(name, "/"))
    with attacking("tells_its_environment", BotLimits(env=("MODE",))) as bot:
        line = bot.ask("turn\n", PLENTY).line
    assert line is not None
    assert set(line.split()) - {"LC_CTYPE"} == {"PATH", "HOME", "LANG", "TMPDIR", "MODE"}  # Python adds that one


def test_a_ponderer_uses_the_time_of_others_and_is_told_by_its_cpu_time() -> None:
    with attacking("ponders") as bot:
        bot.ask("turn\n", PLENTY)
        used, deadline = 0.0, time.monotonic() + PLENTY
        while used < 0.1:
            assert time.monotonic() < deadline
            time.sleep(0.1)
            used += bot.ask("turn\n", PLENTY).cpu_s or 0.0


def test_a_paused_bot_rests_between_its_turns() -> None:
    with attacking("ponders", BotLimits(is_paused=True)) as bot:
        bot.ask("turn\n", PLENTY)
        wait_until_stopped(bot)
        before = bot._process.counts.look()
        time.sleep(0.5)
        assert bot._process.counts.look() == before
        assert lines(ask_all(bot, 3)) == ["MOVE 1 0", "MOVE 2 0", "MOVE 3 0"]


def wait_until_stopped(bot: Bot) -> None:
    from hsctl.match.bots.tree import read_stat

    deadline = time.monotonic() + PLENTY
    while any(read_stat(pid)[0] != b"T" for pid in bot._process.counts.pids()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
