"""A bot's process by nothing but pipes and threads, for systems that have no guardian: macOS and Windows.

    bot ──stdout──▶ thread ──▶ arrived ──▶ inbox        pump() moves what arrived, and looks whether the bot has ended
        ──stderr──▶ thread ──▶ tail
        ◀──stdin─── thread ◀── outbox

A thread that reads never gets further ahead than a chunk, so a flood stays in the pipe. A child of the bot that
survives it may hold a pipe open; the thread there, and its end of the pipe, then live as long as that child.
"""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any

from hsctl.match.bots.counts import ProcessCounts
from hsctl.match.bots.process import CHUNK, STDERR_KEPT, Process

LOOK_S = 0.05  # between two looks whether it has ended
DRAIN_S = 0.5  # from its end to the end of its output, if no child of it holds that
QUIET_S = 0.001  # without a byte on stderr: what was written before the answer is there
LOUD_S = 0.05  # at most, for what never becomes quiet
STOP_S = 5.0


class Portable(Process):
    """Nothing is counted, limited or paused."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        super().__init__()
        self.counts = ProcessCounts(None)
        self._news = threading.Condition()  # guards what follows
        self._arrived = bytearray()
        self._tail = bytearray()
        self._heard = 0  # bytes of stderr so far
        self._outbox = bytearray()
        self._is_ended = False  # the output
        self._is_deaf = False  # it takes no more input
        self._is_stopping = False
        self._ended_at: float | None = None  # when that was seen
        self._threads: list[threading.Thread] = []
        try:
            self._popen = start(command, environment)
        except OSError as error:
            self.start_error = error.errno or 0
            return
        self.is_started = True
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._begin(self._read_output, self._popen.stdout)
        self._begin(self._read_errors, self._popen.stderr)
        self._begin(self._write, self._popen.stdin)

    def _begin(self, work: Callable[[IO[bytes]], None], pipe: IO[bytes]) -> None:
        thread = threading.Thread(target=self._work, args=(work, pipe), daemon=True)
        self._threads.append(thread)
        thread.start()

    # In threads of their own

    def _work(self, work: Callable[[IO[bytes]], None], pipe: IO[bytes]) -> None:
        """Each thread closes its own pipe; no other may, as long as it could be waiting there."""
        with suppress(OSError):  # the other end is gone
            work(pipe)
        with suppress(OSError):
            pipe.close()

    def _read_output(self, pipe: IO[bytes]) -> None:
        try:
            while data := os.read(pipe.fileno(), CHUNK):
                with self._news:
                    self._arrived += data
                    self._news.notify_all()
                    self._news.wait_for(lambda: len(self._arrived) < CHUNK or self._is_stopping)
        finally:
            with self._news:
                self._is_ended = True
                self._news.notify_all()

    def _read_errors(self, pipe: IO[bytes]) -> None:
        while data := os.read(pipe.fileno(), CHUNK):
            with self._news:
                self._tail += data
                del self._tail[:-STDERR_KEPT]
                self._heard += len(data)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            while True:
                with self._news:
                    self._news.wait_for(lambda: self._outbox or self._is_stopping)
                    if self._is_stopping:
                        return
                    piece = bytes(self._outbox[:CHUNK])
                written = os.write(pipe.fileno(), piece)
                with self._news:
                    del self._outbox[:written]
                    self._news.notify_all()
        finally:
            with self._news:
                self._outbox.clear()  # it may still answer without reading
                self._is_deaf = True
                self._news.notify_all()

    # The runner's side

    @property
    def unread(self) -> int:
        with self._news:
            return len(self._outbox)

    def await_start(self) -> None:
        """It has started, or has failed to, by the time that it was made."""

    def send(self, data: bytes) -> None:
        with self._news:
            if self.is_started and not self._is_deaf:
                self._outbox += data
                self._news.notify_all()

    def pump(self, wait: float | None) -> None:
        with self._news:
            before = len(self._outbox)
            self._news.wait_for(
                lambda: self._arrived or (self._is_ended and self.is_output_open) or len(self._outbox) < before,
                LOOK_S if wait is None else min(wait, LOOK_S),
            )
        self.look()
        self._look_for_end()

    def look(self) -> None:
        with self._news:
            self.inbox += self._arrived
            self._arrived.clear()
            self.is_output_open = not self._is_ended
            self._news.notify_all()

    def _look_for_end(self) -> None:
        """An end is known when all that was written before it is there, too."""
        if not self.is_started or self.exit_code is not None or self._popen.poll() is None:
            return
        self._ended_at = self._ended_at or time.monotonic()
        if not self.is_output_open or time.monotonic() > self._ended_at + DRAIN_S:
            self.exit_code = self._popen.returncode

    def look_at_errors(self) -> None:
        """Until it is quiet: no call tells, on all systems, whether there is more in a pipe."""
        give_up_at = time.monotonic() + LOUD_S
        while time.monotonic() < give_up_at:
            with self._news:
                before = self._heard
            time.sleep(QUIET_S)
            with self._news:
                if self._heard == before:
                    break
        self._take_tail()

    def _take_tail(self) -> None:
        with self._news:
            self.keep_errors(self._tail)
            self._tail.clear()

    def await_exit(self, seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.exit_code = self._popen.wait(seconds)

    def pause(self) -> None:
        raise AssertionError("a portable process can't be paused")

    def resume(self) -> None:
        """It was never paused."""

    def stop(self) -> None:
        if not self.is_started:
            return
        self.exit_code = self._popen.poll()  # None: its end is our doing, and no news
        kill(self._popen)
        with self._news:
            self._is_stopping = True
            self._news.notify_all()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(STOP_S)
        give_up_at = time.monotonic() + DRAIN_S
        for thread in self._threads:
            thread.join(max(0.0, give_up_at - time.monotonic()))
        self._take_tail()


def start(command: Sequence[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    """In a group of its own: Ctrl-C in the terminal is not for bots."""
    options: dict[str, Any] = {"start_new_session": True}
    if os.name == "nt":
        options = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    pipe = subprocess.PIPE
    program = shutil.which(command[0]) or command[0]  # Windows looks for programs in its own way
    words = [program, *command[1:]]
    return subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, **options)


def taskkill() -> str:
    """Windows' own, by its place: a bare name would be looked for in the current folder first."""
    return os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")


def kill(process: "subprocess.Popen[bytes]") -> None:
    """The bot, and of its children those that share its group (on Windows: those below it, if it lives)."""
    if os.name == "nt":
        if process.poll() is None:
            with suppress(OSError):
                words = [taskkill(), "/T", "/F", "/PID", str(process.pid)]
                subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # a number stays taken as long as its group has members
    process.kill()
