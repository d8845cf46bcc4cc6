"""The sheet: what was checked, a line each, with the evidence and what to do about it.

Its JSON Schema is docs/check.schema.json; after a change of the format, write it again with

    python -m hsctl.check.sheet > docs/check.schema.json
"""

import sys
from typing import Final, Literal

import msgspec

from replays.schema import format_schema

FORMAT: Final = "hsctl-check"
VERSION: Final = 1
PASS: Final = "pass"
WARN: Final = "warn"
FAIL: Final = "fail"

Verdict = Literal["pass", "warn", "fail"]
Chapter = Literal["protocol", "timing", "robustness", "limits", "suite", "strength", "contract"]
CHAPTERS: tuple[Chapter, ...] = ("protocol", "timing", "robustness", "limits", "suite", "strength")  # of a bot
AGENT_CHAPTERS: tuple[Chapter, ...] = ("contract", "strength")  # of an agent in Python


class Line(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that was checked."""

    name: str
    verdict: Verdict
    evidence: str  # what was seen, in a sentence
    advice: str = ""  # what to do, unless it passed
    sent: str = ""  # all that the bot was sent, up to where it went wrong
    turn: int | None = None  # of the bot's inputs, from 0: where it went wrong
    received: str = ""  # what came back
    file: str = ""  # that has `sent`, to feed a debugger
    figures: dict[str, float] = {}  # milliseconds, megabytes, counts
    chapter: Chapter = "protocol"


class Strength(msgspec.Struct, forbid_unknown_fields=True):
    """Where on the ladder a bot stands; levels count from 1, 0 is below the first."""

    level: float
    low: float  # of the 95 % interval
    high: float
    of: int
    games: int
    seconds: float
    series: dict[str, list[int]]  # player of a level -> won, drawn, lost


class Sheet(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """All lines, in order of the chapters."""

    format: Literal["hsctl-check"]
    version: Literal[1]
    hsctl: str
    command: str
    is_fit: bool  # nothing failed
    seconds: float
    lines: list[Line]
    left_out: list[str] = []  # checks that made no sense any more
    strength: Strength | None = None

    def count(self, verdict: Verdict) -> int:
        return sum(line.verdict == verdict for line in self.lines)


def encode(sheet: Sheet) -> str:
    return msgspec.json.format(msgspec.json.encode(sheet), indent=1).decode()


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema(Sheet, FORMAT, VERSION))
