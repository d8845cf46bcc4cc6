"""Running hsctl in tests: in this process for speed, or as a program where that is the point."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from hsctl.cli.app import main

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
    """The one line that wrong input gets, after what had to be compiled to find out."""
    code, out, err = run_here(capsys, *arguments)
    assert (code, out) == (2, "")
    [line] = [each for each in err.splitlines() if not each.startswith("compiling ")]
    assert line.startswith("hsctl: ")
    return line.removeprefix("hsctl: ")


def run_program(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """hsctl as a program, started in the project's folder."""
    settings = {"cwd": ROOT, "env": os.environ, "timeout": PLENTY, **options}
    words = [*HSCTL, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False, **settings)  # type: ignore[call-overload]


def with_empty_cache(folder: Path) -> dict[str, str]:
    """The environment of a first start: nothing is compiled, and what is will be found in the folder."""
    return {**os.environ, "HSCTL_CACHE": str(folder), "HSCTL_NATIVE": "1"}


def kernels_in(folder: Path) -> list[Path]:
    """What was compiled and kept there."""
    return list(folder.rglob("*.nbi"))


def on_terminal(*arguments: str) -> tuple[str, str]:
    """stdout, and what a terminal of 80 columns shows of stderr."""
    import pty

    terminal, stderr = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    words = [*HSCTL, *arguments]
    with subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True) as main:
        os.close(stderr)
        shown = b""
        with suppress(OSError):  # which is how a terminal ends
            while data := os.read(terminal, 65536):
                shown += data
        os.close(terminal)
        out = main.communicate(timeout=PLENTY)[0]
    assert main.returncode == 0
    return out, shown.decode()


# Programs that are stopped on their way


def start_marked(mark: str, *arguments: str | Path) -> "subprocess.Popen[str]":
    """hsctl in a session of its own, its processes to be found by the mark."""
    return subprocess.Popen(
        [*HSCTL, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "HSCTL_MARK": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )


def hear_ctrl_c() -> None:
    """A shell that starts the tests in the background lets them ignore Ctrl-C, which children would inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def processes_with(mark: str) -> list[int]:
    """Living processes that have the mark in their environment, or as bots and guardians do in their command line."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and is_marked(name, mark)]


def is_marked(process: str, mark: str) -> bool:
    for file in ("environ", "cmdline"):
        with suppress(OSError):
            if mark.encode() in Path(f"/proc/{process}/{file}").read_bytes():
                return True
    return False


def wait_for(is_so: Callable[[], object]) -> None:
    deadline = time.monotonic() + PLENTY
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)
