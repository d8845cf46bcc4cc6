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
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import HsctlError
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
