"""Figures 3 and 4: simulations made and depth reached by game round, for each set of features of the beam search.

The paper prints no numbers beside its curves, but says what they show; that is compared, as ratios over the rounds.
`hsctl paper fig3` and `fig4` ask for one figure each; `hsctl bench --figures` shows both, with the parents expanded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from hsctl.league.intervals import Interval, mean_interval
from hsctl.report.live import bar
from hsctl.report.plots import PlottedNumber, lines
from hsctl.report.tables import new_table
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.searches import MS, Point, mean_rate, search_game
from hsctl.research.experiments.tables import UNDECIDED, format_agreement

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Plot

EVERY, EVERY_QUICK = 5, 20  # rounds
PERCENT = 100

Points = dict[str, list[Point]]  # by set of features


@dataclass(frozen=True)
class Figure:
    """One of the figures: a value of every search, and what the paper says of the ratio of two of its curves."""

    number: int
    what: str  # is measured
    value: Callable[[Point], float]
    claim: str
    pair: tuple[str, str]
    judge: Callable[[Interval], bool | None]  # None: it could be chance


FIGURE_3 = Figure(
    3,
    "thousand simulations",
    lambda point: point.simulations / 1000,
    "survivability checking (sc) costs half of the simulations",
    ("all+sc", "all"),
    lambda ratio: ratio.low <= 0.5 <= ratio.high,
)
FIGURE_4 = Figure(
    4,
    "depth reached",
    lambda point: point.depth,
    "zh alone, twice as wide, gets less deep",
    ("zh", "zh+fmp"),
    lambda ratio: True if ratio.high < 1 else False if ratio.low > 1 else None,
)


@dataclass(frozen=True)
class Curves:
    """The answer: a figure of ours, and whether the paper's words fit it."""

    figure: Figure
    points: Points
    ms: float

    @property
    def title(self) -> str:
        return f"Figure {self.figure.number}: {self.figure.what} in {self.ms:g} ms"

    def ratios(self) -> list[float]:
        first, second = (self.points[features] for features in self.figure.pair)
        value = self.figure.value
        pairs = ((value(one), value(other)) for one, other in zip(first, second, strict=True))
        return [one / other for one, other in pairs if other]

    def agreement(self) -> str:
        """Our ratio with its interval, and whether the paper's words fit it."""
        ratios = self.ratios()
        interval = mean_interval(ratios, range(len(ratios)))
        if interval is None:
            return "too few rounds"
        word = format_agreement(self.figure.judge(interval), UNDECIDED).plain
        return f"{fmean(ratios):.2f} ({interval.low:.2f}–{interval.high:.2f}): {word}"

    def view(self) -> RenderableType:
        names = " / ".join(self.figure.pair)
        return Group(self.table(), Text(f"the paper: {self.figure.claim}; ours: {names} = {self.agreement()}"))

    def table(self) -> Table:
        table = new_table(self.title)
        table.add_column("round", justify="right")
        for features in self.points:
            table.add_column(features, justify="right")
        for row in zip(*self.points.values(), strict=True):
            table.add_row(str(row[0].round), *(f"{self.figure.value(point):.0f}" for point in row))
        return table

    def as_dict(self) -> dict[str, Any]:
        curves = by_round(self.points, self.figure.value)
        return {"title": self.title, "curves": curves, "claim": self.figure.claim, "ours": self.agreement()}

    def draw(self) -> "Plot":
        series = {
            features: [(point.round, PlottedNumber(self.figure.value(point))) for point in row]
            for features, row in self.points.items()
        }
        return lines(self.title, "round of the game", self.figure.what, series)


def by_round(points: Points, value: Callable[[Point], float]) -> dict[str, list[list[float]]]:
    """Set of features -> [round, value]."""
    return {features: [[point.round, value(point)] for point in row] for features, row in points.items()}


def as_experiment(figure: Figure) -> Experiment:
    """What `hsctl paper` runs for a figure."""

    def run(stage: ExperimentStage) -> ExperimentAnswer:
        ms = stage.effort.ms or MS
        done = 0.0
        with bar(stage.console, "search", PERCENT, TimeRemainingColumn()) as update:

            def on_progress(share: float) -> None:
                nonlocal done
                done += PERCENT * share
                update(done, "searching")

            points = search_game(EVERY, ms, on_progress)
        return Curves(figure, points, ms)

    return Experiment(run, games=None, ms=MS)


# Both figures at once


def figures_view(points: Points) -> RenderableType:
    """Both figures of searches of 100 ms, and how many parents were expanded."""
    tables = [Curves(figure, points, MS).table() for figure in (FIGURE_3, FIGURE_4)]
    return Group(*[line for table in tables for line in (table, Text(""))], rate_table(points))


def rate_table(points: Points) -> Table:
    table = new_table("Thousand parents expanded per 100 ms of thinking")
    for name in ("features", "mean", "lowest", "highest"):
        table.add_column(name, justify="left" if name == "features" else "right")
    for features, row in points.items():
        each = [point.parents_per_100_ms for point in row]
        table.add_row(features, *(f"{rate / 1000:.0f}" for rate in (mean_rate(row), min(each), max(each))))
    return table


def figures_dict(points: Points) -> dict[str, Any]:
    """`fig3` and `fig4`: set of features -> [round, value]; `parents_per_100_ms`: set of features -> mean."""
    return {
        "fig3": by_round(points, lambda point: point.simulations),
        "fig4": by_round(points, lambda point: point.depth),
        "parents_per_100_ms": {features: round(mean_rate(row)) for features, row in points.items()},
    }
