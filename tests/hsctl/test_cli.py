"""The command line as a whole: quick help, one line for every wrong word."""

import subprocess
import sys
from pathlib import Path

import pytest

from hsctl.cli.help import COMMANDS, JOBS, MEANT
from tests.hsctl.run import refusal, run_here, run_program

HEAVY = ("numpy", "numba", "rich", "textual", "msgspec", "shlex")


LINES = ["--help", "--version", *(f"{name} --help" for name in COMMANDS), "nonsense"]


def imported_by(*lines: str) -> list[str]:
    """The modules that a process has imported once hsctl has run there with each of these lines."""
    code = f"""
import sys
from hsctl.cli.app import main
for line in {lines!r}:
    try:
        main(line.split())
    except SystemExit:
        pass
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1].split()


def test_help_imports_nothing_heavy() -> None:
    assert not {*HEAVY} & {*imported_by(*LINES)}


def test_the_agents_are_listed_without_the_core() -> None:
    assert not {"numpy", "numba"} & {*imported_by("agents")}


def test_a_start_imports_the_command_that_is_called_and_no_other() -> None:
    modules = {listed.module for listed in COMMANDS.values()} - {"hsctl.cli.help", "hsctl.cli.completion"}
    assert not modules & {*imported_by("--help")}
    assert modules & {*imported_by("cache --help")} == {COMMANDS["cache"].module}


def test_hsctl_alone_shows_the_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run_here(capsys)
    assert code == 0 and err == ""
    assert len(out.splitlines()) < 12 and all(command in out for command in JOBS)
    assert all(command.split()[1] in COMMANDS for command in JOBS)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("watch", "play --watch"),
        ("list", "games"),
        ("show", "replay"),
        ("view", "replay"),
        ("analyze", "review"),
        ("match", "play"),
    ],
)
def test_words_that_people_try_name_the_command_they_mean(
    capsys: pytest.CaptureFixture[str], word: str, meant: str
) -> None:
    assert f"`hsctl {meant}`" in refusal(capsys, word)
    assert not set(MEANT) & set(COMMANDS) and {line.split()[0] for line in MEANT.values()} <= set(COMMANDS)


def test_a_missing_argument_comes_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert "for example: hsctl check " in refusal(capsys, "check")


def test_a_file_with_an_agent_is_named_with_its_class(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "myagent.py"
    file.write_text("class Helper: ...\nclass MyAgent:\n    def decide(self, state, player, budget): ...\n")
    assert f"{file}:MyAgent" in refusal(capsys, "play", file, "random")


def test_wrong_words_get_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(capsys, "plya").startswith("No such command 'plya'. Did you mean 'play'")
    assert "No such option: --sede" in refusal(capsys, "play", "random", "random", "--sede", "3")
    assert "'x' is not a valid int" in refusal(capsys, "play", "random", "random", "--seed", "x")
    assert refusal(capsys, "play").startswith("no players")


@pytest.mark.parametrize(
    "words",
    [("replay", "NAME"), ("league", "still", "random", "--ledger", "NAME"), ("bench", "--position", "NAME")],
    ids=lambda words: words[0],
)
def test_a_name_that_no_file_can_have_gets_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    code, out, err = run_here(capsys, *(word.replace("NAME", "a" * 5000) for word in words))
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_it_runs_as_a_module() -> None:
    result = run_program("--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("hsctl 0.")
