"""A bot's process under a guardian: four pipes, its reports, what it uses, and an end that leaves nothing alive.

The data pipes are non-blocking and lead straight to the bot. Python ignores SIGPIPE, and must go on doing so here:
writing to a dead bot is an error to handle, not the end of the runner.

What a bot has started by others (a container, a job of cron or systemd) is not among its descendants and lives on.
"""

import os
import secrets
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from engine.errors import HsctlError
from hsctl.bots import guardian

MARK = "HSCTL_BOT"  # in the environment of every process of a bot
START_S = 30.0  # for the guardian, not the bot, on the busiest machine
STOP_S = 5.0  # a guardian that takes longer was stopped by its bot
TICKS = os.sysconf("SC_CLK_TCK") if os.name == "posix" else 0


def parse_command(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise HsctlError(f"can't split the command {command!r} into words: {error}") from error
    if not words:
        raise HsctlError("an empty command is no bot: give one like './mybot' or 'python bot.py'")
    return words


class Process:
    """One run of a command, started at once. `start_error`, `exit_code` (negative: the signal) and `memory_mb`
    (held when it was too much) are None until the guardian reports them."""

    def __init__(self, command: list[str], memory_mb: int | None) -> None:
        if os.name != "posix":
            raise HsctlError("external bots need Linux or macOS; on Windows run hsctl inside WSL")
        self.is_started = False
        self.is_lost = False
        self.start_error: int | None = None
        self.exit_code: int | None = None
        self.memory_mb: int | None = None
        self._reports = b""
        self._mark = secrets.token_hex(8)
        self._spawn(command, memory_mb or 0)

    def _spawn(self, command: list[str], memory_mb: int) -> None:
        self.status, status = os.pipe()
        lifeline, self._lifeline = os.pipe()
        arguments = [os.getpid(), status, lifeline, memory_mb]
        try:
            self._guardian = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(guardian.__file__)), *map(str, arguments), *command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(status, lifeline),
                start_new_session=True,
                env={**os.environ, MARK: self._mark},
            )
        except OSError as error:
            os.close(self.status)
            os.close(self._lifeline)
            raise HsctlError(f"can't start the process of bot {command[0]!r}: {error}") from error
        finally:
            os.close(status)
            os.close(lifeline)
        assert self._guardian.stdin and self._guardian.stdout and self._guardian.stderr
        self.stdin = self._guardian.stdin.fileno()
        self.stdout = self._guardian.stdout.fileno()
        self.stderr = self._guardian.stderr.fileno()
        for end in (self.stdin, self.stdout, self.stderr, self.status):
            os.set_blocking(end, False)

    def await_start(self) -> None:
        """Until the bot runs or has failed to."""
        deadline = time.monotonic() + START_S
        while not (self.is_started or self.start_error or self.is_lost):
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
            match line.decode().split():
                case ["started"]:
                    self.is_started = True
                case ["error", number]:
                    self.start_error = int(number)
                case ["exit", code]:
                    self.exit_code = int(code)
                case ["memory", held]:
                    self.memory_mb = int(held)

    def cpu_seconds(self) -> float | None:
        """CPU time of the bot and all its descendants, the buried ones too, to 10 ms; None without /proc."""
        if not guardian.HAS_TREE:
            return None
        root = self._guardian.pid
        ticks = sum(map(int, guardian.read_stat(root)[13:15]))  # of the guardian only the children it has buried
        for pid in guardian.descendants(root):
            ticks += sum(map(int, guardian.read_stat(pid)[11:15]))
        return ticks / TICKS

    def stop(self) -> None:
        """Kill whatever is left; the pipes stay readable until close(). The last reports are taken in."""
        if self._lifeline < 0:
            return
        os.close(self._lifeline)
        self._lifeline = -1
        deadline = time.monotonic() + STOP_S
        while not self.is_lost and self.await_report(deadline):
            pass
        try:
            self._guardian.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._guardian.kill()
            self._guardian.wait()
        if self._guardian.returncode != 0:
            kill_marked(self._mark)

    def close(self) -> None:
        assert self._guardian.stdin and self._guardian.stdout and self._guardian.stderr
        for file in (self._guardian.stdin, self._guardian.stdout, self._guardian.stderr):
            file.close()
        os.close(self.status)


def kill_marked(mark: str) -> None:
    """Kill by the mark in the environment: for the orphans of a guardian that was itself killed."""
    while found := [pid for pid in all_processes() if is_marked(pid, mark)]:
        for pid in found:
            guardian.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def all_processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if guardian.HAS_TREE else []


def is_marked(pid: int, mark: str) -> bool:
    try:
        return f"{MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # gone, or another user's
        return False


def format_exit(code: int) -> str:
    return f"exited with code {code}" if code >= 0 else f"killed by {signal_name(-code)}"


def signal_name(number: int) -> str:
    known = {one.value: one.name for one in signal.Signals}
    return known.get(number, f"signal {number}")
