"""An external bot: any command line as a player on the arena's line protocol, with a clock and evidence.

    with Bot("python mybot.py", startup_s=5) as bot:
        bot.send("13 11 0\n")
        answer = bot.ask(turn_input, seconds=1.0)      the line, or the Failure that ended the bot for good

Lines printed before their turn wait for it. Whatever a bot does, ask() returns in time and memory stays bounded:
input it doesn't read runs against the same clock as the answer, a flood of output ends it, and of what it writes
to stderr the tail is kept.
"""

import errno
import os
from collections.abc import Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import Self

from hsctl.match.bots.answer import BLAME, SHOWN, BotAnswer, BotFailure, Cause
from hsctl.match.bots.build import program_words
from hsctl.match.bots.counts import Held, ProcessCounts
from hsctl.match.bots.guardian import MOST_PROCESSES
from hsctl.match.bots.lateness import hindrance, judge
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.bots.process import STDERR_KEPT, format_exit, signal_name, start_process
from hsctl.shell import parse_command
from replays.replay import Late

# The clock of one turn: how long to wait for a bot's answer, and who is to blame if none came in time.
#
# When the time is up without an answer the bot is out, whoever is to blame. But it is watched on for as long as the
# machine may have kept it waiting, at most for its time once more: whether it answers then is the evidence.


class Clock:
    """Started at once. `limit` in seconds, None: none. An answer is late after `due`, the limit unless it is given."""

    def __init__(self, limit: float | None, counts: ProcessCounts, due: float | None = None) -> None:
        self.limit = limit
        self._due = due
        self.is_late = False
        self._counts = counts
        self._deadline = limit  # of the waiting
        if limit is not None:
            counts.mark()
        self._asked_at = monotonic()

    @property
    def wall_s(self) -> float:
        return monotonic() - self._asked_at

    @property
    def is_over(self) -> bool:
        return self._deadline is not None and monotonic() - self._asked_at >= self._deadline

    def left_s(self) -> float | None:
        """For how long to wait on."""
        return None if self._deadline is None else max(0.0, self._asked_at + self._deadline - monotonic())

    def extend(self) -> bool:
        """The time is up, and there is no answer: whether to watch on."""
        assert self.limit is not None
        self.is_late = True
        before = self._counts.marked()
        if before is not None:
            at_most = hindrance(before, self._counts.usage()).at_most
            self._deadline = self.limit + min(at_most, self.limit)
        return not self.is_over

    def waited_s(self, wall_s: float) -> float | None:
        """How much of an answer's time the machine surely took; None if `due` isn't given, or if it isn't known."""
        before = None if self._due is None else self._counts.marked()
        return None if before is None else min(wall_s, hindrance(before, self._counts.usage()).surely)

    def verdict(self) -> Late | None:
        """On an answer that was not in time, None if it was. One that the runner found when it looked for the last
        time, and therefore takes, is late only because the runner itself had to wait for a core."""
        due = self.limit if self._due is None else self._due
        if due is not None and due == self.limit and not self.is_late:
            wall = self.wall_s
            return Late("machine", round(wall * 1000, 3)) if wall > due else None
        return self.judge_by(due)

    def judge_by(self, due: float | None) -> Late | None:
        """The same for any time, None: none."""
        wall = self.wall_s
        if due is None or wall <= due:
            return None
        return judge(due, wall, self._counts.marked(), self._counts.usage())


LONGEST_LINE = 4 * 1024
MOST_AHEAD = 64 * 1024  # bytes of output waiting for their turns
EXIT_S = 0.2  # from the end of the output to the end of the process

START_HINTS = {
    errno.ENOENT: " (give a program on the PATH, or a path that exists from here)",
    errno.EACCES: " (make the file executable, or name its interpreter first)",
    errno.ENOEXEC: " (name its interpreter first, or give it a #! line)",
}


