"""Figures 3 and 4: simulations made and depth reached by game round, for each set of features of the beam search.

One game is played with few nodes. Every few rounds, each set of features searches that round's position for 100 ms,
three times, and the best counts: the others say more about the machine. A search of this width may reach the end of the
game before its time is up; then it stops early. The milliseconds are those of the core, so that other work on the
machine takes nothing away.

The paper prints no numbers beside its curves, but says what they show; that is compared, as ratios over the rounds.
`hsctl paper fig3` and `fig4` ask for one figure each; `hsctl bench --figures` shows both, with the parents expanded.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Group, RenderableType
from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from engine.game import Game
from hsctl.league.intervals import Interval, mean_interval
from hsctl.report.live import bar
from hsctl.report.plots import PlottedNumber, lines
from hsctl.report.tables import new_table
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage, play_recorded
from hsctl.research.experiments.tables import BEAMS, UNDECIDED, format_agreement
from replays.replay import Limits
from search import make_agent
from search.agent import Budget
from search.beam.agent import BeamAgent
from search.beam.memory import KEPT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = 7
PLAYERS = 2
MS = 100.0
TRIES = 3
DRIVER, DRIVER_NODES = "beam:paper", 3000


@dataclass(frozen=True)
class Point:
    """One search: of which round, and how far it got. Simulations are nodes; parents were expanded."""

    round: int
    simulations: int
    parents: int
    depth: int
    ms: float

    @property
    def parents_per_100_ms(self) -> float:
        return self.parents * 100.0 / self.ms


def rounds_of_a_game(every: int) -> list[Game]:
    """A game of the beam against itself, every few rounds."""
    playback = play_recorded([DRIVER] * PLAYERS, SEED, Limits(nodes=DRIVER_NODES))
    return [playback.game_at(turn) for turn in range(0, playback.end_turn, every)]


def search_round(agent: BeamAgent, game: Game, ms: float) -> Point:
    agent.start_game(game.map, 0, SEED)
    agent.clock = time.thread_time_ns
    started = agent.clock()
    decision = agent.decide(game.state, 0, Budget(ms=ms))
    elapsed = (agent.clock() - started) / 1e6
    own = decision.stages["own"]  # 0 if the clock was up before it began
    parents = count_parents(agent) * decision.nodes // own if own else 0
    return Point(game.turn, decision.nodes, parents, decision.depth, elapsed)


def count_parents(agent: BeamAgent) -> int:
    """States that the own search expanded: all that were kept above the last layer, and its part of that layer."""
    depth = int(agent.search.depth)
    kept = agent.layers.counters[1:depth, KEPT]
    return 1 + int(np.sum(kept)) + int(agent.search.cursor)


def search_game(every: int, ms: float, on_progress: Callable[[float], None]) -> dict[str, list[Point]]:
    """The points of both figures, by set of features; `on_progress` is told which share more is done."""
    games = rounds_of_a_game(every)
    points: dict[str, list[Point]] = {}
    for features in BEAMS:
        agent = make_agent(f"beam:{features}")
        assert isinstance(agent, BeamAgent)
        agent.warm_up()
        points[features] = []
        for game in games:
            tries = [search_round(agent, game, ms) for _ in range(TRIES)]
            points[features].append(max(tries, key=lambda point: point.parents_per_100_ms))
            on_progress(1 / (len(games) * len(BEAMS)))
    return points


def mean_rate(points: Sequence[Point]) -> float:
    """Parents expanded per 100 ms over all searches."""
    return 100.0 * sum(point.parents for point in points) / sum(point.ms for point in points)


# The figures

EVERY, EVERY_QUICK = 5, 20  # rounds
PERCENT = 100

Points = dict[str, list[Point]]  # by set of features


@dataclass(frozen=True)
class PaperFigure:
    """One of the figures: a value of every search, and what the paper says of the ratio of two of its curves."""

    number: int
    what: str  # is measured
    value: Callable[[Point], float]
    claim: str
    pair: tuple[str, str]
    judge: Callable[[Interval], bool | None]  # None: it could be chance


FIGURE_3 = PaperFigure(
    3,
    "thousand simulations",
    lambda point: point.simulations / 1000,
    "survivability checking (sc) costs half of the simulations",
    ("all+sc", "all"),
    lambda ratio: ratio.low <= 0.5 <= ratio.high,
)
FIGURE_4 = PaperFigure(
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

    figure: PaperFigure
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

    def draw(self) -> "Figure":
        series = {
            features: [(point.round, PlottedNumber(self.figure.value(point))) for point in row]
            for features, row in self.points.items()
        }
        return lines(self.title, "round of the game", self.figure.what, series)


def by_round(points: Points, value: Callable[[Point], float]) -> dict[str, list[list[float]]]:
    """Set of features -> [round, value]."""
    return {features: [[point.round, value(point)] for point in row] for features, row in points.items()}


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


def run_figure(stage: ExperimentStage, figure: PaperFigure) -> ExperimentAnswer:
    ms = stage.effort.ms or MS
    done = 0.0
    with bar(stage.console, "search", PERCENT, TimeRemainingColumn()) as update:

        def on_progress(share: float) -> None:
            nonlocal done
            done += PERCENT * share
            update(done, "searching")

        points = search_game(EVERY, ms, on_progress)
    return Curves(figure, points, ms)


EXPERIMENTS = {
    "fig3": Experiment(partial(run_figure, figure=FIGURE_3), games=None, ms=MS),
    "fig4": Experiment(partial(run_figure, figure=FIGURE_4), games=None, ms=MS),
}
