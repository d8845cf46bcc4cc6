"""The command line as a whole: quick help, one line for every wrong word."""

import subprocess
import sys

import pytest

from hsctl.cli import app
from tests.hsctl.run import refusal, run_here, run_program

HEAVY = ("numpy", "numba", "rich", "textual", "msgspec", "shlex")


def heavy_modules_of(arguments: str) -> list[str]:
    """Which heavy modules a run of hsctl has imported."""
    code = f"""
import sys
from hsctl.cli import main
try:
    main({arguments.split()!r})
except SystemExit:
    print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()


COMMANDS = (command.name for command in app.registered_commands)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["--help", "--version", *(f"{name} --help" for name in COMMANDS), "nonsense"])
def test_help_imports_nothing_heavy(arguments: str) -> None:
    assert not [name for name in heavy_modules_of(arguments) if name in HEAVY]


def test_the_agents_are_listed_without_the_core() -> None:
    assert not {"numpy", "numba"} & set(heavy_modules_of("agents"))


def test_hsctl_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run_here(capsys)
    assert code == 0 and err == ""
    assert out == run_here(capsys, "--help").out


def test_wrong_words_get_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(capsys, "plya").startswith("No such command 'plya'. Did you mean 'play'")
    assert "No such option: --sede" in refusal(capsys, "play", "random", "random", "--sede", "3")
    assert "'x' is not a valid int" in refusal(capsys, "play", "random", "random", "--seed", "x")
    assert refusal(capsys, "play").startswith("no players, expected two to four")


def test_it_runs_as_a_module() -> None:
    result = run_program("--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("hsctl 0.")
