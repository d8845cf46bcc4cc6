"""One case under watch: what it shows is caught, its time and memory are measured, its end is judged."""

import faulthandler
import io
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple
from unittest.mock import patch

from hsctl.bots.answer import Answer, Failure
from hsctl.cli import main
from search.agent import Agent
from search.params import Params, SpecError

LONGEST_S = 5.0  # of CPU time
DEADLOCK_S = 120.0  # until the whole fuzzer is ended, if not even a signal is heard
MOST_KB = 1 << 20
CODES = {0, 1, 2, 3}
COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")  # all but \n and \t


class Hang(BaseException):
    """A case takes too long; nothing may catch it."""


class Verdict(NamedTuple):
    code: int | None
    out: str
    err: str
    fault: str  # empty if all is well
    seconds: float


def watch(words: Sequence[str], stdin: bytes = b"") -> Verdict:
    """Run hsctl with these words in this process."""
    out, err = sink(), sink()
    began, code, fault = time.process_time(), None, ""
    with alarm(), standard_streams(stdin, out, err):
        try:
            main(list(words))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else -1
        except Hang:
            fault = f"more than {LONGEST_S:g} s"
        except BaseException:
            fault = traceback.format_exc()
    seconds = time.process_time() - began
    shown_out, shown_err = text_of(out), text_of(err)
    fault = fault or judge(code, shown_out, shown_err) or judge_memory()
    return Verdict(code, shown_out, shown_err, fault, seconds)


def judge(code: int | None, out: str, err: str) -> str:
    """What is wrong with the end of a case."""
    if code not in CODES:
        return f"exit code {code}"
    last = err.splitlines()[-1:] or [""]
    if code == 2 and not last[0].startswith("hsctl: ") and not out:
        return "exit code 2 without its one line"
    if err.count("\nhsctl: ") + err.startswith("hsctl: ") > 1:
        return "an error of several lines"
    if found := COMMANDS.search(out) or COMMANDS.search(err):
        return f"{found[0]!r} reaches the terminal"
    if "Traceback" in err or "Warning:" in err:
        return "a traceback or a warning is shown"
    return ""


def judge_memory() -> str:
    """What is wrong with the memory that this process has used so far."""
    kb = peak_kb()
    return f"{kb >> 10} MB of memory" if kb > MOST_KB else ""


def peak_kb() -> int:
    """The most memory that this process has used. (`getrusage` counts that of the process that started it, too.)"""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) if found else 0


def sink() -> io.TextIOWrapper:
    """A stream like a pipe: text that can't be encoded is an error."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict", write_through=True)


def text_of(stream: io.TextIOWrapper) -> str:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


@contextmanager
def standard_streams(stdin: bytes, out: io.TextIOWrapper, err: io.TextIOWrapper) -> Iterator[None]:
    """stdin is a file, which some commands wait for by its number."""
    with tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        with patch.multiple(sys, stdin=io.TextIOWrapper(file), stdout=out, stderr=err):
            yield


@contextmanager
def alarm() -> Iterator[None]:
    """Raise Hang after too long; CPU time, because the machine may be busy."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_S)
    faulthandler.dump_traceback_later(DEADLOCK_S, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        faulthandler.cancel_dump_traceback_later()


# What is put in the place of programs, and beside agents


class MadeUpBot:
    """Answers with the lines it is given, in turn; a line of None is a failure."""

    lines: Callable[[], str | None]

    def __init__(self, command: str, **_: object) -> None:
        self.last = ""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def send(self, text: str) -> None: ...

    def ask(self, text: str, seconds: float | None) -> Answer:
        line = type(self).lines()
        self.last = (line or "").encode(errors="replace").decode().partition("\n")[0]  # as it comes out of a pipe
        line = None if line is None else self.last
        failure = self.reject("it fell silent") if line is None else None
        return Answer(line=line, failure=failure, stderr=self.last, wall_s=0.001, cpu_s=0.001)

    def reject(self, detail: str) -> Failure:
        evidence = {"last_line": self.last, "exit_code": 1, "signal": None, "stderr": self.last}
        return Failure(cause="invalid", detail=detail, wall_s=0.1, cpu_s=None, **evidence)


def check_params(agent: Agent, params: Params) -> None:
    """That every parameter is within its bounds, before any memory is made for it."""
    for key, value in params.as_dict().items():
        if type(value) is not type(getattr(type(params)(), key)) or not is_within(params, key, value):
            raise AssertionError(f"{key}={value!r} reached an agent")
    original_init(agent, params)


def is_within(params: Params, key: str, value: object) -> bool:
    try:
        params.check(key, value)
    except SpecError:
        return False
    return True


original_init = Agent.__init__


@contextmanager
def made_up_world() -> Iterator[None]:
    """No program is started, and every agent's parameters are looked at."""
    with patch("hsctl.arena.seats.Bot", MadeUpBot), patch.object(Agent, "__init__", check_params):
        yield
