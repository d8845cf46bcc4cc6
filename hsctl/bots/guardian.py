"""The watchdog of one bot: starts it, reports how it ends, and leaves no process of it alive.

    runner ───lifeline──▶ guardian ───status──▶ runner     the bot's own three pipes lead straight to the runner
                             └── bot ── its descendants    orphans among them become children of the guardian

Run as `python -I -S guardian.py RUNNER STATUS LIFELINE MEMORY_MB COMMAND...`: the runner's process id, two pipes,
a limit (0: none), the bot. The runner never writes to the lifeline: its end means that stop() was called or that
the runner is dead, by kill -9 too. Then every descendant is killed, in whatever session it hides.

Reports, a line each: `started`, `error ERRNO`, `exit CODE` (negative: the signal), `memory MB` (over the limit).
An exit is reported only if the bot ended by itself. Where the system has no /proc with lists of children, only
the bot's process group is killed, and memory is not limited.
"""

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
MEMORY_CHECK_MS = 50
RUNNER_CHECK_MS = 1000
LONGEST_PAUSE_S = 0.5

HAS_TREE = os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children")


def read_proc(path: str) -> bytes:
    """A file of /proc, with few system calls: it is read each turn. Empty if the process is gone."""
    data = b""
    with suppress(FileNotFoundError, ProcessLookupError):
        file = os.open(path, os.O_RDONLY)
        try:
            while more := os.read(file, 65536):
                data += more
        finally:
            os.close(file)
    return data


def children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, read_proc(f"/proc/{pid}/task/{thread}/children").split())
    return found


def descendants(pid: int) -> list[int]:
    found = children(pid)
    for child in found:  # the list grows while it is walked
        found += children(child)
    return found


def read_stat(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat from the third on (the second, a name, may hold anything)."""
    return read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def resident_mb(pids: list[int]) -> float:
    pages = sum(int(stat[21]) for stat in map(read_stat, pids) if stat)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def kill(pid: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def freeze_descendants() -> set[int]:
    """Stop them all before any is killed, so that none can fork while the others die."""
    frozen: set[int] = set()
    while new := set(descendants(os.getpid())) - frozen:
        for pid in new:
            kill(pid, signal.SIGSTOP)
        frozen |= new
    return frozen


def prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def execute(command: list[str], failure: int) -> None:
    """In the forked child: become the bot, or write the error's number to `failure`. Never returns."""
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # for a bot that kills its guardian
        os.setsid()
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores these two, and exec would pass that on
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execvp(command[0], command)
    except OSError as error:
        os.write(failure, str(error.errno).encode())
    finally:
        os._exit(127)


class Guardian:
    def __init__(self, runner: int, status: int, lifeline: int, memory_mb: int) -> None:
        self.runner = runner
        self.status = status
        self.lifeline = lifeline
        self.memory_mb = memory_mb
        self.bot = 0  # while it lives
        self.group = 0

    def report(self, text: str) -> None:
        with suppress(BrokenPipeError):  # a dead runner is the lifeline's news
            os.write(self.status, text.encode() + b"\n")

    def start(self, command: list[str]) -> bool:
        os.set_inheritable(self.status, False)
        os.set_inheritable(self.lifeline, False)
        failed, failure = os.pipe()  # closed by a successful exec
        self.bot = self.group = os.fork()
        if self.bot == 0:
            execute(command, failure)
        os.close(failure)
        nothing = os.open(os.devnull, os.O_RDWR)
        for end in (0, 1, 2):  # the bot alone must hold its pipes, or their end would never be seen
            os.dup2(nothing, end)
        error = os.read(failed, 16).decode()
        self.report(f"error {error}" if error else "started")
        return not error

    def watch(self) -> None:
        """Until the lifeline ends, the runner is gone, or the bot holds too much memory."""
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self.lifeline, select.POLLIN)
        poll.register(woken, select.POLLIN)
        limited = HAS_TREE and self.memory_mb > 0
        self.reap()  # it may have ended before the handler stood
        while True:
            events = dict(poll.poll(MEMORY_CHECK_MS if limited else RUNNER_CHECK_MS))
            if woken in events:
                os.read(woken, 4096)
            self.reap()
            # The second look is for a lifeline held open by a fork of the runner.
            if self.lifeline in events or os.getppid() != self.runner:
                return
            if limited and (held := resident_mb(descendants(os.getpid()))) > self.memory_mb:
                self.report(f"memory {held:.0f}")
                return

    def reap(self) -> bool:
        """Bury the dead children, report the bot's end; true if no child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self.bot:
                self.report(f"exit {os.waitstatus_to_exitcode(status)}")
                self.bot = 0

    def kill_all(self) -> None:
        self.bot = 0  # from here on its end is our doing, and no news
        pause = 0.0005
        while True:
            if HAS_TREE:
                for pid in freeze_descendants():
                    kill(pid, signal.SIGKILL)
            elif self.group:
                kill(-self.group, signal.SIGKILL)
            if self.reap():
                return
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)


def main(arguments: list[str]) -> None:
    runner, status, lifeline, memory_mb = map(int, arguments[:4])
    # Blocked, not ignored: exec passes ignored signals on.
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - {signal.SIGCHLD})
    if HAS_TREE:  # orphans that it couldn't find, it mustn't wait for
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    guardian = Guardian(runner, status, lifeline, memory_mb)
    try:
        if guardian.start(arguments[4:]):
            guardian.watch()
    finally:
        guardian.kill_all()
    os._exit(0)  # spares the milliseconds of an interpreter's orderly end


if __name__ == "__main__":
    main(sys.argv[1:])
