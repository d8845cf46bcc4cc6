"""Options for external bots, the same in play, league and compare: what they are told, where they are locked in."""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hsctl.match.bots import sandbox
from replays.playback import read
from tests.hsctl.match.bots.asking import needs_bubblewrap
from tests.hsctl.run import refusal, run_here

Capture = pytest.CaptureFixture[str]
CODE = """
import os, sys
for turn in range(999):
    lines = [sys.stdin.readline() for _ in range(12 + (turn == 0))]
    [sys.stdin.readline() for _ in range(int(lines[-1]))]
    try:
        open("written", "w")
        can_write = True
    except OSError:
        can_write = False
    print("MOVE 0 0", os.environ.get("SECRET"), can_write, flush=True)
"""
BOT = shlex.join([sys.executable, "-S", "-c", CODE])
COMMANDS = {"play": ["play"], "league": ["league", "--games", "2"], "compare": ["compare", "--games", "2"]}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SECRET", "sesame")
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    sandbox.check_sandbox.cache_clear()
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path))
    yield
    sandbox.check_sandbox.cache_clear()


def first_message(capsys: Capture, tmp_path: Path, *options: str) -> str:
    """What the bot says on its first turn."""
    words = ["play", BOT, "still", "--time", "none", "--seed", "1", "--out", tmp_path / "out", *options]
    code, _, err = run_here(capsys, *words)
    assert code == 0, err
    [path] = (tmp_path / "out").iterdir()
    move = read(path).turns[0].moves[0]
    assert move is not None
    return move.message


def test_a_bot_is_told_a_variable_only_if_it_is_named(capsys: Capture, tmp_path: Path) -> None:
    assert first_message(capsys, tmp_path) == "None True"


def test_a_named_variable_is_told(capsys: Capture, tmp_path: Path) -> None:
    assert first_message(capsys, tmp_path, "--env", "SECRET", "--env", "HOME", "--pause") == "sesame True"


@needs_bubblewrap
def test_a_bot_in_a_sandbox_plays_but_writes_nothing(capsys: Capture, tmp_path: Path) -> None:
    assert first_message(capsys, tmp_path, "--sandbox") == "None False"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_variable_that_is_not_set_is_refused(command: str, capsys: Capture) -> None:
    found = refusal(capsys, *COMMANDS[command], "still", BOT, "--env", "NO_SUCH_VARIABLE")
    assert found.startswith("--env NO_SUCH_VARIABLE: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_sandbox_that_is_not_there_is_told_before_anything_is_played(
    command: str, capsys: Capture, tmp_path: Path, without_bubblewrap: None
) -> None:
    found = refusal(capsys, *COMMANDS[command], "still", BOT, "--sandbox")
    assert found.startswith("--sandbox: there is no bwrap on the PATH")
    assert not [path for path in (tmp_path / "data").rglob("*.json") if os.path.isfile(path)]


def test_a_bot_plays_the_same_without_a_guardian(capsys: Capture, tmp_path: Path) -> None:
    assert first_message(capsys, tmp_path, "--runner", "portable", "--env", "SECRET") == "sesame True"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", [["--memory", "100"], ["--pause"], ["--sandbox"]], ids=lambda words: words[0])
def test_the_portable_runner_offers_no_more_than_it_can(command: str, option: list[str], capsys: Capture) -> None:
    found = refusal(capsys, *COMMANDS[command], "still", BOT, "--runner", "portable", *option)
    assert found == f"--runner portable cannot be combined with {option[0]}"


def test_only_runners_that_exist_are_taken(capsys: Capture) -> None:
    assert refusal(capsys, "play", "still", BOT, "--runner", "none").startswith("--runner none: ")
