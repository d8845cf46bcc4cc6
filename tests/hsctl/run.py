"""Running hsctl in tests: in this process for speed, or as a program where that is the point."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from hsctl.cli import main

ROOT = Path(__file__).parents[2]
HSCTL = [sys.executable, "-m", "hsctl"]
PLENTY = 120.0  # seconds; however busy the machine


class Run(NamedTuple):
    code: int | str | None
    out: str
    err: str


def run_here(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    """hsctl in this process."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as exit_:
        main([str(argument) for argument in arguments])
    return Run(exit_.value.code or 0, *capsys.readouterr())


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line that wrong input gets."""
    code, out, err = run_here(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("hsctl: ") and err.count("\n") == 1
    return err.removeprefix("hsctl: ").rstrip("\n")


def run_program(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """hsctl as a program, started in the project's folder."""
    settings = {"cwd": ROOT, "env": os.environ, "timeout": PLENTY, **options}
    words = [*HSCTL, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False, **settings)  # type: ignore[call-overload]
