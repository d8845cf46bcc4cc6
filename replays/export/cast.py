"""A span of turns as a recording of a terminal (asciicast v2), which asciinema and its players show.

The first line describes the terminal; each further line is a time in seconds and what the terminal is sent then: the
lines of the screen that differ from those of the turn before, so that nothing flickers.
"""

import json
from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console

from replays.record import Record
from replays.render.overlays import drawings
from replays.render.turn import short_names, turn_view

WIDTH = 80
TURN_S = 0.3
END_S = 2.0  # how long the last turn stays
REST_OF_LINE = "\x1b[K"  # cleared
FIRST = "\x1b[?25l\x1b[2J"  # without cursor, on an empty screen
LAST = "\x1b[?25h"


def format_cast(record: Record, turns: Sequence[int], console: Console) -> str:
    """The text of the recording; `console` renders the turns in colours and makes strangers' text harmless."""
    screens = [screen_of(record, turn, console) for turn in turns]
    header = {
        "version": 2,
        "width": WIDTH,
        "height": max(map(len, screens)),
        "title": " - ".join(short_names(record.specs)),
        "env": {"TERM": "xterm-256color"},
    }
    events: list[tuple[float, str, str]] = []
    for at, (before, screen) in enumerate(zip([[], *screens], screens, strict=False)):
        events.append((round(at * TURN_S, 3), "o", ("" if at else FIRST) + format_changes(before, screen)))
    events.append((round((len(screens) - 1) * TURN_S + END_S, 3), "o", LAST))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (header, *events))


def format_changes(before: Sequence[str], screen: Sequence[str]) -> str:
    """What turns one screen into the other: each line that differs, in its row."""
    rows = enumerate(zip_longest(before, screen, fillvalue=""), 1)
    return "".join(f"\x1b[{row}H{new}{REST_OF_LINE}" for row, (old, new) in rows if old != new)


def screen_of(record: Record, turn: int, console: Console) -> list[str]:
    """The lines of a turn."""
    drawn = drawings(record.game_at(turn), record.moves_at(turn))
    with console.capture() as captured:
        console.print(turn_view(record, turn, drawn.marks), width=WIDTH)
    return captured.get().rstrip("\n").split("\n")
