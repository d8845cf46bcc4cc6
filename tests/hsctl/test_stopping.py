"""Stopped from outside: the terminal is as it was, no process is left, the exit code tells the signal."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hsctl.run import HSCTL, PLENTY, ROOT, processes_with, run_here, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs terminals and /proc")

HIDE_CURSOR, SHOW_CURSOR = b"\x1b[?25l", b"\x1b[?25h"
OTHER_SCREEN, FIRST_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
SLEEPER = f"{sys.executable} -S -c 'import time; time.sleep(600)'"


def stop_on_terminal(words: list[str], is_ready: Callable[[bytes], bool], number: int) -> tuple[int, bytes]:
    """Run hsctl on a terminal, send it the signal when it is ready; its exit code and all that was shown."""
    import pty

    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        [*HSCTL, *words], cwd=ROOT, env=environment, stdin=end, stdout=end, stderr=end, start_new_session=True
    )
    os.close(end)
    shown, is_sent = b"", False
    with process:
        with suppress(OSError):  # which is how a terminal ends
            while True:
                if select.select([terminal], [], [], 0.1)[0]:
                    shown += os.read(terminal, 65536)
                if not is_sent and is_ready(shown):
                    process.send_signal(number)
                    is_sent = True
        process.wait(PLENTY)
    os.close(terminal)
    return process.returncode, shown


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_watched_game_that_is_stopped_gives_the_cursor_back(number: signal.Signals, tmp_path: Path) -> None:
    mark = f"{tmp_path}/marked"
    words = ["play", "still", f"{SLEEPER} {mark}", "--time", "none", "--no-save", "--watch"]
    code, shown = stop_on_terminal(words, lambda _: len(processes_with(mark)) >= 3, number)
    assert code == 128 + number
    assert shown.rindex(SHOW_CURSOR) > shown.rindex(HIDE_CURSOR)
    assert b"Traceback" not in shown
    wait_for(lambda: not processes_with(mark))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_stepper_that_is_stopped_leaves_its_screen(
    number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(capsys, "play", "still", "still", "--nodes", "1", "--out", tmp_path)
    [replay] = tmp_path.iterdir()
    code, shown = stop_on_terminal(["replay", str(replay)], lambda shown: b"turn 0" in shown, number)
    assert code == 128 + number
    assert shown.rindex(FIRST_SCREEN) > shown.rindex(OTHER_SCREEN)
    assert shown.rindex(SHOW_CURSOR) > shown.rindex(HIDE_CURSOR)
    assert b"Traceback" not in shown


def test_a_signal_to_be_ignored_is() -> None:
    code = "import signal; from hsctl.stopping import leave_orderly; leave_orderly(); print(signal.getsignal(1))"
    words = ["nohup", sys.executable, "-c", code]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert found.stdout.strip() in ("1", "Handlers.SIG_IGN")
