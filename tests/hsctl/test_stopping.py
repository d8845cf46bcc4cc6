"""Stopped from outside, by a signal or a closed pipe: the terminal as it was, no process left, no traceback."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import pytest

from hsctl.cli.app import main
from hsctl.report.console import CLOSED_PIPE
from hsctl.stopping import numbers
from replays.playback import load
from tests.hsctl.run import HSCTL, PLENTY, ROOT, hear_ctrl_c, processes_with, run_here, wait_for
from tests.replays.arena.many import dress, random_game

pytestmark = pytest.mark.linux

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


# Each kind of screen once: that every signal is obeyed is shown below


@pytest.mark.slow
def test_a_watched_game_that_is_stopped_gives_the_cursor_back(tmp_path: Path) -> None:
    number = signal.SIGHUP
    mark = f"{tmp_path}/marked"
    words = ["play", "still", f"{SLEEPER} {mark}", "--time", "none", "--out", str(tmp_path / "games"), "--watch"]
    code, shown = stop_on_terminal(words, lambda shown: b"turn 0" in shown.partition(OTHER_SCREEN)[2], number)
    assert code == 128 + number
    assert shown.rindex(FIRST_SCREEN) > shown.rindex(OTHER_SCREEN)
    assert shown.rindex(SHOW_CURSOR) > shown.rindex(HIDE_CURSOR)
    assert b"Traceback" not in shown and b"the unfinished game, 0 turns: " in shown
    [replay] = (tmp_path / "games").iterdir()
    assert not load(replay).is_finished
    wait_for(lambda: not processes_with(mark))


@pytest.mark.slow
def test_a_league_that_is_stopped_gives_the_cursor_back(tmp_path: Path) -> None:
    number = signal.SIGTERM
    mark = f"{tmp_path}/marked"
    words = ["league", "still", f"{SLEEPER} {mark}", "--time", "none", "--jobs", "2", "--ledger", f"{tmp_path}/ledger"]
    code, shown = stop_on_terminal(words, lambda _: len(processes_with(mark)) >= 5, number)
    assert code == 128 + number
    assert HIDE_CURSOR not in shown or shown.rindex(SHOW_CURSOR) > shown.rindex(HIDE_CURSOR)
    assert b"Traceback" not in shown
    wait_for(lambda: not processes_with(mark))


def test_a_stepper_that_is_stopped_leaves_its_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = signal.SIGHUP
    run_here(capsys, "play", "still", "still", "--nodes", "1", "--out", tmp_path)
    [replay] = tmp_path.iterdir()
    code, shown = stop_on_terminal(["replay", str(replay)], lambda shown: b"turn 0" in shown, number)
    assert code == 128 + number
    assert shown.rindex(FIRST_SCREEN) > shown.rindex(OTHER_SCREEN)
    assert shown.rindex(SHOW_CURSOR) > shown.rindex(HIDE_CURSOR)
    assert b"Traceback" not in shown


STOPPED_WHILE_IT_OPENS = """
import os, sys
from textual.drivers.linux_driver import LinuxDriver
from hsctl.cli.app import main
start, number = LinuxDriver.start_application_mode, int(sys.argv.pop(1))

def be_stopped(driver):
    start(driver)
    driver.flush()
    os.kill(os.getpid(), number)

LinuxDriver.start_application_mode = be_stopped
main(sys.argv[1:])
"""


@pytest.mark.parametrize("number", numbers(), ids=lambda number: number.name)
def test_a_screen_that_is_stopped_while_it_opens_is_left(
    number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_here(capsys, "play", "still", "still", "--nodes", "1", "--out", tmp_path)
    [replay] = tmp_path.iterdir()
    monkeypatch.setattr(f"{__name__}.HSCTL", [sys.executable, "-c", STOPPED_WHILE_IT_OPENS, str(int(number))])
    code, shown = stop_on_terminal(["replay", str(replay)], lambda _: False, number)
    assert code == 128 + number
    assert shown.rfind(FIRST_SCREEN) > shown.rfind(OTHER_SCREEN) > -1
    assert shown.rfind(SHOW_CURSOR) > shown.rfind(HIDE_CURSOR)
    assert b"Traceback" not in shown


def test_a_signal_to_be_ignored_is() -> None:
    code = "import signal; from hsctl.stopping import leave_orderly; leave_orderly(); print(signal.getsignal(1))"
    words = ["nohup", sys.executable, "-c", code]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert found.stdout.strip() in ("1", "Handlers.SIG_IGN")


# Where Python drops exceptions

DROPPING = """
import ctypes, os, sys, time, weakref
from hsctl.stopping import leave_orderly

class Thing:
    pass

class Finalized:
    def __del__(self):
        be_stopped()

def be_stopped(*_):
    os.kill(os.getpid(), int(sys.argv[2]))
    return 0

