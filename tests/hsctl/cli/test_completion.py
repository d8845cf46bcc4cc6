"""`hsctl completion` and `hsctl help`: what a shell offers behind a line, and pages that fit on a screen."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from hsctl.cli.help import FOLDER, TOPICS
from tests.hsctl.run import HSCTL, refusal, run_here

# Runs a shell on the script that hsctl prints: what it offers behind a line, one a line.
OFFERED = {
    "bash": """
        source {script}
        COMP_WORDS=({line}) COMP_CWORD=$(({words} - 1))
        _hsctl_completion hsctl; printf '%s\\n' "${{COMPREPLY[@]}}" """,
    "zsh": """
        compdef() {{ :; }}
        _arguments() {{ local -a found; eval "found=(${{${{1#*: :\\(\\(}}%\\)\\)}})"; print -rl -- $found }}
        _files() {{ :; }}
        source {script}
        words=({line}) CURRENT=$#words
        _hsctl_completion""",
    "fish": "source {script}; complete -C '{line}'",
}


def offered_by(capsys: pytest.CaptureFixture[str], tmp_path: Path, shell: str, line: str) -> list[str]:
    program = shutil.which(shell) or pytest.skip(f"no {shell} here")
    script, folder = tmp_path / "script", tmp_path / "bin"
    script.write_text(run_here(capsys, "completion", shell).out)
    folder.mkdir()
    (folder / "hsctl").write_text(f'#!/bin/sh\nexec {shlex.join(HSCTL)} "$@"\n')
    (folder / "hsctl").chmod(0o755)
    commands = OFFERED[shell].format(script=script, line=line, words=len(line.split(" ")))
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    found = subprocess.run([program, "-c", commands], env=environment, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("hsctl lea", ["league"]),
        ("hsctl help stat", ["statistics"]),
        ("hsctl play beam mct", ["mcts"]),
        ("hsctl play --nod", ["--nodes"]),
        ("hsctl play simple:box=2,d", ["simple:box=2,decay="]),
        ("hsctl explain --agent ne", ["negamax"]),
        ("hsctl paper table3", ["table3"]),
        ("hsctl completion zs", ["zsh"]),
        ("hsctl play ./my", [""]),
    ],
)
def test_bash_completes(capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, offered: list[str]) -> None:
    assert offered_by(capsys, tmp_path, "bash", line) == offered


@pytest.mark.parametrize("line", ["hsctl lea", "hsctl play beam mct", "hsctl play beam:sca"])
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_complete(capsys: pytest.CaptureFixture[str], tmp_path: Path, shell: str, line: str) -> None:
    found = " ".join(offered_by(capsys, tmp_path, shell, line))
    assert {"hsctl lea": "league", "hsctl play beam mct": "mcts", "hsctl play beam:sca": "scaled"}[line] in found


HOSTILE = ["a$(touch X).json", "b`touch X`;touch X.json", "c'\"&|<>#!~^*?[x]{y}\\z.json", "d e.json", "é=1,2:3@4.json"]


@pytest.mark.parametrize("shell", OFFERED)
@pytest.mark.parametrize("name", [*HOSTILE, "f\\$(touch X).json"])
def test_the_name_of_a_replay_runs_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str, name: str
) -> None:
    """bash puts an answer on the line as it is; fish quotes it; zsh is offered plain names alone."""
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path))
    path = tmp_path / "replays" / name
    path.parent.mkdir()
    path.touch()
    (path.parent / "two\nnames.json").touch()
    found = offered_by(capsys, tmp_path, shell, f"hsctl replay {tmp_path}")
    if shell == "bash":
        words = subprocess.run(
            ["bash", "-c", f"printf '%s\\n' {found[0]}"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        found = words.stdout.splitlines()
    if shell != "zsh":
        assert [each for each in found if "replays/" in each] == [str(path)]  # fish adds folders
    assert not list(tmp_path.rglob("X"))


def test_unknown_shells_and_topics_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "tcsh" in refusal(capsys, "completion", "tcsh")
    assert "chess" in refusal(capsys, "help", "chess")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_fits_on_a_screen(capsys: pytest.CaptureFixture[str], topic: str) -> None:
    page = run_here(capsys, "help", topic).out
    assert page.lower().startswith(topic)
    assert all(len(line) <= 80 for line in page.splitlines())
    assert {path.stem for path in FOLDER.iterdir()} == set(TOPICS) - {"keys"}
