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
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import NamedTuple, Self
from unittest.mock import patch

from engine.errors import MOST_MS, MOST_NODES, HsctlError
from hsctl.budget import budget_of
from hsctl.cli.app import main
from hsctl.match.bots.answer import BotAnswer, BotFailure
from hsctl.match.bots.counts import Held
from hsctl.match.user_agents.spec import Target
from hsctl.testing.check.session import NOTHING
from search.agent import Agent, Budget
from search.params import Params, SpecError
from search.spec import Spec

LONGEST_S = 5.0  # of CPU time
DEADLOCK_S = 120.0  # until the whole fuzzer is ended, if not even a signal is heard
MOST_KB = 1 << 20
SHORT_MS, SHORT_NODES = 5.0, 1000  # of a decision with limits that come from a file
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
    MadeUpBot.words = words
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


# What is put in the place of programs, and of agents


class MadeUpBot:
    """Answers with the lines it is given, in turn; a line of None is a failure. Its command must have been typed."""

    lines: Callable[[], str | None]
    words: Sequence[str] = ()

    def __init__(self, command: str, **_: object) -> None:
        check_typed(command)
        self.last = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def send(self, text: str) -> None: ...

    def held(self) -> Held:
        return NOTHING

    def ask(self, text: str, seconds: float | None, due: float | None = None) -> BotAnswer:
        line = type(self).lines()
        self.last = (line or "").encode(errors="replace").decode().partition("\n")[0]  # as it comes out of a pipe
        line = None if line is None else self.last
        failure = self.reject("it fell silent") if line is None else None
        return BotAnswer(line=line, failure=failure, stderr=self.last, wall_s=0.001, cpu_s=0.001)

    def reject(self, detail: str) -> BotFailure:
        evidence = {"last_line": self.last, "exit_code": 1, "signal": None, "stderr": self.last}
        return BotFailure(cause="invalid", detail=detail, wall_s=0.1, cpu_s=None, **evidence)


def check_typed(player: str) -> None:
    """That a command or an agent's place stands in the command line, not in a file."""
    if not any(player in word for word in MadeUpBot.words):
        raise AssertionError(f"{player!r} came from a file and ran")


def refuse_connection(title: str, target: Target, *_: object) -> None:
    check_typed(str(target))
    raise HsctlError(f"{title}: user agents are not run here")


def short_budget(spec: Spec, ms: float, nodes: int | None) -> Budget:
    """What a record may ask for, which can be a day, cut short."""
    budget = budget_of(spec, ms, nodes)
    if not (0 <= (budget.ms or 0) <= MOST_MS and 0 < (budget.nodes or 1) <= MOST_NODES):
        raise AssertionError(f"{budget} reached an agent")
    if budget.nodes is None:
        return replace(budget, ms=min(budget.ms or 0, SHORT_MS))
    return replace(budget, nodes=min(budget.nodes, SHORT_NODES))


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
    with ExitStack() as stack:
        for place, made_up in MADE_UP.items():
            stack.enter_context(patch(place, made_up))
        stack.enter_context(patch.object(Agent, "__init__", check_params))
        yield


MADE_UP = {
    "hsctl.match.seats.Bot": MadeUpBot,
    "hsctl.testing.check.session.Bot": MadeUpBot,
    "hsctl.match.user_agents.agent.Connection": refuse_connection,
    "hsctl.match.seats.budget_of": short_budget,
    "hsctl.analysis.explain.question.budget_of": short_budget,
}
