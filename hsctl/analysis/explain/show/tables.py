"""What the tables of an explanation are made of: actions and numbers as text, which rows are shown, bars."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from engine.rules import ACTION_NAMES, BOMB
from hsctl.analysis.explain.show.compact import CompactTable, Sized
from hsctl.analysis.explain.trace import Terms
from replays.render.turn import QUIET

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
