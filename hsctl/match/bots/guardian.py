"""The watchdog of one bot: starts it, pauses it, counts what it holds, reports how it ends, and leaves nothing alive.

    runner ───control──▶ guardian ───status──▶ runner      the bot's own three pipes lead straight to the runner
                            └── bot ── its descendants     orphans among them become children of the guardian

Run as `main([RUNNER, STATUS, CONTROL, MEMORY_MB, CORE, IS_FENCED, COMMAND...])`: the runner's process id, two pipes,
a limit (0: none), the core to stay on (-1: any), whether the bot is fenced off from other processes, the bot. The end
of the control pipe means that stop() was called or that the runner is dead, by kill -9 too. Then every descendant is
killed, in whatever session it hides. Before that the runner may write `p` (stop the whole tree) and `r` (run again).

Reports, a line each: `started`, `error ERRNO`, `running` (after each `r`), `exit CODE` (negative: the signal),
`memory MB` and `processes N` (over the limit). An exit is reported only if the bot ended by itself.
"""

import os
import select
import signal
import time
from contextlib import suppress

from hsctl.match.bots import confine, tree

MOST_PROCESSES = 512  # of a bot, threads counted too: the largest virtual machines have some hundred
CHECK_MS = 50
LONGEST_PAUSE_S = 0.5

STARTED, ERROR, RUNNING, EXIT, MEMORY, PROCESSES = "started", "error", "running", "exit", "memory", "processes"
PAUSE, RUN = b"p", b"r"


def execute(command: list[str], failure: int, core: int, is_fenced: bool) -> None:
    """In the forked child: become the bot, or write the error's number to `failure`. Never returns."""
    try:
        confine.die_with_parent()  # for a bot that kills its guardian
        os.setsid()
        confine.limit_files()
        if core >= 0:
            confine.pin(core)
        if is_fenced:
            confine.fence()
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores these two, and exec would pass that on
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execvp(command[0], command)
    except OSError as error:
        os.write(failure, str(error.errno).encode())
    finally:
        os._exit(127)


class Guardian:
    def __init__(self, runner: int, status: int, control: int, memory_mb: int) -> None:
        self.runner = runner
        self.status = status
        self.control = control
        self.memory_mb = memory_mb
        self.bot = 0  # while it lives
        self.group = 0  # of processes; 0 once another could have got its number
        self.next_check = 0.0

    def report(self, *words: object) -> None:
        with suppress(BrokenPipeError):  # a dead runner is the control pipe's news
            os.write(self.status, " ".join(map(str, words)).encode() + b"\n")

    def start(self, command: list[str], core: int, is_fenced: bool) -> bool:
        os.set_inheritable(self.status, False)
        os.set_inheritable(self.control, False)
        failed, failure = os.pipe()  # closed by a successful exec
        self.bot = self.group = os.fork()
        if self.bot == 0:
            execute(command, failure, core, is_fenced)
        os.close(failure)
        nothing = os.open(os.devnull, os.O_RDWR)
        for end in (0, 1, 2):  # the bot alone must hold its pipes, or their end would never be seen
            os.dup2(nothing, end)
        error = os.read(failed, 16).decode()
        self.report(*((ERROR, error) if error else (STARTED,)))
        return not error

    def watch(self) -> None:
        """Until the control pipe ends, the runner is gone, or the bot holds too much."""
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(woken, select.POLLIN)
        self.reap()  # it may have ended before the handler stood
        while True:
            events = dict(poll.poll(CHECK_MS))
            if woken in events:
                os.read(woken, 4096)
            self.reap()
            # The second look is for a control pipe held open by a fork of the runner.
            if (self.control in events and not self.obey()) or os.getppid() != self.runner:
                return
            if time.monotonic() >= self.next_check:
                if self.is_over_limit():
                    return
                self.next_check = time.monotonic() + CHECK_MS / 1000

    def obey(self) -> bool:
        """Do what the runner asks for; false if it asks for the end."""
        orders = os.read(self.control, 64)
        for order in orders:
            if order == PAUSE[0]:
                self.pause()
            else:
                self.resume()
                self.report(RUNNING)
        return bool(orders)

    def is_over_limit(self) -> bool:
        """Whether the whole tree holds more than it may; reported if so."""
        stats = [stat for stat in map(tree.read_stat, self.descendants()) if stat]
        processes = sum(map(tree.tasks_of, stats))
        if processes > MOST_PROCESSES:
            self.report(PROCESSES, processes)
            return True
        if self.memory_mb and (held := tree.resident_mb(stats)) > self.memory_mb:
            self.report(MEMORY, round(held))
            return True
        return False

    def descendants(self) -> list[int]:
        return tree.descendants(os.getpid())

    def pause(self) -> set[int]:
        """Stop the tree; whom it holds."""
        self.signal_group(signal.SIGSTOP)
        return tree.freeze(self.descendants)

    def resume(self) -> None:
        self.signal_group(signal.SIGCONT)
        for pid in self.descendants():
            tree.kill(pid, signal.SIGCONT)

    def signal_group(self, number: int) -> None:
        """All of the bot that share its process group, in one go: none can fork meanwhile."""
        if self.group:
            tree.kill(-self.group, number)

    def reap(self) -> bool:
        """Bury the dead children, report the bot's end; true if no child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self.group:
                self.group = 0
            if pid == self.bot:
                self.report(EXIT, os.waitstatus_to_exitcode(status))
                self.bot = 0

    def kill_all(self) -> None:
        self.bot = 0  # from here on its end is our doing, and no news
        pause = 0.0005
        while True:
            self.signal_group(signal.SIGKILL)
            for pid in self.pause():
                tree.kill(pid, signal.SIGKILL)
            if self.reap():
                return
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)


def main(arguments: list[str]) -> None:
    runner, status, control, memory_mb, core, is_fenced = map(int, arguments[:6])
    confine.offer_to_oom_killer()
    confine.hide()
    confine.outrank()
    # Blocked, not ignored: exec passes ignored signals on.
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - {signal.SIGCHLD})
    confine.adopt_orphans()
    guardian = Guardian(runner, status, control, memory_mb)
    try:
        if guardian.start(arguments[6:], core, bool(is_fenced)):
            guardian.watch()
    finally:
        guardian.kill_all()
    os._exit(0)  # spares the milliseconds of an interpreter's orderly end
