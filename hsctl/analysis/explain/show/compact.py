"""Tables and pictures that fit any width: what doesn't stand beside the rest stands below it, and nothing is cut."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

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
