"""A bot's process as the runner sees it: bytes in both directions, and how it ended.

A process runs under a guardian (guarded.py, Linux only) or without one (portable.py). docs/reference/safety.md lists
what each guarantees.
"""

import signal
from abc import ABC, abstractmethod
from collections.abc import Sequence

from hsctl.match.bots import tree
from hsctl.match.bots.confine import LARGEST_FILE_MB
from hsctl.match.bots.counts import ProcessCounts
from hsctl.match.bots.limits import BotLimits

CHUNK = 64 * 1024  # read at once: little work between two looks at the clock
STDERR_KEPT = 4 * 1024  # of one turn


class Process(ABC):
    """One run of a command, started at once. `start_error`, `exit_code` (negative: the signal), `memory_mb` and
    `processes` (held when it was too much) are None until they are known."""

    counts: ProcessCounts

    def __init__(self) -> None:
        self.is_started = False
        self.is_lost = False  # nothing more will be known of it
        self.is_forged = False
        self.start_error: int | None = None
        self.exit_code: int | None = None
        self.memory_mb: int | None = None
        self.processes: int | None = None
        self.inbox = bytearray()  # output that has not been taken yet
        self.errors = bytearray()  # the tail of its stderr
        self.is_output_open = True

    @property
    @abstractmethod
    def unread(self) -> int:
        """Bytes of its input that it has not been able to take."""

    @abstractmethod
    def await_start(self) -> None:
        """Until the bot runs or has failed to."""

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Never waits: what the bot doesn't take now goes on its way while it is pumped."""

    @abstractmethod
    def pump(self, wait: float | None) -> None:
        """Wait for something to do, at most for so many seconds, and do a bounded piece of it."""

    @abstractmethod
    def look(self) -> None:
        """Take in the output that is there."""

    @abstractmethod
    def look_at_errors(self) -> None:
        """Take in the stderr that was written before the last output."""

    @abstractmethod
    def await_exit(self, seconds: float) -> None: ...

    @abstractmethod
    def pause(self) -> None: ...

    @abstractmethod
    def resume(self) -> None: ...

    @abstractmethod
    def stop(self) -> None:
        """Kill whatever is left, take in its last words and let go of it."""

    def take_errors(self) -> str:
        text = self.errors.decode(errors="replace")
        self.errors.clear()
        return text

    def keep_errors(self, data: bytes | bytearray) -> None:
        self.errors += data
        del self.errors[:-STDERR_KEPT]


def start_process(
    command: Sequence[str], bot_limits: BotLimits, variables: dict[str, str], core: int | None
) -> Process:
    """Start a command within its limits; `variables` are added to its environment, `core` is the one it stays on."""
    environment = {**bot_limits.environment(), **variables}
    if is_portable(bot_limits):
        from hsctl.match.bots.portable import Portable

        return Portable(command, environment)
    from hsctl.match.bots.guarded import Guarded

    return Guarded(command, bot_limits, environment, core)


def is_portable(bot_limits: BotLimits) -> bool:
    """Whether bots run without a guardian: on request, and wherever there can't be one."""
    return bot_limits.is_portable or not tree.HAS_TREE


def format_exit(code: int) -> str:
    if code == -getattr(signal, "SIGXFSZ", 0) < 0:
        return f"killed by SIGXFSZ, for a file of more than {LARGEST_FILE_MB} MB"
    return f"exited with code {code}" if code >= 0 else f"killed by {signal_name(-code)}"


def signal_name(number: int) -> str:
    known = {one.value: one.name for one in signal.Signals}
    return known.get(number, f"signal {number}")
