"""What was measured, as one value, as JSON and as tables of 80 columns."""

from dataclasses import dataclass, field
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.report.tables import new_table
from hsctl.research.bench.batches import Batches
from hsctl.research.bench.engines import ALL, BITWISE, NAIVE, ONE, Steps, ratio_of
from hsctl.research.bench.published import PUBLISHED, published_dict

PaperSteps = dict[str, dict[int, int]]  # [engine][players]
WHO = (ONE, ALL)
COSTS = {
    "copy": "a state",
    "step": "all random, its copy included",
    "is_survivable": "one player",
    "mask": "survivable_cells: every cell at once",
    "can_kill": "two rounds of one rival, exhaustive",
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
