"""A bot's process under a guardian: five pipes, its reports, what it uses, and an end that leaves nothing alive.

The data pipes are non-blocking and lead straight to the bot. Python ignores SIGPIPE, and must go on doing so here:
writing to a dead bot is an error to handle, not the end of the runner.

A bot that kills its guardian is not rid of it: its processes fall to the runner, which kills what falls to it. What a
bot has started by others (a container, a job of cron or systemd) is not among its descendants and lives on.
"""

import os
import select
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import hsctl
from engine.errors import HsctlError
from hsctl.match.bots import confine, guardian, sandbox, tree
from hsctl.match.bots.counts import ProcessCounts
from hsctl.match.bots.limits import BotLimits
from hsctl.match.bots.process import CHUNK, Process

START_S = 30.0  # for the guardian, not the bot, on the busiest machine
STOP_S = 5.0  # a guardian that takes longer was stopped by its bot
LONGEST_REPORT = 64  # bytes
GUARDIAN = (
    "import sys; sys.path.append(sys.argv.pop(1)); from hsctl.match.bots.guardian import main; main(sys.argv[1:])"
)
PACKAGES = str(Path(hsctl.__file__).parents[1])

guardians: set[int] = set()  # of this process, alive or not yet buried
starting = threading.Lock()  # held while a guardian is started: until it is noted it looks like an orphan


