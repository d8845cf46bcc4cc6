"""Figures 3 and 4: simulations made and depth reached by game round, for each set of features of the beam search.

The paper prints no numbers beside its curves, but says what they show; that is compared, as ratios over the rounds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.text import Text

from hsctl.bench.figures import Point, measure_figures
from hsctl.bench.figures_view import by_round
from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.stats.intervals import Interval, mean_interval
from hsctl.views.live import bar
from hsctl.views.plots import Measured, lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EVERY = 5  # rounds
PERCENT = 100


@dataclass(frozen=True)
class Curves:
    """A figure: a value of every search, and what the paper says of the ratio of two of its curves."""

    title: str
    what: str
    value: Callable[[Point], float]
    points: dict[str, list[Point]]
    claim: str
    pair: tuple[str, str]
    is_claimed: Callable[[Interval], bool]

    def ratios(self) -> list[float]:
        first, second = (self.points[features] for features in self.pair)
        pairs = ((self.value(one), self.value(other)) for one, other in zip(first, second, strict=True))
        return [one / other for one, other in pairs if other]

    def agreement(self) -> str:
        """Our ratio with its interval, and whether the paper's words fit it."""
        ratios = self.ratios()
        interval = mean_interval(ratios, range(len(ratios)))
        if interval is None:
            return "too few rounds"
        word = "yes" if self.is_claimed(interval) else "no"
        return f"{fmean(ratios):.2f} ({interval.low:.2f}–{interval.high:.2f}), agrees: {word}"

    def view(self) -> RenderableType:
        table = by_round(self.title, self.points, lambda point: f"{self.value(point):.0f}")
        names = " / ".join(self.pair)
        return Group(table, Text(f"the paper: {self.claim}; ours: {names} = {self.agreement()}"))

    def as_dict(self) -> dict[str, Any]:
        curves = {
            features: [[point.round, self.value(point)] for point in row] for features, row in self.points.items()
        }
        return {"title": self.title, "curves": curves, "claim": self.claim, "ours": self.agreement()}

    def draw(self) -> "Figure":
        series = {
            features: [(point.round, Measured(self.value(point))) for point in row]
            for features, row in self.points.items()
        }
        return lines(self.title, "round of the game", self.what, series)


def search_all(stage: Stage) -> dict[str, list[Point]]:
    """Every set of features on every so many rounds of a game."""
    with bar(stage.console, "search", PERCENT, TimeRemainingColumn()) as update:
        return measure_figures(EVERY, ms_of(stage), lambda share: update(PERCENT * share, "searching"))


def ms_of(stage: Stage) -> float:
    return stage.effort.ms or EXPERIMENT.ms


def run(stage: Stage) -> Answer:
    return Curves(
        f"Figure 3: thousand simulations in {ms_of(stage):g} ms",
        "thousand simulations",
        lambda point: point.simulations / 1000,
        search_all(stage),
        "survivability checking (sc) costs half of the simulations",
        ("all+sc", "all"),
        lambda ratio: ratio.low <= 0.5 <= ratio.high,
    )


EXPERIMENT = Experiment(run, games=None, ms=100.0)
