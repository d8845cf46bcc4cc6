"""Measured shares next to published ones, and whether they agree.

The verdict is a test of the difference, ours less the paper's, with its 95 % interval (Newcombe's): blocks of boards on
our side (one seed from all seats), single games on the paper's, which does not say how they were seated.

    differs      the interval excludes 0
    agrees       it lies within 10 points of 0
    undecided    neither

The p-value is that of no difference; it is below 5 % exactly where the interval excludes 0. Of k cells that all agree
in truth, 0.05 k differ by chance.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.league.intervals import Interval, Share, Z, difference_interval, wilson
from hsctl.report.plots import PlottedNumber, bars
from hsctl.report.tables import new_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE = Path(__file__).with_name("paper.json")
PAPER_NODES = 290_000  # simulations a turn: Table 1 has 1.45 million steps in 500 ms, a turn 100 ms
BEAMS = ("zh", "zh+op", "zh+lb", "zh+fmp", "all", "all+sc")  # presets of beam, as Table 2 names them
SHALLOW = 16  # turns: two fuses. A beam that sees less can't be compared with one that had 100 ms
MARGIN = 0.1  # a difference that is surely smaller counts as none
CHANCE = 0.05  # of a difference where there is none
LEAST_CHANCE = 0.001  # that is printed in full
UNDECIDED = "undecided"
WIN, LOSS, SCORE = (1, 0, 0), (0, 0, 1), (1, 0.5, 0)  # what a win, a draw, a loss count in a share: Standings.share


# What the paper printed


@cache
def paper_table(name: str) -> dict[str, Any]:
    """One table of paper.json: row -> column -> number; `games` is the number of games behind each share."""
    table: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))[name]
    return table


def paper_steps() -> dict[str, dict[int, int]]:
    """Table 1: engine -> players -> steps in 500 ms."""
    return {
        engine: {int(players): steps for players, steps in row.items()} for engine, row in paper_table("table1").items()
    }


def published(share: float, games: int) -> Share:
    """A share as the paper prints it, with the interval of that many games."""
    return Share(share * games, games, wilson(share, games, Z))


# Verdicts


@dataclass(frozen=True)
class Difference:
    """Our share less the paper's."""

    value: float
    interval: Interval
    chance: float  # of a difference this large if there is none: the p-value

    @property
    def agrees(self) -> bool | None:
        low, high = self.interval
        if low > 0 or high < 0:
            return False
        return True if low >= -MARGIN and high <= MARGIN else None

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:+.1f} ({100 * low:+.0f} to {100 * high:+.0f})"

    def as_dict(self) -> dict[str, float]:
        low, high = self.interval
        return {"value": round(self.value, 4), "low": round(low, 4), "high": round(high, 4), "p": round(self.chance, 4)}


def compare_shares(ours: Share, paper: Share) -> Difference:
    interval = difference_interval(ours.value, ours.interval, paper.value, paper.interval)
    value = ours.value - paper.value
    reach = value - interval.low if value > 0 else interval.high - value  # towards 0
    errors = Z * abs(value) / reach if reach else 0.0
    return Difference(value, interval, math.erfc(errors / math.sqrt(2)))


def overlap(ours: Interval | None, theirs: Interval, widest: float) -> bool | None:
    """Whether two intervals have something in common; None if ours is so wide that this means nothing."""
    if ours is None:
        return None
    if ours.low > theirs.high or theirs.low > ours.high:
        return False
    return True if ours.high - ours.low <= widest else None


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


def format_agreement(agrees: bool | None, unknown: str = UNDECIDED) -> Text:
    if agrees is None:
        return Text(unknown, "dim")
    return Text("agrees", "green") if agrees else Text("differs", "red")


