"""`hsctl bench`: the whole measurement, as one value, as JSON and as tables of 80 columns."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.report.tables import new_table
from hsctl.research.bench.measure import Measured, measure
from hsctl.research.bench.speed import (
    ALL,
    BITWISE,
    NAIVE,
    ONE,
    Batches,
    Steps,
    batch_tasks,
    cost_tasks,
    engine_tasks,
    growth_tasks,
    make_batches,
    make_growth,
    make_steps,
    mean_costs,
    ratio_of,
)
from hsctl.research.bench.startup import start_seconds

# Speeds that others have published for their Bomberman engines, with source and conditions.
#
# None of these was measured on this machine, and Pommerman (11 x 11, always four players, bombs that can be kicked) is
# another game than ours: the figures show orders of magnitude, nothing finer.


class Published(NamedTuple):
    """One engine: its figure, and how it came about."""

    engine: str
    steps_per_second: int  # of one thread
    conditions: str
    source: str


PUBLISHED = (
    Published(
        "pomcpp",
        1_470_000,
        "Pommerman in C++, agents that harm nobody; 586,332 steps in 100 ms by 4 threads of a Skylake i5, per thread",
        "github.com/m2q/pomcpp, README",
    ),
    Published(
        "cpommerman",
        41_000,
        "Pommerman in Cython, random actions; `step` and `get_done` only, one informal run",
        "github.com/tambetm/pommerman-baselines, cython_env/README",
    ),
    Published(
        "Pommerman",
        2_000,
        "the original in Python; the Cython engine's figure by its speedup of 19 to 20",
        "the same README",
    ),
    Published(
        "paper: bitwise",
        2_900_000,
        "Hypersonic in C++, 2 players, player 0 random; 1.45 M in 500 ms",
        "the paper's Table 1",
    ),
)


def published_dict() -> list[dict[str, Any]]:
    return [entry._asdict() for entry in PUBLISHED]


PaperSteps = dict[str, dict[int, int]]  # [engine][players]
WHO = (ONE, ALL)
COSTS = {
    "copy": "a state",
    "step": "all random, its copy included",
    "is_survivable": "one player",
    "mask": "survivable_cells: every cell at once",
    "can_kill": "two rounds of one rival, exhaustive",
    "judge": "the probability of every place",
}


@dataclass
class Report:
    """All that was measured, beside the paper's steps."""

    steps: Steps
    cost: dict[str, float]  # name -> ns
    growth: dict[str, dict[int, float]]  # bombs, ranges -> amount -> ns of a step
    batches: Batches
    paper: PaperSteps
    start: dict[str, float] = field(default_factory=dict)  # cold, warm -> CPU seconds

    def as_dict(self) -> dict[str, Any]:
        return {
            "table1": {**self.steps, "paper": self.paper},
            "cost": self.cost,
            "growth": self.growth,
            "batches": self.batches,
            "published": published_dict(),
            "start": self.start,
        }


def report_view(report: Report) -> RenderableType:
    parts = [steps_view(report.steps, report.paper), cost_view(report.cost)]
    parts += [growth_view(what, report.growth[what]) for what in report.growth]
    parts += [batches_view(report.batches), published_view(report.steps)]
    return Group(*[line for part in parts for line in (part, Text(""))], start_view(report.start))


def steps_view(steps: Steps, papers: PaperSteps) -> Table:
    """Table 1: ours with one and with all random, and the paper's row under it."""
    caption = "one: only player 0 acts; all: everyone does; reset after 15 actions or when player 0 dies"
    table = new_table("Table 1: steps of random games in 500 ms", caption)
    table.add_column("players")
    for who in WHO:
        for players in steps[BITWISE]:
            table.add_column(f"{players}, {who}", justify="right")
    for engine in (NAIVE, BITWISE):
        table.add_row(engine, *entries(steps, lambda players, who, row=steps[engine]: format_steps(row[players][who])))
    table.add_row("ratio", *entries(steps, lambda players, who: f"{ratio_of(steps, players, who):.1f}"))
    table.add_section()
    for engine in (NAIVE, BITWISE):
        paper = papers[engine]
        row = entries(steps, lambda players, who, paper=paper: format_steps(paper[players]) if who == ONE else "")
        table.add_row(f"paper: {engine}", *row, style="dim")
    return table


