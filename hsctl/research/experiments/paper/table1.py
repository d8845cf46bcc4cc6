"""Table 1: how many steps the naive and the bitwise engine make in 500 ms, measured by `hsctl/research/bench`.

Machines differ, so no speed can agree or differ; what can is how many times faster bits are than a grid. All tasks take
turns in short slices, the best of which counts (`bench/measure.py`). That is done several times over: each time
gives a ratio, and these give it an interval: how certain this run is. Other runs, with the code elsewhere in memory,
differ by a few per cent more. The paper's interval is what its rounding leaves open; how its own measurements spread
isn't known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.progress import TimeElapsedColumn
from rich.text import Text

from hsctl.league.intervals import Interval, mean_interval
from hsctl.report.live import bar
from hsctl.report.plots import PlottedNumber, bars
from hsctl.report.tables import new_table
from hsctl.research.bench.measure import measure, midgames
from hsctl.research.bench.report import format_steps
from hsctl.research.bench.speed import BITWISE, NAIVE, ONE, Steps, engine_tasks, make_steps, ratio_of
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.published import paper_steps
from hsctl.research.experiments.tables import UNDECIDED, format_agreement, overlap

if TYPE_CHECKING:
    from matplotlib.figure import Figure


TIMES = 12  # measured, each from `ROUNDS` of its own
ROUNDS = 20  # slices of every task
UNITS = {NAIVE: 1_000, BITWISE: 10_000}  # that the paper's steps are rounded to
WIDEST = 0.2  # of the paper's ratio: an interval of ours that tells nothing
RATIO = "bitwise / naive"
CAPTION = (
    f"both by the same compiler, the best of {ROUNDS} slices, {TIMES} times over; machines differ, so only {RATIO} is "
    f"judged: our interval is over the {TIMES} of this run (others differ by a few per cent more), the paper's is its "
    "rounding; ratio: ours to the paper's; `hsctl bench` also has all players acting and the cost of each call"
)
PAPER = paper_steps()


@dataclass(frozen=True)
class Speedup:
    """How many times faster the bitwise engine is, with an interval; none if it was measured once."""

    ratio: float
    interval: Interval | None

    def __str__(self) -> str:
        span = "" if self.interval is None else f" ({self.interval.low:.1f}–{self.interval.high:.1f})"
        return f"{self.ratio:.1f}{span}"

    def as_dict(self) -> dict[str, Any]:
        return {"ratio": self.ratio, **(self.interval._asdict() if self.interval else {})}


def paper_speedup(players: int) -> Speedup:
    """What the paper's steps give, and the least and most before they were rounded."""
    fast, slow = PAPER[BITWISE][players], PAPER[NAIVE][players]
    fast_by, slow_by = UNITS[BITWISE] / 2, UNITS[NAIVE] / 2
    return Speedup(fast / slow, Interval((fast - fast_by) / (slow + slow_by), (fast + fast_by) / (slow - slow_by)))


@dataclass(frozen=True)
class Speeds:
    """Steps in 500 ms with one player acting, as in the paper, each time they were measured."""

    times: Sequence[Steps]

    @property
    def players(self) -> list[int]:
        return list(self.times[0][BITWISE])

    def steps(self, engine: str, players: int) -> int:
        """The best of all times: the others say more about the machine."""
        return max(steps[engine][players][ONE] for steps in self.times)

    def speedup(self, players: int) -> Speedup:
        ratios = [ratio_of(steps, players, ONE) for steps in self.times]
        return Speedup(fmean(ratios), mean_interval(ratios, range(len(ratios))))

    def agrees(self, players: int) -> bool | None:
        paper = paper_speedup(players)
        assert paper.interval is not None
        return overlap(self.speedup(players).interval, paper.interval, WIDEST * paper.ratio)

    def view(self) -> RenderableType:
        table = new_table("Table 1: steps in 500 ms, player 0 random")
        for head in ("engine", "players", "ours", "the paper", "ratio"):
            table.add_column(head, justify="left" if head == "engine" else "right")
        table.add_column("")
        for engine in (NAIVE, BITWISE):
            for players in self.players:
                ours, paper = self.steps(engine, players), PAPER[engine][players]
                row = (format_steps(ours), format_steps(paper), f"{ours / paper:.1f}")
                table.add_row(engine, str(players), *row)
            table.add_section()
        for players in self.players:
            faster, papers = self.speedup(players), paper_speedup(players)
            row = (str(faster), str(papers), f"{faster.ratio / papers.ratio:.1f}")
            table.add_row(RATIO, str(players), *row, format_agreement(self.agrees(players), UNDECIDED))
        return Group(table, Text(CAPTION, "dim"))

    def as_dict(self) -> dict[str, Any]:
        steps = {engine: {players: self.steps(engine, players) for players in self.players} for engine in PAPER}
        ratios = {
            players: {
                "ours": self.speedup(players).as_dict(),
                "paper": paper_speedup(players).as_dict(),
                "agrees": self.agrees(players),
            }
            for players in self.players
        }
        return {"table1": steps, "paper": PAPER, RATIO: ratios}

    def draw(self) -> "Figure":
        cells = [(engine, players) for engine in (NAIVE, BITWISE) for players in self.players]
        series = {
            "ours": [PlottedNumber(self.steps(*cell) / 1e6) for cell in cells],
            "the paper": [PlottedNumber(PAPER[engine][players] / 1e6) for engine, players in cells],
        }
        labels = [f"{engine}, {players} players" for engine, players in cells]
        return bars("Table 1", labels, series, "million steps in 500 ms", is_share=False)


def run(stage: ExperimentStage) -> ExperimentAnswer:
    positions, times, done = midgames(), [], 0
    with bar(stage.console, "round", TIMES * ROUNDS, TimeElapsedColumn()) as update:

        def on_round() -> None:
            nonlocal done
            done += 1
            update(done, "measuring")

        for _ in range(TIMES):
            tasks = [(key, task) for key, task in engine_tasks(positions) if key[2] == ONE]
            measure([task for _, task in tasks], ROUNDS, on_round)
            times.append(make_steps(tasks))
    return Speeds(times)


EXPERIMENT = Experiment(run, games=None, ms=500.0)