class Bot:
    """A command line, or its words. `startup_s` is added to the time of the first answer; `core` is the one it stays
    on, None: any; `variables` are added to its environment."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        startup_s: float,
        bot_limits: BotLimits = ORDINARY,
        core: int | None = None,
        longest_line: int = LONGEST_LINE,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.command = program_words(parse_command(command) if isinstance(command, str) else command)
        self.startup_s = startup_s
        self.bot_limits = bot_limits
        self.core = core
        self.longest_line = longest_line
        self.variables = dict(variables or {})
        self.failure: BotFailure | None = None
        self._is_running = False
        self._last_answer: BotAnswer | None = None
        self._cpu_s = 0.0  # up to the last answer

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Doesn't wait: several bots start side by side, and one that can't says so in its first answer."""
        self._process = start_process(self.command, self.bot_limits, self.variables, self.core)
        self._is_running = True

    def send(self, text: str) -> None:
        """Input that needs no answer. What the bot doesn't take now goes with the next ask()."""
        if self._is_running:
            self._process.send(text.encode())

    def ask(self, text: str, seconds: float | None, due: float | None = None) -> BotAnswer:
        """Send a turn's input and get its answer; `seconds=None` waits for ever.

        With `due` (seconds, fewer) an answer is waited for as long, and judged late from then on.
        """
        if self.failure:
            return BotAnswer(line=None, failure=self.failure, stderr="", wall_s=0.0, cpu_s=None)
        self._process.await_start()
        is_ahead = self.has_line()
        self._process.resume()
        limit = seconds if seconds is None or self._last_answer else seconds + self.startup_s
        clock = Clock(limit, self._process.counts, due)
        self.send(text)
        if cause := self._await_line(clock):
            return self._fail(cause, clock)
        return self._take_line(clock, is_ahead, seconds)

    def has_line(self) -> bool:
        """Whether a line waits that was not asked for."""
        if self._is_running:
            self._process.look()
        return b"\n" in self._process.inbox

    def held(self) -> Held:
        """What all its processes hold now."""
        return self._process.counts.held()

    def take_waiting(self) -> str | None:
        """A line that is there already, for answers of several lines; no clock runs for it."""
        if b"\n" not in self._process.inbox or self._is_flood():
            return None
        return self._pop_line()

    def reject(self, detail: str) -> BotFailure:
        """The last answer was no action, for the reason given: the bot is out, and stopped."""
        assert self._last_answer, "nothing was answered yet"
        self.stop()
        last = self._last_answer
        self.failure = self._evidence("invalid", detail, self._process.take_errors(), last.wall_s, last.cpu_s)
        return self.failure

    def stop(self) -> None:
        """Leave no process of the bot behind, as far as the system can find them (docs/reference/safety.md)."""
        if self._is_running:
            self._is_running = False
            self._process.stop()

    def _await_line(self, clock: Clock) -> Cause | None:
        """None once a line is there and all input is delivered, or why that can't be."""
        process = self._process
        wait = 0.0 if process.inbox or self._cause_of_death() else clock.left_s()
        while True:
            is_over = clock.is_over  # seen before the last look, not after it
            process.pump(wait)
            if self._is_flood():
                return "flood"
            if b"\n" in process.inbox and not process.unread:
                return "timeout" if clock.is_late else None
            if cause := self._cause_of_death():
                return cause
            if is_over and not clock.extend():
                return "timeout"
            wait = clock.left_s()

    def _is_flood(self) -> bool:
        return self._is_line_too_long() or len(self._process.inbox) > max(MOST_AHEAD, self.longest_line)

    def _is_line_too_long(self) -> bool:
        inbox = self._process.inbox
        return len(inbox) > self.longest_line and inbox.find(b"\n", 0, self.longest_line + 1) < 0

    def _cause_of_death(self) -> Cause | None:
        process = self._process
        if process.is_forged:
            return "forged"
        if not process.is_started:
            return "start"
        if process.memory_mb is not None:
            return "memory"
        if process.processes is not None:
            return "processes"
        if process.exit_code or process.is_lost:
            return "crash"
        return None if process.is_output_open else "closed"  # the process may be gone and a child of it answer

    def _take_line(self, clock: Clock, is_ahead: bool, seconds: float | None) -> BotAnswer:
        wall_s, late = clock.wall_s, clock.verdict()
        slow_start = clock.judge_by(seconds) if late is None and clock.limit != seconds else None
        waited_s = clock.waited_s(wall_s)
        if self.bot_limits.is_paused:
            self._process.pause()
        text = self._pop_line()
        self._process.look_at_errors()
        stderr = self._process.take_errors()
        cpu_s = self._take_cpu_s()
        self._last_answer = BotAnswer(
            line=text,
            failure=None,
            stderr=stderr,
            wall_s=wall_s,
            cpu_s=cpu_s,
            late=late,
            slow_start=slow_start,
            waited_s=waited_s,
            is_ahead=is_ahead,
        )
        return self._last_answer

    def _pop_line(self) -> str:
        line, _, self._process.inbox = self._process.inbox.partition(b"\n")
        return line.decode(errors="replace").removesuffix("\r")

    def _take_cpu_s(self) -> float | None:
        """What was used since the last call."""
        used = self._process.counts.look()
        if used is None:
            return None
        before, self._cpu_s = self._cpu_s, used
        return max(0.0, used - before)

    def _fail(self, cause: Cause, clock: Clock) -> BotAnswer:
        wall_s = clock.wall_s
        late = clock.verdict() if cause == "timeout" else None
        if cause == "closed":
            self._process.await_exit(EXIT_S)
        unread, cpu_s = self._process.unread, self._take_cpu_s()
        self.stop()  # whose last report tells whether it had ended by itself
        if cause in ("closed", "timeout") and self._process.exit_code:
            cause, late = "crash", None
        detail, stderr = self._explain(cause, clock.limit, late, unread), self._process.take_errors()
        self.failure = self._evidence(cause, detail, stderr, wall_s, cpu_s)
        return BotAnswer(line=None, failure=self.failure, stderr=stderr, wall_s=wall_s, cpu_s=cpu_s, late=late)

    def _explain(self, cause: Cause, limit: float | None, late: Late | None, unread: int) -> str:
        process, code = self._process, self._process.exit_code
        match cause:
            case "start":
                number = process.start_error
                if number is None:
                    return "its guardian gave no sign of life"
                return f"{os.strerror(number)}: {self.command[0]!r}{START_HINTS.get(number, '')}"
            case "timeout":
                within = f"within {1000 * (limit or 0):.0f} ms{BLAME[late.culprit] if late else ''}"
                if unread:
                    return f"{unread} bytes of its input not read {within}"
                is_silent = not self._last_answer and not process.inbox
                return f"no answer {within}" + (", nothing printed so far: does it flush its output?" * is_silent)
            case "crash":
                return "ended together with its guardian" if code is None else format_exit(code)
            case "closed":
                return (
                    "closed its output and lived on" if code is None else f"{format_exit(code)} and without an answer"
                )
            case "flood" if self._is_line_too_long():
                return f"a line of more than {self.longest_line} bytes"
            case "flood":
                return f"more than {MOST_AHEAD} bytes of output ahead of its turns"
            case "memory":
                return f"{process.memory_mb} MB resident, allowed are {self.bot_limits.memory_mb}"
            case "processes":
                return f"{process.processes} processes and threads, allowed are {MOST_PROCESSES}"
            case "forged":
                return "something other than its guardian wrote into the guardian's reports"
        raise AssertionError(cause)

    def _evidence(self, cause: Cause, detail: str, stderr: str, wall_s: float, cpu_s: float | None) -> BotFailure:
        code, inbox = self._process.exit_code, self._process.inbox
        last_line = None
        if self._last_answer:
            last_line = self._last_answer.line
            stderr = self._last_answer.stderr + stderr  # last words may have come with the last answer
        if inbox and cause != "invalid":
            last_line = inbox.rstrip(b"\r\n").rpartition(b"\n")[2].decode(errors="replace")
        return BotFailure(
            cause=cause,
            detail=detail,
            last_line=None if last_line is None else last_line[:SHOWN],
            exit_code=None if code is None or code < 0 else code,
            signal=None if code is None or code >= 0 else signal_name(-code),
            stderr=stderr[-STDERR_KEPT:],
            wall_s=wall_s,
            cpu_s=cpu_s,
        )