# Tables


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
    depth: float | None = None  # how deep the row's player searched, on average; None: not recorded

    @property
    def difference(self) -> Difference | None:
        return None if self.ours is None else compare_shares(self.ours, self.paper)

    @property
    def agrees(self) -> bool | None:
        return None if self.difference is None else self.difference.agrees

    def texts(self) -> tuple[str | Text, ...]:
        """Our share, the paper's, the difference, its p-value and the verdict."""
        paper, difference = f"{100 * self.paper.value:.1f}", self.difference
        if self.ours is None or difference is None:
            return "", paper, "", "", Text("no games", "dim")
        low, high = self.ours.interval
        ours = f"{100 * self.ours.value:.1f} ({100 * low:.0f}–{100 * high:.0f})"
        return ours, paper, str(difference), format_chance(difference.chance), format_agreement(difference.agrees)

    def as_dict(self) -> dict[str, Any]:
        return {
            "row": self.row,
            "column": self.column,
            "ours": share_record(self.ours),
            "paper": share_record(self.paper),
            "difference": None if self.difference is None else self.difference.as_dict(),
            "agrees": self.agrees,
            "depth": self.depth and round(self.depth, 2),
        }


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
        table = new_table(f"{self.title}, % (95 %)")
        for head in self.heads:
            table.add_column(head, overflow="fold")
        has_depth = any(cell.depth is not None for cell in self.cells)
        for head in (*(("depth",) if has_depth else ()), "ours", "paper", "difference", "p"):
            table.add_column(head, justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)
        row = ""
        for cell in self.cells:
            if row not in ("", cell.row):
                table.add_section()
            name, depth = ("", "") if cell.row == row else (cell.row, format_depth(cell.depth))
            table.add_row(name, cell.column, *([depth] if has_depth else []), *cell.texts())
            row = cell.row
        shallow = warn_shallow({cell.row: cell.depth for cell in self.cells})
        return Group(table, Text(self.notes, "dim"), Text(self.tally, "dim"), *shallow)

    @property
    def tally(self) -> str:
        """The verdicts, counted, and how many differences chance alone would give."""
        verdicts = [cell.agrees for cell in self.cells if cell.ours is not None]
        counts = [f"{verdicts.count(each)} {word}" for each, word in VERDICTS.items()]
        by_chance = f"{CHANCE * len(verdicts):.1f}".removesuffix(".0")
        return f"{', '.join(counts)} of {len(verdicts)}; chance alone makes {by_chance} differ"

    def as_dict(self) -> dict[str, Any]:
        cells = [cell.as_dict() for cell in self.cells]
        return {"title": self.title, "notes": self.notes, "verdicts": self.tally, "cells": cells}

    def draw(self) -> "Figure":
        labels = [f"{cell.row}, {cell.column}" for cell in self.cells]
        series = {
            "ours": [measured(cell.ours) for cell in self.cells],
            "the paper": [measured(cell.paper) for cell in self.cells],
        }
        return bars(self.title, labels, series, self.what)


VERDICTS = {True: "agree", False: "differ", None: "are undecided"}


@dataclass(frozen=True)
class JudgedClaim:
    """A statement of others in words, what we found, and whether that agrees: None where it could be chance."""

    words: str
    ours: str
    agrees: bool | None

    def as_dict(self) -> dict[str, Any]:
        return {"claim": self.words, "ours": self.ours, "agrees": self.agrees}


def judged_table(statements: Sequence[JudgedClaim], title: str = "What the authors say") -> Table:
    table = new_table(title)
    for head in ("claim", "ours", ""):
        table.add_column(head)
    for each in statements:
        table.add_row(each.words, each.ours, format_agreement(each.agrees))
    return table


def format_chance(chance: float) -> str:
    return f"{chance:.3f}" if chance >= LEAST_CHANCE else f"<{LEAST_CHANCE:g}"


def format_depth(depth: float | None) -> str:
    return "" if depth is None else f"{depth:.1f}"


def warn_shallow(depths: Mapping[str, float | None]) -> list[Text]:
    """A line about the beams that saw less than two fuses; the paper's other agents had less depth themselves."""
    shallow = [name for name, depth in depths.items() if name in BEAMS or name.startswith("beam")]
    shallow = [name for name in shallow if (depths[name] or SHALLOW) < SHALLOW]
    if not shallow:
        return []
    return [Text(f"warning: {', '.join(shallow)} searched less than {SHALLOW} turns deep: too few nodes", "yellow")]
