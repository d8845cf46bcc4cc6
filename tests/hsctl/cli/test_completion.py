"""`hsctl completion` and `hsctl help`: what a shell is told, and pages that fit on a screen."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import typer

from hsctl.cli.app import app
from hsctl.cli.completing import complete
from hsctl.cli.completion import SCRIPTS
from hsctl.cli.help_ import FOLDER, TOPICS
from tests.hsctl.run import HSCTL, refusal, run_here

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("hsctl lea", ["league"]),
        ("hsctl help stat", ["statistics"]),
        ("hsctl play be", ["beam"]),
        ("hsctl play beam mct", ["mcts"]),
        ("hsctl play --nodes", ["--nodes"]),
        ("hsctl play simple:b", ["simple:box="]),
        ("hsctl play simple:box=2,d", ["simple:box=2,decay="]),
        ("hsctl play beam:lit", ["beam:literal"]),
        ("hsctl explain --agent ne", ["negamax"]),
        ("hsctl export led", ["ledger"]),
        ("hsctl paper table3", ["table3"]),
        ("hsctl nothing be", []),
        ("hsctl play ./my", []),
    ],
)
def test_the_end_of_a_line_is_completed(line: str, found: list[str]) -> None:
    assert complete(COMMANDS, line) == found


def test_bash_gets_what_follows_its_own_breaks() -> None:
    assert complete(COMMANDS, "hsctl play simple:box=2,d", is_bash=True) == ["2,decay="]
    assert complete(COMMANDS, "hsctl play simple:b", is_bash=True) == ["box="]


def test_hidden_options_stay_hidden() -> None:
    assert complete(COMMANDS, "hsctl completion bash --l") == []


def test_replays_of_the_data_folder_are_offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "a.json").touch()
    found = complete(COMMANDS, "hsctl replay ")
    assert [Path(each).name for each in found] == ["a.json"]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_one_of_its_shell(capsys: pytest.CaptureFixture[str], shell: str, tmp_path: Path) -> None:
    script = run_here(capsys, "completion", shell).out
    assert f"hsctl completion {shell} --line" in script
    if program := shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([program, "-n", tmp_path / "script"], check=True)


# Runs a shell on a script of hsctl's: what it offers behind a line, one a line.
OFFERED = {
    "bash": """
        source {script}
        COMP_LINE='{line}' COMP_POINT={length}
        compopt() {{ :; }}
        _hsctl; printf '%s\\n' "${{COMPREPLY[@]}}" """,
    "zsh": """
        compdef() {{ :; }}
        compadd() {{ shift 3; print -rl -- "$@" }}
        source {script}
        words=({line}) CURRENT=$#words
        _hsctl""",
    "fish": "source {script}; complete -C '{line}'",
}


@pytest.mark.parametrize("shell", OFFERED)
@pytest.mark.parametrize(("line", "offered"), [("hsctl lea", "league"), ("hsctl play beam mct", "mcts")])
def test_the_shell_itself_completes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, shell: str, line: str, offered: str
) -> None:
    assert offered_by(capsys, tmp_path, shell, line) == [offered]


def offered_by(capsys: pytest.CaptureFixture[str], tmp_path: Path, shell: str, line: str) -> list[str]:
    """What the shell itself offers behind a line, with the script that hsctl prints."""
    program = shutil.which(shell) or pytest.skip(f"no {shell} here")
    script, folder = tmp_path / "script", tmp_path / "bin"
    script.write_text(run_here(capsys, "completion", shell).out)
    folder.mkdir()
    (folder / "hsctl").write_text(f'#!/bin/sh\nexec {shlex.join(HSCTL)} "$@"\n')
    (folder / "hsctl").chmod(0o755)
    commands = OFFERED[shell].format(script=script, line=line, length=len(line))
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    found = subprocess.run([program, "-c", commands], env=environment, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


HOSTILE = ["a$(touch X).json", "b`touch X`;touch X.json", "c'\"&|<>#!~^*?[x]{y}\\z.json", "d e.json", "é=1,2:3@4.json"]


@pytest.mark.parametrize("shell", OFFERED)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_replay_is_offered_as_one_word_that_runs_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str, name: str
) -> None:
    """bash puts it on the line as it is; zsh and fish quote what they are offered, so it must be the name itself."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    path = tmp_path / "replays" / name
    path.parent.mkdir()
    path.touch()
    (path.parent / "two\nnames.json").touch()
    line = f"hsctl replay {tmp_path}"
    found = offered_by(capsys, tmp_path, shell, line)
    [offered] = found if shell != "fish" else [each for each in found if "replays/" in each]  # which adds folders
    if shell == "bash":
        words = subprocess.run(
            ["bash", "-c", f"printf '%s\\n' {offered}"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        [offered] = words.stdout.splitlines()
    assert offered == str(path)
    assert not list(tmp_path.rglob("X"))


def test_what_is_neither_shell_nor_topic_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "expected one of bash, zsh, fish" in refusal(capsys, "completion", "tcsh")
    assert "'chess' is not a topic, expected one of players, clocks" in refusal(capsys, "help", "chess")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_fits_on_a_screen(capsys: pytest.CaptureFixture[str], topic: str) -> None:
    page = run_here(capsys, "help", topic).out
    assert page.lower().startswith(topic)
    assert all(len(line) <= 80 for line in page.splitlines())
    assert {path.stem for path in FOLDER.iterdir()} == set(TOPICS)


def test_help_of_a_command_is_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here(capsys, "help", "cache").out == run_here(capsys, "cache", "--help").out
