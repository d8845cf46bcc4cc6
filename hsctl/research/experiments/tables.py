"""Measured shares beside published ones: each with its 95 % interval, and whether they agree.

They agree where the intervals overlap and ours is narrow enough to mean something. Ours are taken over blocks (one seed
from all seats), the paper's over single games (Wilson's): it doesn't say how they were seated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.league.intervals import Interval, Share, Z, wilson
from hsctl.report.plots import PlottedNumber, bars
from hsctl.report.tables import format_share, new_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER_NODES = 290_000  # simulations a turn: Table 1 has 1.45 million steps in 500 ms, a turn 100 ms
BEAMS = ("zh", "zh+op", "zh+lb", "zh+fmp", "all", "all+sc")  # presets of beam, as Table 2 names them
SHALLOW = 16  # turns: two fuses. A beam that sees less can't be compared with one that had 100 ms
WIDEST = 0.2  # an interval that overlaps a published one says nothing if it is wider
UNDECIDED = "undecided"  # of statements in words
WIN, LOSS, SCORE = (1, 0, 0), (0, 0, 1), (1, 0.5, 0)  # what a win, a draw, a loss count in a share: Standings.share


def published(share: float, games: int) -> Share:
    """A share as the paper prints it, and what it is worth if it is one of that many games."""
    return Share(share * games, games, wilson(share, games, Z))


def overlap(ours: Interval | None, theirs: Interval, widest: float) -> bool | None:
    """Whether two intervals have something in common; None if ours is so wide that this means nothing."""
    if ours is None:
        return None
    if ours.low > theirs.high or theirs.low > ours.high:
        return False
    return True if ours.high - ours.low <= widest else None


def share_record(share: Share | None) -> dict[str, Any] | None:
    if share is None:
        return None
    low, high = share.interval
    return {"share": round(share.value, 4), "low": round(low, 4), "high": round(high, 4), "games": share.total}


def measured(share: Share | None) -> PlottedNumber:
    return PlottedNumber(None) if share is None else PlottedNumber(share.value, *share.interval)


@dataclass(frozen=True)
class ComparedCell:
    """One cell of a table: its row and column, our share and the paper's."""

    row: str
    column: str
    ours: Share | None  # None: no games
    paper: Share
    depth: float | None = None  # how deep the row's player searched, on average; None: its games don't tell

    @property
    def agrees(self) -> bool | None:
        """Whether the intervals overlap; None if we have too few games for that to mean something."""
        return overlap(self.ours.interval if self.ours else None, self.paper.interval, WIDEST)

    def as_dict(self) -> dict[str, Any]:
        ours, paper = share_record(self.ours), share_record(self.paper)
        compared = {"ours": ours, "paper": paper, "agrees": self.agrees, "depth": self.depth and round(self.depth, 2)}
        return {"row": self.row, "column": self.column, **compared}


def closest(cells: Sequence[ComparedCell]) -> str:
    """Which row's shares are nearest to the paper's, in all."""
    far: dict[str, float] = {}
    for cell in cells:
        if cell.ours is not None:
            far[cell.row] = far.get(cell.row, 0.0) + abs(cell.ours.value - cell.paper.value)
    return f"closest to the paper: {min(far, key=lambda row: far[row])}" if far else "no games"


@dataclass(frozen=True)
class PaperTable:
    """The answer of an experiment that repeats one of the paper's tables."""

    title: str
    heads: tuple[str, str]  # what rows and columns are
    what: str  # the share
    cells: Sequence[ComparedCell]
    notes: str  # games and budget

    def view(self) -> RenderableType:
        table = new_table(self.title)
        for head in self.heads:
            table.add_column(head)
        has_depth = any(cell.depth is not None for cell in self.cells)
        for head in (*(("depth",) if has_depth else ()), "ours (95 %)", "the paper (95 %)"):
            table.add_column(head, justify="right")
        table.add_column("")
        row = ""
        for cell in self.cells:
            if row not in ("", cell.row):
                table.add_section()
            name, depth = ("", "") if cell.row == row else (cell.row, format_depth(cell.depth))
            shares = (format_share(cell.ours, 1), format_share(cell.paper, 1))
            table.add_row(name, cell.column, *([depth] if has_depth else []), *shares, format_agreement(cell.agrees))
            row = cell.row
        return Group(table, Text(self.notes, "dim"), *warn_shallow({cell.row: cell.depth for cell in self.cells}))

    def as_dict(self) -> dict[str, Any]:
        return {"title": self.title, "notes": self.notes, "cells": [cell.as_dict() for cell in self.cells]}

    def draw(self) -> "Figure":
        labels = [f"{cell.row}, {cell.column}" for cell in self.cells]
        series = {
            "ours": [measured(cell.ours) for cell in self.cells],
            "the paper": [measured(cell.paper) for cell in self.cells],
        }
        return bars(self.title, labels, series, self.what)


@dataclass(frozen=True)
class Judged:
    """A statement of others in words, what we found, and whether that agrees: None where it could be chance."""

    words: str
    ours: str
    agrees: bool | None

    def as_dict(self) -> dict[str, Any]:
        return {"claim": self.words, "ours": self.ours, "agrees": self.agrees}


def judged_table(statements: Sequence[Judged], title: str = "What the authors say") -> Table:
    table = new_table(title)
    for head in ("claim", "ours", ""):
        table.add_column(head)
    for each in statements:
        table.add_row(each.words, each.ours, format_agreement(each.agrees, UNDECIDED))
    return table


def is_above(interval: Sequence[float] | None, bound: float) -> bool | None:
    """Whether all of an interval is above a bound; None if only a part is, or if there is no interval."""
    if interval is None or interval[0] <= bound <= interval[1]:
        return None
    return interval[0] > bound


def is_less(share: Share | None, other: Share | None) -> bool | None:
    """Whether a share is below another, by their intervals; None if these overlap."""
    if share is None or other is None:
        return None
    (low, high), (other_low, other_high) = share.interval, other.interval
    return True if high < other_low else False if low > other_high else None


def format_agreement(agrees: bool | None, unknown: str = "too few games") -> Text:
    if agrees is None:
        return Text(unknown, "dim")
    return Text("agrees", "green") if agrees else Text("differs", "red")


def format_depth(depth: float | None) -> str:
    return "" if depth is None else f"{depth:.1f}"


def warn_shallow(depths: Mapping[str, float | None]) -> list[Text]:
    """A line about the beams that saw less than two fuses; the paper's other agents had less depth themselves."""
    shallow = [name for name, depth in depths.items() if name in BEAMS or name.startswith("beam")]
    shallow = [name for name in shallow if (depths[name] or SHALLOW) < SHALLOW]
    if not shallow:
        return []
    return [Text(f"warning: {', '.join(shallow)} searched less than {SHALLOW} turns deep: too few nodes", "yellow")]
