"""What came of asking a bot: a line, or why it is out, with the evidence."""

from typing import Literal

import msgspec

from replays.replay import Late

Cause = Literal["start", "timeout", "crash", "closed", "flood", "memory", "processes", "forged", "invalid"]

SHOWN = 200  # characters of a line in a failure
BLAME = {"bot": "", "machine": ", by the machine's fault", "unclear": ", perhaps by the machine's fault"}


class BotFailure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a bot is out, with the evidence."""

    cause: Cause
    detail: str
    last_line: str | None  # of its output, finished or not
    exit_code: int | None  # if it ended by itself
    signal: str | None  # if one ended it, ours aside
    stderr: str  # the tail, up to now
    wall_s: float  # of this turn
    cpu_s: float | None  # of all its processes since its last answer; None where the system doesn't tell

    def describe(self) -> str:
        """The detail and the evidence in one sentence; no times, which would differ from game to game."""
        parts = [self.detail]
        if self.last_line is not None and self.cause != "invalid":
            parts.append(f"last output {self.last_line!r}")
        if self.stderr.strip():
            parts.append(f"stderr ends {self.stderr.strip().splitlines()[-1][-SHOWN:]!r}")
        return "; ".join(parts)


class BotAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one turn: a line without its end, or a failure."""

    line: str | None
    failure: BotFailure | None
    stderr: str
    wall_s: float
    cpu_s: float | None  # as in Failure
    late: Late | None = None  # if it came after its time, or didn't
    slow_start: Late | None = None  # if only the extra time for the start made it timely
    waited_s: float | None = None  # of its time, by the machine's fault; None: not asked for, or not known
    is_ahead: bool = False  # the line was there before the question
