"""Bots locked in with bubblewrap: what they can't do, that they play all the same, and what is said without it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.bots import sandbox
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.limits import BotLimits
from tests.hsctl.match.bots.asking import MARK, PLENTY, ask_all, attacking, evil, lines, needs_bubblewrap

LOCKED_IN = BotLimits(is_sandboxed=True)
MODE = "leans_on_the_walls"


@pytest.fixture
def marked_file() -> Iterator[Path]:
    """One in /tmp that a bot could find."""
    path = Path("/tmp") / f"{MARK}{MODE}"
    path.touch()
    yield path
    path.unlink()


def test_of_a_python_its_whole_environment_stays_visible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "HIDDEN", (str(tmp_path),))
    for name in ("venv", "other"):
        program = tmp_path / name / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.touch(mode=0o755)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    assert str(tmp_path / "venv") in sandbox.windows([str(tmp_path / "venv/bin/python")])
    assert str(tmp_path / "other") not in sandbox.windows([str(tmp_path / "other/bin/python")])


@needs_bubblewrap
def test_the_walls_hold(marked_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with attacking(MODE, LOCKED_IN) as bot:
        assert lines(ask_all(bot, 2)) == ["gave way: ", "MOVE 1 0"]


def test_without_walls_the_same_bot_finds_something(
    marked_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the test above can fail."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with attacking(MODE) as bot:
        found = (bot.ask("turn\n", PLENTY).line or "").split()
    assert {"folder", "home", "tmp", "processes"} <= set(found)


@needs_bubblewrap
@pytest.mark.parametrize(
    ("mode", "cause", "detail"),
    [
        ("dies_on_turn_3", "crash", "exited with code 1"),
        ("kills_itself", "crash", "killed by SIGSEGV"),
        ("exits_at_once", "closed", "exited with code 0 and without an answer"),
    ],
)
def test_a_bot_locked_in_ends_for_its_exact_cause(mode: str, cause: str, detail: str) -> None:
    with evil(mode, bot_limits=LOCKED_IN) as bot:
        ask_all(bot, 4)
        assert bot.failure is not None
        assert (bot.failure.cause, bot.failure.detail) == (cause, detail)


@needs_bubblewrap
def test_the_family_of_a_bot_locked_in_ends_with_it() -> None:
    with evil("forks_daemon", bot_limits=LOCKED_IN) as bot:
        assert lines(ask_all(bot, 2)) == ["MOVE 0 0", "MOVE 1 0"]


@needs_bubblewrap
def test_the_memory_of_a_bot_locked_in_is_counted() -> None:
    with evil("child_eats_memory", bot_limits=BotLimits(memory_mb=100, is_sandboxed=True)) as bot:
        assert bot.ask("turn\n", PLENTY).line == "MOVE 0 0"
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.cause == "memory"


@needs_bubblewrap
def test_a_command_that_does_not_exist_is_named_with_a_sandbox_too() -> None:
    with Bot("./no-such-bot", startup_s=1, bot_limits=LOCKED_IN) as bot:
        failure = bot.ask("turn\n", PLENTY).failure
    assert failure is not None and failure.cause == "start"


@pytest.fixture
def forgotten() -> Iterator[None]:
    """What was found out about bubblewrap."""
    sandbox.check_sandbox.cache_clear()
    sandbox.can_limit_size.cache_clear()
    yield
    sandbox.check_sandbox.cache_clear()
    sandbox.can_limit_size.cache_clear()


def test_a_missing_bubblewrap_is_told_in_one_line(
    forgotten: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HsctlError, match=r"^--sandbox: there is no bwrap on the PATH"):
        sandbox.check_sandbox()


def test_a_bubblewrap_that_may_not_work_is_told_in_one_line(
    forgotten: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\necho more >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    reason = "--sandbox: bwrap doesn't work here: bwrap: No permissions to create a new namespace"
    with pytest.raises(HsctlError, match=f"^{reason}$"):
        sandbox.check_sandbox()
