"""Table 1: how many steps the naive and the bitwise engine make in 500 ms, measured by `hsctl/bench`.

Machines differ, so speeds are shown as ratios; what can agree is how many times faster bits are than a grid.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.progress import TimeElapsedColumn
from rich.text import Text

from hsctl.bench.engines import BITWISE, NAIVE, ONE, Steps, engine_tasks, make_steps, ratio_of
from hsctl.bench.measure import measure
from hsctl.bench.positions import midgames
from hsctl.bench.report import format_steps
from hsctl.bench.run import ROUNDS
from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.published import paper_steps
from hsctl.views.live import bar
from hsctl.views.plots import Measured, bars
from hsctl.views.tables import new_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Speeds:
    """Steps in 500 ms with one player acting, as in the paper."""

    steps: Steps

    @property
    def players(self) -> list[int]:
        return list(self.steps[BITWISE])

    def view(self) -> RenderableType:
        table = new_table("Table 1: steps in 500 ms, player 0 random")
        for head in ("engine", "players", "ours", "the paper", "ours / paper"):
            table.add_column(head, justify="left" if head == "engine" else "right")
        for engine in (NAIVE, BITWISE):
            for players in self.players:
                ours, paper = self.steps[engine][players][ONE], PAPER[engine][players]
                row = (format_steps(ours), format_steps(paper), f"{ours / paper:.1f}")
                table.add_row(engine, str(players), *row)
            table.add_section()
        for players in self.players:
            faster, papers = self.speedup(players)
            row = (f"{faster:.1f}", f"{papers:.1f}", f"{faster / papers:.1f}")
            table.add_row("bitwise / naive", str(players), *row)
        return Group(table, Text(CAPTION, "dim"))

    def speedup(self, players: int) -> tuple[float, float]:
        """How many times faster the bitwise engine is: ours, the paper's."""
        return ratio_of(self.steps, players, ONE), PAPER[BITWISE][players] / PAPER[NAIVE][players]

    def as_dict(self) -> dict[str, Any]:
        return {"table1": self.steps, "paper": PAPER}

    def draw(self) -> "Figure":
        labels = [f"{engine}, {players} players" for engine in (NAIVE, BITWISE) for players in self.players]
        cells = [(engine, players) for engine in (NAIVE, BITWISE) for players in self.players]
        series = {
            "ours": [Measured(self.steps[engine][players][ONE] / 1e6) for engine, players in cells],
            "the paper": [Measured(PAPER[engine][players] / 1e6) for engine, players in cells],
        }
        return bars("Table 1", labels, series, "million steps in 500 ms", is_share=False)


PAPER = paper_steps()
CAPTION = "both by the same compiler; `hsctl bench` also has all players acting and the cost of each call"


def run(stage: Stage) -> Answer:
    tasks = engine_tasks(midgames())
    done = 0
    with bar(stage.console, "round", ROUNDS, TimeElapsedColumn()) as update:

        def on_round() -> None:
            nonlocal done
            done += 1
            update(done, "measuring")

        measure([task for _, task in tasks], ROUNDS, on_round)
    return Speeds(make_steps(tasks))


EXPERIMENT = Experiment(run, games=None, ms=500.0)
