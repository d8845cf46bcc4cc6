"""Plots: the few kinds that hsctl draws, each made of numbers and names alone.

    figure = bars("Table 3", labels, {"ours": measured, "the paper": published}, "win rate")
    save(figure, Path("table3.png"))

A number is drawn with its 95 % interval. Matplotlib comes with the [plot] extra and is loaded at the first figure.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.errors import HsctlError
from hsctl.league.standings import Standings
from hsctl.report.standings import PLACES
from replays.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = {".png", ".svg", ".pdf"}
# Told apart by colour-blind readers too.
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#6a6a6a",
    "#b3a000",
)
WIDTH_INCHES = 8.0
DPI = 120


class PlottedNumber(NamedTuple):
    """A number to be drawn; None where it, or an end of its interval, is unknown."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def arms(self) -> tuple[float, float]:
        """How far the interval extends below and above."""
        if self.value is None:
            return 0.0, 0.0
        below = 0.0 if self.low is None else self.value - self.low
        above = 0.0 if self.high is None else self.high - self.value
        return max(0.0, below), max(0.0, above)


# Making and saving


def load_matplotlib() -> None:
    """Import it with its own settings: it would look for others in the current folder, which may be a stranger's."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        raise HsctlError("--plot needs matplotlib: pip install 'hsctl[plot]'")
    if "matplotlib" not in sys.modules:
        with chdir(Path(found.origin).with_name("mpl-data")):
            import matplotlib  # noqa: F401


def new_figure(title: str, inches: float) -> "tuple[Figure, Axes]":
    """An empty figure of this height."""
    load_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_INCHES, inches), dpi=DPI, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def check_plot(path: Path) -> None:
    """Refuse a plot that couldn't be drawn or saved, before anything is played."""
    if path.suffix.lower() not in KINDS:
        raise HsctlError(f"--plot {path}: expected a file name that ends in {', '.join(sorted(KINDS))}")
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise HsctlError(f"--plot {path}: expected a file in a folder that exists and can be written to")
    new_figure("", 1.0)


def save(figure: "Figure", path: Path) -> None:
    """Save a figure; the same figure gives the same SVG, without the date."""
    from matplotlib import rc_context

    metadata = {"Date": None} if path.suffix.lower() == ".svg" else None
    kind = path.suffix.lower().removeprefix(".")
    drawn = BytesIO()
    with rc_context({"svg.hashsalt": "hsctl"}):
        figure.savefig(drawn, metadata=metadata, format=kind)
    write_bytes(path, drawn.getvalue(), with_folder=False)


# Kinds of plots


def bars(
    title: str, labels: Sequence[str], series: Mapping[str, Sequence[PlottedNumber]], what: str, is_share: bool = True
) -> "Figure":
    """Groups of horizontal bars from the top down, with a bar for each series; shares are drawn as percentages."""
    figure, axes = new_figure(title, 1.2 + len(labels) * (0.2 + 0.15 * len(series)))
    width = 0.8 / max(1, len(series))
    for at, (name, numbers) in enumerate(series.items()):
        rows = [i - 0.4 + width * (at + 0.5) for i in range(len(labels))]
        lengths = [number.value or 0.0 for number in numbers]
        axes.barh(rows, lengths, width, xerr=arms_of(numbers), label=name, color=colour(at), capsize=2, ecolor="#444")
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel(what)
    axes.grid(axis="x", alpha=0.3)
    if is_share:
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    if len(series) > 1:
        figure.legend(loc="outside upper right", ncols=len(series), frameon=False)
    return figure


def lines(
    title: str,
    across: str,
    what: str,
    series: Mapping[str, Sequence[tuple[float, PlottedNumber]]],
    is_log: bool = False,
) -> "Figure":
    """Lines with error bars: for each series, the places across and the numbers there."""
    figure, axes = new_figure(title, 4.5)
    for at, (name, points) in enumerate(series.items()):
        known = [(x, number) for x, number in points if number.value is not None]
        numbers = [number for _, number in known]
        heights = [number.value or 0.0 for number in numbers]
        axes.errorbar(
            [x for x, _ in known], heights, arms_of(numbers), label=name, color=colour(at), capsize=2, lw=1.2, ms=3
        )
    if is_log:
        axes.set_xscale("log")
        ticks = sorted({x for points in series.values() for x, _ in points})
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
        axes.minorticks_off()
    axes.set_xlabel(across)
    axes.set_ylabel(what)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside upper right", ncols=len(series), frameon=False)
    return figure


def arms_of(numbers: Sequence[PlottedNumber]) -> list[list[float]] | None:
    """How far all intervals extend below and above; None if there are none."""
    if not any(any(number.arms) for number in numbers):
        return None
    return [[number.arms[end] for number in numbers] for end in (0, 1)]


def colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]


# A league


SHADES = ("#1b5e9c", "#6ba3d6", "#c9c9c9", "#8a8a8a")  # first to fourth place
HEIGHT_A_PLAYER = 0.35  # inches
HEIGHT_OF_FRAME = 1.4
WIDTH_A_CHART = 4.5
DPI = 150


def league_figure(standings: Standings) -> "Figure":
    from matplotlib.figure import Figure

    height = HEIGHT_OF_FRAME + HEIGHT_A_PLAYER * len(standings.names)
    charts = 1 + len(standings.sizes)
    figure = Figure(figsize=(WIDTH_A_CHART * charts, height), dpi=DPI, layout="constrained")
    ratings, *places = figure.subplots(1, charts, sharey=True)
    draw_ratings(ratings, standings)
    for chart, size in zip(places, standings.sizes, strict=True):
        draw_places(chart, standings, size)
    figure.legend(*places[-1].get_legend_handles_labels(), loc="outside right center", frameon=False)
    return figure


def draw_ratings(chart: Any, standings: Standings) -> None:
    """A dot and its interval; an arrow where nothing bounds an end."""
    for at, rating in enumerate(standings.ratings()):
        if rating.elo is None:
            chart.annotate(rating.note, (0, at), va="center", ha="center")
            continue
        below = 0.0 if rating.low is None else rating.elo - rating.low
        above = 0.0 if rating.high is None else rating.high - rating.elo
        mark = ">" if rating.high is None else "<" if rating.low is None else "o"
        chart.errorbar(rating.elo, at, xerr=[[below], [above]], fmt=mark, color=SHADES[0], capsize=3)
    chart.set_yticks(range(len(standings.names)), standings.names)
    chart.set_ylim(len(standings.names) - 0.5, -0.5)
    chart.set_title("rating (Elo, 95 %)")
    chart.grid(axis="x", alpha=0.3)


def draw_places(chart: Any, standings: Standings, size: int) -> None:
    for at, player in enumerate(standings.players):
        left = 0.0
        for place in range(1, size + 1):
            share = player.share_of_place(size, place)
            width = 0.0 if share is None else 100 * share.value
            label = PLACES[place - 1] if at == 0 else None
            chart.barh(at, width, left=left, color=SHADES[place - 1], label=label)
            left += width
    chart.set_title(f"places, {size} players (%)")
    chart.set_xlim(0, 100)
