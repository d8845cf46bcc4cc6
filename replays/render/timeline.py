"""Boxes or values of every player over a whole game, a row of bars each.

       0         20        40        60        80
●0   7 ▁▁▁▁▂▂▂▂▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▅▅█████████████████†
■1   4 ▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄†
                   ▲
"""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from replays.landmarks import Landmarks
from replays.render.board import DEATH, PLAYERS
from replays.render.turn import NOTE, QUIET, short_names
from replays.text import clean, fit_number

BARS = "▁▂▃▄▅▆▇█"
CURSOR = "on #6a6a6a"
SPACINGS = (1, 2, 5, 10, 20, 50, 100)  # between numbered turns
NUMBER_WIDTH = 6
NAME_WIDTH = 16
WIDE = 100  # from here on names fit in front of the bars


class TimelineView:
    """The timeline as it looks with the cursor on a turn, so wide and high."""

    def __init__(self, landmarks: Landmarks, turn: int, width: int, height: int, shows_values: bool = False) -> None:
        self.landmarks = landmarks
        self.turn = turn
        self.seats = landmarks.record.seats
        self.names = [clean(name) for name in short_names(landmarks.record.specs)]
        self.label_width = 7 + (NAME_WIDTH + 3 if width >= WIDE else 0)
        self.columns = max(1, width - self.label_width)
        self.pitch = max(1, (height - 2) // self.seats)  # lines of each player
        self.rows = self.pitch - 1 if self.pitch > 2 else self.pitch  # that the bars take
        self.numbers: Sequence[Sequence[float | None]] = landmarks.values if shows_values else landmarks.boxes
        turns = [self.turn_at(column + self.label_width) for column in range(self.columns)]
        known = self.columns if landmarks.span == landmarks.turns else self.column_of(landmarks.turns[-1]) + 1
        by_column = [self.numbers[turn - landmarks.turns[0]] for turn in turns[:known]]
        limits = [self.limits_of(seat, shows_values) for seat in range(self.seats)]
        self.parts = [[part_of(numbers[seat], *limits[seat]) for numbers in by_column] for seat in range(self.seats)]

    def limits_of(self, seat: int, shows_values: bool) -> tuple[float, float]:
        """What the lowest and the highest bar stand for: boxes of all alike, values of each by themselves."""
        if not shows_values:
            return 0.0, max(1, *(max(boxes) for boxes in self.landmarks.boxes))
        known = [value for values in self.landmarks.values if (value := values[seat]) is not None]
        return min(known, default=0.0), max(known, default=0.0)

    def turn_at(self, x: int) -> int:
        """The turn of a column, counted from the left edge; beyond the ends it is the nearest."""
        turns = self.landmarks.span
        part = (x - self.label_width) / max(1, self.columns - 1)
        return min(self.landmarks.turns[-1], turns[round(min(1.0, max(0.0, part)) * (len(turns) - 1))])

    def column_of(self, turn: int) -> int:
        turns = self.landmarks.span
        return round((turn - turns[0]) / max(1, len(turns) - 1) * (self.columns - 1))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.axis()
        for seat in range(self.seats):
            for row in reversed(range(self.pitch)):
                yield self.bars(seat, row)
        yield self.pointer()

    def axis(self) -> Text:
        """The numbers of some turns; ! where something must be said about one."""
        turns = self.landmarks.span
        fits = [spacing for spacing in SPACINGS if len(turns) / spacing * NUMBER_WIDTH <= self.columns]
        spacing = (fits or SPACINGS[-1:])[0]
        line = ""
        for turn in turns:
            column = min(self.column_of(turn), self.columns - len(str(turn)))  # the last one ends at the edge
            if turn % spacing == 0 and column >= len(line) + (line != ""):
                line = f"{line:<{column}}{turn}"
        text = Text(f"{'':{self.label_width}}{line:<{self.columns}}", QUIET, no_wrap=True)
        for turn in self.landmarks.notes:
            at = self.label_width + self.column_of(turn)
            text = Text.assemble(text[:at], ("!", NOTE), text[at + 1 :], no_wrap=True)
        return text

    def bars(self, seat: int, row: int) -> Text:
        """One line of a player; few pieces of text, as each of them costs."""
        died = self.landmarks.died.get(seat)
        tomb = self.columns if died is None else self.column_of(died)
        line = "".join(self.bar(part, row) for part in self.parts[seat])
        if row == 0 and died is not None:
            line = line[:tomb] + DEATH.symbol + line[tomb + 1 :]
        marked = 1 if row == 0 else 0
        left, cursor = self.label_width, self.label_width + self.column_of(self.turn)
        text = Text((self.label(seat) if row == 0 else " " * left) + line, PLAYERS[seat].style, no_wrap=True)
        text.stylize("bold", 0, left)
        text.stylize(QUIET, left + tomb + marked)
        text.stylize(f"{DEATH.style} default", left + tomb, left + tomb + marked)
        text.stylize(CURSOR, cursor, cursor + 1)
        return text

    def label(self, seat: int) -> str:
        name = f" {self.names[seat][:NAME_WIDTH]:<{NAME_WIDTH + 2}}" if self.label_width > 7 else ""
        number = self.numbers[self.turn - self.landmarks.turns[0]][seat]
        return f"{PLAYERS[seat].symbol}{seat}{name}{'' if number is None else fit_number(number, 4):>4} "

    def bar(self, of: float | None, row: int) -> str:
        """The part of a bar in this row, counted from below; the lowest bar is a thin line."""
        if of is None:
            return " "
        height = 1 + round(of * (len(BARS) * self.rows - 1))  # in eighths
        part = min(len(BARS), height - row * len(BARS))
        return BARS[part - 1] if part > 0 else " "

    def pointer(self) -> Text:
        return Text(" " * (self.label_width + self.column_of(self.turn)) + "▲", "bold", no_wrap=True)


def part_of(number: float | None, low: float, high: float) -> float | None:
    """Where a number is between the lowest and the highest, from 0 to 1."""
    return None if number is None else (number - low) / (high - low) if high > low else 0.0
