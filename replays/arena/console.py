"""The text of the arena's console, copied from its page: streams of every player, frame by frame.

    Standard Error Stream:        only one's own
    ...
    Standard Output Stream:
    MOVE 1 0
    02                            the counter: this frame, from 1 (which is the opening) ...
    57                            ... and how many there are
    Game Summary:                 after the last frame of a round
    ann moves to 1,0

Whose answer a frame is, the text doesn't say: it is dealt to the next of the living. Without counters every output is
a frame. The first header is often cut off; what stands before any header is told by what follows it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from replays.arena.recorded import MOST_FRAMES, ArenaError, Frame, Recorded, Summary
from replays.remarks.own_words import HEADERS, INFORMATION, STDERR, STDOUT, SUMMARY

NUMBER = re.compile(r"\d{1,4}", re.ASCII)
OPTION = re.compile(r"\s*(?:seed|boxes)\s*=\s*-?\d{1,19}(?:[\s,;]+(?:seed|boxes)\s*=\s*-?\d{1,19})*\s*", re.ASCII)
ORDER = re.compile(r"\s*(MOVE|BOMB)\s", re.IGNORECASE)

START, COUNTER = "start", "counter"  # what stands under no header; where a frame ends
FIRST_FRAME = 2  # 1 is the opening


@dataclass
class Part:
    """Lines under a header, or a counter."""

    kind: str
    lines: list[str] = field(default_factory=list)
    number: int = 0  # of a counter

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def is_console(text: str) -> bool:
    """Whether a text is a console's: it has an output under its header."""
    return re.search(r"^\s*standard output stream:\s*$", text, re.IGNORECASE | re.MULTILINE) is not None


def parse_console(text: str) -> Recorded:
    """The game in a console's text."""
    lines = text.replace("\r\n", "\n").split("\n")
    reader = Reader(total_of(lines))
    parts = list(parts_of(lines, reader.total))
    reader.record.options = take_options(parts)
    name_start(parts)
    for part in parts:
        reader.take(part)
    reader.close()
    return reader.record


# Cutting


def total_of(lines: list[str]) -> int | None:
    """How many frames the counters tell: two bare numbers in a row, equally long; None if there are none."""
    totals = Counter(after.strip() for before, after in pairwise(lines) if is_counter(before.strip(), after.strip()))
    return int(totals.most_common(1)[0][0]) if totals else None


def is_counter(number: str, total: str) -> bool:
    is_pair = len(number) == len(total) and NUMBER.fullmatch(number) and NUMBER.fullmatch(total)
    return bool(is_pair) and 1 <= int(number) <= int(total)


def parts_of(lines: list[str], total: int | None) -> Iterator[Part]:
    """Cut the lines into parts."""
    part = Part(START)
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        after = lines[at + 1].strip() if at + 1 < len(lines) else ""
        if kind := HEADERS.get(line.lower()):
            yield part
            part = Part(kind)
        elif total is not None and is_counter(line, after) and int(after) == total:
            yield part
            yield Part(COUNTER, number=int(line))
            part = Part(START)
            at += 1
        else:
            part.lines.append(lines[at])
        at += 1
    yield part


def name_start(parts: list[Part]) -> None:
    """What the text begins with lost its header: an output if it is a lone order, else stderr if an output follows."""
    first, following = parts[0], parts[1].kind if len(parts) > 1 else ""
    if first.kind == START and first.text.strip():
        is_order = ORDER.match(first.text.strip()) is not None and "\n" not in first.text.strip()
        if following == STDOUT and not is_order:
            first.kind = STDERR
        elif any(ORDER.match(line) for line in first.lines):
            first.kind = STDOUT


def take_options(parts: list[Part]) -> str:
    """`seed=...` as people paste it, taken out: outside of the players' streams, or before the first header."""
    found: list[str] = []
    for part in parts:
        if part.kind not in (STDERR, STDOUT):
            found += [re.sub(r"[,;]", " ", line) for line in part.lines if OPTION.fullmatch(line)]
            part.lines = [line for line in part.lines if not OPTION.fullmatch(line)]
    return " ".join(found)


# Putting together


class Reader:
    """The record as far as it was read, and the frame that is being read."""

    def __init__(self, total: int | None) -> None:
        self.total = total
        self.record = Recorded("console text", [], first_frame=FIRST_FRAME, is_copied=True)
        self.frame: dict[str, str] = {}

    def take(self, part: Part) -> None:
        """The next part. Without counters a frame ends where the next part can't belong to it."""
        if part.kind == COUNTER:
            if part.number >= FIRST_FRAME:
                self.add_frame(part.number)
            self.frame = {}
        elif part.kind == SUMMARY:
            if self.total is None:
                self.close()
            self.record.summaries.append(Summary(len(self.record.frames) - 1 + (STDOUT in self.frame), part.text))
        elif part.kind == INFORMATION and self.is_about_the_last(part.text):
            self.record.frames[-1] = replace(self.record.frames[-1], information=part.text)
        elif part.kind != START:
            if self.total is None and (STDOUT in self.frame or self.tells_timeout()):
                self.close()
            self.frame[part.kind] = part.text

    def is_about_the_last(self, information: str) -> bool:
        """Whether the arena speaks of the frame that just ended rather than of the one that begins."""
        if self.frame or not self.record.frames or self.record.frames[-1].information or not information.strip():
            return False
        stdout = self.record.frames[-1].stdout
        return self.total is not None and (stdout is None or not ORDER.match(stdout))

    def close(self) -> None:
        """End a frame that no counter ends; a player who sent nothing is known by what the arena says about it."""
        if STDOUT in self.frame or self.tells_timeout():
            self.add_frame(self.record.frames[-1].number + 1 if self.record.frames else FIRST_FRAME)
        self.frame = {}

    def tells_timeout(self) -> bool:
        """Whether the arena says of the frame that its player sent nothing in time: no output follows."""
        return "timeout" in self.frame.get(INFORMATION, "").lower()

    def add_frame(self, number: int) -> None:
        frame = self.frame
        stdout = frame[STDOUT] if frame.get(STDOUT, "").strip() else None
        self.record.frames.append(Frame(number, None, stdout, frame.get(STDERR, ""), frame.get(INFORMATION, "")))
        if len(self.record.frames) > MOST_FRAMES:
            raise ArenaError(f"more than {MOST_FRAMES} frames: a game of Hypersonic has no more")
