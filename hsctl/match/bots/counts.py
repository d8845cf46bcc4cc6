"""What the processes of a bot have had of the cores: read every turn, so with few system calls.

The files of its threads stay open: the counts at the moment of a question are then one call each, kept as they are,
and only read as numbers if the answer is late. All else is done after the answer, while no clock runs.
"""

import os
import time
from contextlib import suppress
from typing import NamedTuple

from hsctl.match.bots import tree
from hsctl.match.bots.lateness import CoreTime, Usage, parse_share, read_share, read_stolen

TICKS = os.sysconf("SC_CLK_TCK") if os.name == "posix" else 0
MOST_KEPT = 64  # threads: the lateness of a bot with more can't be judged
FRESH_S = 0.1  # for what a hypervisor took, which is slow to read
Thread = tuple[int, str]  # its process, its number


class GuardianFiles(NamedTuple):
    """Files of the guardian, which has but one thread."""

    stat: int
    children: int


class Held(NamedTuple):
    """What the processes of a bot hold together; nothing where the system doesn't tell."""

    threads: int
    memory_mb: float


class ProcessCounts:
    """Of all processes below the guardian with this number; without one, of none."""

    def __init__(self, guardian: int | None) -> None:
        self._own = None if guardian is None else open_own(guardian)
        self._files: dict[Thread, int] = {}
        self._marks: dict[Thread, bytes] | None = None
        self._stolen = read_stolen()
        self._stolen_at = time.monotonic()

    def pids(self) -> list[int]:
        """All processes of the bot."""
        found = self._heads()
        for pid in found:  # the list grows while it is walked
            found += tree.children(pid)
        return found

    def _heads(self) -> list[int]:
        """The bot, and those of its processes whose parents are gone."""
        return [int(pid) for pid in tree.read_open(self._own.children).split()] if self._own else []

    def look(self) -> float | None:
        """CPU seconds of the bot and all its descendants, the buried ones too, to 10 ms; None without a guardian."""
        if self._own is None:
            return None
        own = tree.parse_stat(tree.read_open(self._own.stat))
        ticks = sum(map(int, own[13:15]))  # of the guardian only the children it has buried
        found = self._heads()
        seen: list[Thread] = []
        for pid in found:
            threads = tree.threads(pid)
            seen += [(pid, thread) for thread in threads]
            found += tree.children(pid, threads)
            ticks += tree.ticks_of(tree.read_stat(pid))
        self._keep(seen)
        return ticks / TICKS

    def held(self) -> Held:
        stats = [stat for stat in map(tree.read_stat, self.pids()) if stat]
        return Held(sum(map(tree.tasks_of, stats)), tree.resident_mb(stats))

    def _keep(self, threads: list[Thread]) -> None:
        """Have the files of these threads open, and no other."""
        if self._files.keys() == set(threads):
            return
        for thread in self._files.keys() - set(threads):
            os.close(self._files.pop(thread))
        if len(threads) > MOST_KEPT:
            self._forget()
            return
        for thread in threads:
            if thread not in self._files:
                with suppress(*tree.GONE):
                    self._files[thread] = os.open(path_of(thread), os.O_RDONLY)

    def mark(self) -> None:
        """Keep what the threads have had by now."""
        if not self._files:
            self.look()
        marks = {}
        for thread, file in self._files.items():
            try:
                marks[thread] = os.pread(file, 64, 0)
            except ProcessLookupError:
                continue
        self._marks = marks if marks else None
        now = time.monotonic()
        if now - self._stolen_at > FRESH_S:
            self._stolen, self._stolen_at = read_stolen(), now

    def marked(self) -> Usage | None:
        """What was had by the mark; None if that isn't known."""
        if self._marks is None:
            return None
        return Usage({thread: parse_share(data) for thread, data in self._marks.items()}, self._stolen)

    def usage(self) -> Usage:
        """What is had by now."""
        found: dict[Thread, CoreTime | None] = {
            (pid, thread): read_share(path_of((pid, thread))) for pid in self.pids() for thread in tree.threads(pid)
        }
        return Usage({thread: share for thread, share in found.items() if share}, read_stolen())

    def _forget(self) -> None:
        for file in self._files.values():
            os.close(file)
        self._files.clear()

    def close(self) -> None:
        self._forget()
        for file in self._own or ():
            os.close(file)


def open_own(guardian: int) -> GuardianFiles | None:
    """None where /proc shows only what could be traced, which a guardian can't."""
    try:
        stat = os.open(f"/proc/{guardian}/stat", os.O_RDONLY)
        return GuardianFiles(stat, os.open(f"/proc/{guardian}/task/{guardian}/children", os.O_RDONLY))
    except OSError:
        return None


def path_of(thread: Thread) -> str:
    return f"/proc/{thread[0]}/task/{thread[1]}/schedstat"