leave_orderly()
try:
    match sys.argv[1]:
        case "callback":
            ctypes.CFUNCTYPE(ctypes.c_int)(be_stopped)()
        case "finalizer":
            Finalized()
        case "reference":
            thing = Thing()
            watched = weakref.ref(thing, be_stopped)
            del thing
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass
    print("went on")
except KeyboardInterrupt:
    sys.exit(130)
finally:
    print("tidied up")
"""


@pytest.mark.parametrize("number", [*numbers(), signal.SIGINT], ids=lambda number: number.name)
@pytest.mark.parametrize("place", ["callback", "finalizer", "reference"])
def test_a_signal_is_obeyed_wherever_it_arrives(place: str, number: signal.Signals) -> None:
    words = [sys.executable, "-c", DROPPING, place, str(int(number))]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, preexec_fn=hear_ctrl_c)
    assert (found.returncode, found.stdout, found.stderr) == (128 + number, "tidied up\n", "")


TWICE = """
import signal
import hsctl.cli.app
from hsctl.__main__ import main

class Module:
    def __del__(self):  # as one of the compiler's is let go of
        signal.raise_signal(signal.SIGINT)

def run():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        Module()
        print("went on")

hsctl.cli.app.main = run
main()
"""


def test_a_second_ctrl_c_ends_at_once_without_a_traceback() -> None:
    words = [sys.executable, "-c", TWICE]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, preexec_fn=hear_ctrl_c)
    assert (found.returncode, found.stdout, found.stderr) == (-signal.SIGINT, "", "")


def test_any_other_exception_that_is_dropped_is_reported() -> None:
    code = "from hsctl.stopping import leave_orderly; leave_orderly()\nclass A:\n def __del__(self): 1 / 0\nA()"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "ZeroDivisionError" in found.stderr


# A reader that has gone

PRINTING = [
    ["--help"],
    ["--version"],
    ["replay", "--help"],
    ["agents"],
    ["agents", "beam"],
    ["agents", "--json"],
    ["play", "still", "random", "--nodes", "1", "--no-save"],
    ["play", "still", "random", "--nodes", "1", "--no-save", "--games", "4", "--jobs", "1"],
    ["play", "still", "random", "--nodes", "1", "--no-save", "--json"],
    ["league", "still", "random", "--nodes", "1", "--games", "2", "--jobs", "1", "--ledger", "{folder}/ledger"],
    ["compare", "still", "random", "--nodes", "1", "--games", "4", "--jobs", "1", "--ledger", "{folder}/ledger"],
    ["replay", "{replay}"],
    ["replay", "{replay}", "--all"],
    ["replay", "{replay}", "--frames"],
    ["replay", "{replay}", "--json"],
    ["explain", "{replay}", "--turn", "1"],
    ["explain", "{replay}", "--turn", "1", "--json"],
    ["import", "{arena}", "--out", "{folder}"],
    pytest.param(["bench", "--signature"], marks=pytest.mark.slow),
    ["paper"],
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A game of hsctl's and one of the arena's."""
    folder = tmp_path_factory.mktemp("recorded")
    with pytest.raises(SystemExit):
        main(["play", "osla", "random", "--nodes", "1", "--out", str(folder / "games")])
    [replay] = (folder / "games").iterdir()
    (arena := folder / "arena.json").write_bytes(dress(random_game(1), "bare", 1)[0])
    return {"replay": replay, "arena": arena}


@pytest.fixture
def nobody() -> Iterator[TextIO]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with suppress(BrokenPipeError), open(writer, "w") as stdout:
        yield stdout


@pytest.mark.parametrize("words", PRINTING, ids=lambda words: " ".join(words))
def test_a_closed_pipe_ends_a_command_quietly(
    words: list[str],
    files: dict[str, Path],
    tmp_path: Path,
    nobody: TextIO,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdout", nobody)
    with pytest.raises(SystemExit) as end:
        main([word.format(**files, folder=tmp_path) for word in words])
        nobody.flush()
    assert end.value.code == CLOSED_PIPE
    told = capsys.readouterr().err
    assert "Traceback" not in told and "Error" not in told


@pytest.mark.parametrize("words", [["--version"], ["replay", "{replay}", "--all"]], ids=" ".join)
def test_so_does_a_program_to_its_very_end(words: list[str], files: dict[str, Path], nobody: TextIO) -> None:
    told = [*HSCTL, *(word.format(**files) for word in words)]
    found = subprocess.run(told, cwd=ROOT, stdout=nobody, stderr=subprocess.PIPE, text=True, check=False)
    assert (found.returncode, found.stderr) == (CLOSED_PIPE, "")


@pytest.mark.parametrize("words", [["agents"], ["--help"], ["replay", "{replay}", "--all"]], ids=" ".join)
def test_a_full_disk_is_told_in_a_line(
    words: list[str], files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(OSError), open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(SystemExit) as end:
            main([word.format(**files) for word in words])
        assert end.value.code == 2
    assert capsys.readouterr().err == "hsctl: can't write: No space left on device\n"