class Guarded(Process):
    """All that is known of it, the guardian reports."""

    def __init__(
        self, command: Sequence[str], bot_limits: BotLimits, environment: dict[str, str], core: int | None
    ) -> None:
        super().__init__()
        self.is_running = True  # not paused
        self.is_sandboxed = bot_limits.is_sandboxed
        self._reports = b""
        self._outbox = bytearray()
        self._is_input_watched = False
        confine.hide()
        confine.adopt_orphans()
        self._spawn(list(command), bot_limits, environment, -1 if core is None else core)
        self.counts = ProcessCounts(self._guardian.pid)
        self._selector = selectors.DefaultSelector()
        for end in (self.stdout, self.stderr, self.status):
            self._selector.register(end, selectors.EVENT_READ)

    def _spawn(self, command: list[str], bot_limits: BotLimits, environment: dict[str, str], core: int) -> None:
        words = command
        if self.is_sandboxed and can_be_run(command[0]):  # else the guardian says what is wrong
            environment, words = sandbox.environment_inside(environment), sandbox.sandboxed(command)
        self.status, status = os.pipe()
        control, self._control = os.pipe()
        arguments = [os.getpid(), status, control, bot_limits.memory_mb or 0, core, int(not self.is_sandboxed)]
        try:
            with starting:
                self._guardian = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", GUARDIAN, PACKAGES, *map(str, arguments), *words],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=(status, control),
                    start_new_session=True,
                    env=environment,
                )
                guardians.add(self._guardian.pid)
        except OSError as error:
            os.close(self.status)
            os.close(self._control)
            raise HsctlError(f"can't start the process of bot {command[0]!r}: {error}") from error
        finally:
            os.close(status)
            os.close(control)
        assert self._guardian.stdin and self._guardian.stdout and self._guardian.stderr
        self.stdin = self._guardian.stdin.fileno()
        self.stdout = self._guardian.stdout.fileno()
        self.stderr = self._guardian.stderr.fileno()
        for end in (self.stdin, self.stdout, self.stderr, self.status):
            os.set_blocking(end, False)

    # Pipes

    @property
    def unread(self) -> int:
        return len(self._outbox)

    def send(self, data: bytes) -> None:
        self._outbox += data
        self._write()

    def pump(self, wait: float | None) -> None:
        ready = {key.fd for key, _ in self._selector.select(wait)}
        if self.status in ready:
            self.read_reports()
            if self.is_lost:
                self._selector.unregister(self.status)
            ready.add(self.stdout)  # all that was written before a reported end is there by now
        if self.stdout in ready:
            self.look()
        if self.stderr in ready and not self._read_errors():
            self._selector.unregister(self.stderr)
        if self.stdin in ready:
            self._write()

    def look(self) -> None:
        if not self.is_output_open:
            return
        try:
            data = os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return
        self.inbox += data
        if not data:
            self.is_output_open = False
            self._selector.unregister(self.stdout)

    def look_at_errors(self) -> None:
        self._read_errors()  # what was written before is there

    def _read_errors(self) -> bool:
        """False at its end."""
        try:
            data = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return True
        self.keep_errors(data)
        return bool(data)

    def _write(self) -> None:
        try:
            with suppress(BlockingIOError):
                del self._outbox[: os.write(self.stdin, self._outbox)]
        except BrokenPipeError:
            self._outbox.clear()  # it may still answer without reading
        if self._outbox and not self._is_input_watched:
            self._selector.register(self.stdin, selectors.EVENT_WRITE)
        elif self._is_input_watched and not self._outbox:
            self._selector.unregister(self.stdin)
        self._is_input_watched = bool(self._outbox)

    # Reports

    def await_start(self) -> None:
        deadline = time.monotonic() + START_S
        while not (self.is_started or self.start_error or self.is_lost or self.is_forged):
            if not self.await_report(deadline):
                self.is_lost = True

    def await_exit(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self.exit_code is None and not self.is_lost and self.await_report(deadline):
            pass

    def await_report(self, deadline: float) -> bool:
        """Take in the next reports; false if none came in time."""
        poll = select.poll()
        poll.register(self.status, select.POLLIN)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            return False
        self.read_reports()
        return True

    def read_reports(self) -> None:
        """Take in what the guardian has reported so far. Call it when `status` is readable."""
        data = os.read(self.status, 4096)
        self.is_lost = not data
        *lines, self._reports = (self._reports + data).split(b"\n")
        for line in lines:
            self._take_report(line.decode(errors="replace").split(" "))
        if len(self._reports) > LONGEST_REPORT:
            self.is_forged = True
            self._reports = b""

    def _take_report(self, words: list[str]) -> None:
        """Anything but a report is the work of the bot, whose guardian writes nothing else."""
        try:
            match words:
                case [guardian.STARTED]:
                    self.is_started = True
                case [guardian.RUNNING]:
                    self.is_running = True
                case [guardian.ERROR, number]:
                    self.start_error = int(number)
                case [guardian.EXIT, code]:
                    self.exit_code = sandbox.exit_code_inside(int(code)) if self.is_sandboxed else int(code)
                case [guardian.MEMORY, held]:
                    self.memory_mb = int(held)
                case [guardian.PROCESSES, held]:
                    self.processes = int(held)
                case _:
                    self.is_forged = True
        except ValueError:
            self.is_forged = True

    # Between turns

    def pause(self) -> None:
        """Have the whole tree stopped, without waiting for it."""
        if self._order(guardian.PAUSE):
            self.is_running = False

    def resume(self) -> None:
        """Have the whole tree run again, if it was paused, and wait until it does."""
        if self.is_running:
            return
        self._order(guardian.RUN)
        deadline = time.monotonic() + START_S
        while not (self.is_running or self.is_lost or self.is_forged):
            if not self.await_report(deadline):
                self.is_lost = True

    def _order(self, order: bytes) -> bool:
        try:
            os.write(self._control, order)
        except BrokenPipeError:  # the guardian is dead, as its status pipe tells
            return False
        return True

    # The end

    def stop(self) -> None:
        """The last reports are taken in, too."""
        if self._control < 0:
            return
        os.close(self._control)
        self._control = -1
        deadline = time.monotonic() + STOP_S
        while not self.is_lost and time.monotonic() < deadline and self.await_report(deadline):
            pass
        try:
            self._guardian.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._guardian.kill()
            self._guardian.wait()
        guardians.discard(self._guardian.pid)
        if self._guardian.returncode != 0:
            kill_fallen()
        self._read_errors()
        self._close()

    def _close(self) -> None:
        self._selector.close()
        assert self._guardian.stdin and self._guardian.stdout and self._guardian.stderr
        for file in (self._guardian.stdin, self._guardian.stdout, self._guardian.stderr):
            file.close()
        os.close(self.status)
        self.counts.close()


def can_be_run(program: str) -> bool:
    return shutil.which(program) is not None


def kill_fallen() -> None:
    """Kill and bury what fell to this process when a guardian died."""
    while fallen := fallen_children():
        for pid in tree.freeze(fallen_families):
            tree.kill(pid, signal.SIGKILL)
        for pid in fallen:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def fallen_children() -> list[int]:
    """Children that this process never started: a bot's are never of its session, its own but for guardians are."""
    with starting:
        session, strangers = os.getsid(0), set(tree.children(os.getpid())) - guardians
        stats = {pid: tree.read_stat(pid) for pid in strangers}
    return [pid for pid, stat in stats.items() if stat and tree.session_of(stat) != session]


def fallen_families() -> list[int]:
    return [pid for child in fallen_children() for pid in (child, *tree.descendants(child))]