def entries(steps: Steps, entry: Any) -> list[str]:
    return [entry(players, who) for who in WHO for players in steps[BITWISE]]


def format_steps(count: int) -> str:
    return f"{count / 1e6:.2f} M" if count >= 1_000_000 else f"{count / 1e3:.0f} k"


def cost_view(cost: dict[str, float]) -> Table:
    table = new_table("Cost of a call on states that random games meet")
    table.add_column("")
    table.add_column("ns", justify="right")
    table.add_column("")
    for name, ns in cost.items():
        table.add_row(name, f"{ns:,.0f}" if ns >= 100 else f"{ns:.1f}", Text(COSTS[name], "dim"))
    return table


def growth_view(what: str, costs: dict[int, float]) -> Table:
    table = new_table(f"Cost of a step by {what}, four players")
    table.add_column(what)
    for amount in costs:
        table.add_column(str(amount), justify="right")
    table.add_row("ns", *(f"{ns:.0f}" for ns in costs.values()))
    return table


def batches_view(batches: Batches) -> Table:
    caption = "everyone random; games are started again after 15 rounds"
    table = new_table("Steps per second of a batch, in millions", caption)
    table.add_column("games")
    for games in next(iter(batches.values())):
        table.add_column(f"{games:,}", justify="right")
    for threads, row in batches.items():
        name = f"{threads} thread{'s' if threads > 1 else ''}"
        table.add_row(name, *(f"{steps / 1e6:.2f}" for steps in row.values()))
    return table


def published_view(steps: Steps) -> Table:
    """What others have published, below our own figure in the same unit."""
    table = new_table("Published elsewhere: steps per second of one thread, not measured here")
    table.add_column("engine", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("measured", style="dim")
    players = min(steps[BITWISE])
    own = 2 * steps[BITWISE][players][ONE]
    table.add_row("ours: bitwise", format_steps(own), f"the first table's, {players} players, player 0 random")
    for entry in PUBLISHED:
        table.add_row(entry.engine, format_steps(entry.steps_per_second), f"{entry.conditions} ({entry.source})")
    return table


def start_view(start: dict[str, float]) -> Text:
    parts = [f"{start[name]:.1f} s {name}" for name in ("cold", "warm") if name in start]
    missing = "" if "cold" in start else " (cold: not with --quick)"
    return Text(f"Start of the engine, CPU time: {', '.join(parts)}{missing}", overflow="fold")


# Measuring: all tasks together, taking turns, then the starts.


ROUNDS = 120  # slices of every task
QUICK_ROUNDS = 30

Progress = Callable[[float], None]  # told which share more is done


def measure_all(positions: Sequence[Measured], paper: PaperSteps, rounds: int, on_progress: Progress) -> Report:
    """Steps of both engines beside the paper's, costs, growth and batches."""
    steps, costs = engine_tasks(positions), cost_tasks(positions)
    growth, batches = growth_tasks(), batch_tasks(positions)
    measure([task for _, task in [*steps, *costs, *growth, *batches]], rounds, lambda: on_progress(1 / rounds))
    return Report(make_steps(steps), mean_costs(costs), make_growth(growth), make_batches(batches), paper)


def measure_start(is_quick: bool) -> dict[str, float]:
    """CPU seconds to start with an empty compile cache (unless quick) and with a filled one."""
    if is_quick:
        start_seconds()  # fills the usual cache if necessary
        return {"warm": start_seconds()}
    with tempfile.TemporaryDirectory(prefix="hsctl-cold-") as folder:
        return {"cold": start_seconds(Path(folder)), "warm": start_seconds(Path(folder))}
