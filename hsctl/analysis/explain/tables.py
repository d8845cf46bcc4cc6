"""What the screens of an explanation are made of: tables and bars that fit any width, actions and plans as text.

A table that is too wide is shown in parts, one below the other. Nothing is cut off.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from engine.board import MOVES
from engine.rules import ACTION_NAMES, BOMB
from hsctl.analysis.explain.findings import Terms
from replays.render.turn import QUIET

FOLDED = 24  # characters that a column which folds needs at least


class Sized:
    """What is drawn for the width that there is."""

    def __init__(self, draw: Callable[[int], RenderableType]) -> None:
        self.draw = draw

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.draw(options.max_width)


@dataclass(frozen=True)
class Column:
    head: str | Text
    justify: Literal["left", "right"]
    folds: bool  # long text in several lines


class CompactTable:
    """No lines, and `space` characters between the columns.

    One that is too wide is shown in parts, one below the other, and each begins with the first column.
    """

    def __init__(self, space: int = 2) -> None:
        self.space = space
        self.columns: list[Column] = []
        self.rows: list[Sequence[str | Text]] = []

    def add_column(self, head: str | Text, justify: Literal["left", "right"] = "left", folds: bool = False) -> None:
        self.columns.append(Column(head, justify, folds))

    def add_row(self, *cells: str | Text) -> None:
        self.rows.append(cells)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for number, part in enumerate(self.parts(console, options)):
            if number:
                yield Text("")
            yield self.table_of(part)

    def parts(self, console: Console, options: ConsoleOptions) -> Iterator[list[int]]:
        """The numbers of the columns that fit side by side."""
        widths = [self.width_of(at, console, options) for at in range(len(self.columns))]
        part = [0][: len(widths)]
        for at in range(1, len(widths)):
            beside = sum(widths[each] + self.space for each in part) + widths[at]
            if len(part) > 1 and beside > options.max_width:
                yield part
                part = [0]
            part.append(at)
        yield part

    def width_of(self, at: int, console: Console, options: ConsoleOptions) -> int:
        width = Measurement.get(console, options.update(width=10_000), self.table_of([at])).maximum
        return min(width, FOLDED) if self.columns[at].folds else width

    def table_of(self, part: Sequence[int]) -> Table:
        table = Table(box=None, padding=(0, self.space, 0, 0), pad_edge=False, header_style=QUIET)
        for at in part:
            column = self.columns[at]
            if column.folds:
                table.add_column(column.head, justify=column.justify, overflow="fold")
            else:
                table.add_column(column.head, justify=column.justify, no_wrap=True)
        for row in self.rows:
            table.add_row(*(row[at] if at < len(row) else "" for at in part))
        return table


# Text


COLOURS = ("#8a8a8a", "#4a86e8", "#d9573f", "#3a9d5d", "#a45fd6")  # [move]
CHOSEN = "bold #1a9aa8"
WARNING = "#d08a1d"
BLOCKS = " ▁▂▃▄▅▆▇█"
BAR_WIDTH = 50
SHOWN = 8  # rows of long tables
SEEN = 0.00005  # of a term: less is 0 in four digits, or what rounding left


def action_text(action: int) -> Text:
    """A name in the colour of its move, bold with a bomb."""
    return Text(ACTION_NAMES[action], action_style(action))


def action_style(action: int) -> str:
    return COLOURS[action % BOMB] + (" bold" if action >= BOMB else "")


def format_number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def term_names(all_terms: Sequence[Terms]) -> list[str]:
    """The terms that are shown as more than 0 somewhere."""
    names = list(dict.fromkeys(name for terms in all_terms for name in terms))
    return [name for name in names if any(abs(terms.get(name, 0.0)) >= SEEN for terms in all_terms)]


# Which rows


def pick_depths(count: int, wanted: int | None) -> list[int]:
    """Which of so many rows to show: as many as wanted, or the first few and the last."""
    if wanted is not None:
        return list(range(min(count, wanted)))
    return list(range(count)) if count <= SHOWN + 1 else [*range(SHOWN), count - 1]


def pick_rows(table: CompactTable, count: int, wanted: int | None) -> Iterator[int]:
    """The rows to show one after the other; where some are left out, the table gets a row of dots."""
    shown = pick_depths(count, wanted)
    for before, at in zip([-1, *shown], shown, strict=False):
        if at > before + 1:
            table.add_row(Text("…", QUIET))
        yield at


def spread_out(count: int, most: int) -> list[int]:
    """At most so many of the numbers below `count`, the first and the last among them, evenly."""
    if count <= most:
        return list(range(count))
    return [round(at * (count - 1) / (most - 1)) for at in range(most)]


# Bars


def histogram(counts: Sequence[int]) -> RenderableType:
    """A bar for each number; anything above 0 is seen."""
    return Sized(lambda width: bars_of(counts, width))


def bars_of(counts: Sequence[int], width: int) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", width=5, style=QUIET)
    table.add_column(justify="right")
    table.add_column(no_wrap=True)
    most = max(counts, default=1)
    longest = max(1, min(BAR_WIDTH, width - 8 - len(str(most))))
    for depth, count in enumerate(counts):
        table.add_row(str(depth), str(count), "█" * max(1, round(longest * count / most)))
    return table


# Plans as arrows: `●→` drops a bomb and goes right, `·` stays


ARROWS = dict(zip(MOVES, "·←→↑↓", strict=True))


def format_plan(plan: Sequence[int], most: int | None = None) -> str:
    """The actions as arrows, not more than so many."""
    arrows = "".join(format_arrow(action) for action in plan[:most])
    return arrows + (f" … {len(plan)} turns" if most is not None and len(plan) > most else "")


def format_arrow(action: int) -> str:
    return ("●" if action >= BOMB else "") + ARROWS[MOVES[action % BOMB]]
