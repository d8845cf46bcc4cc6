"""Figures 3 and 4 as tables of 80 columns and as JSON."""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.bench.figures import Point, mean_rate
from hsctl.views.tables import new_table

Points = dict[str, list[Point]]


def figures_view(points: Points) -> RenderableType:
    return Group(
        by_round("Figure 3: thousand simulations in 100 ms", points, lambda point: f"{point.simulations / 1000:.0f}"),
        Text(""),
        by_round("Figure 4: depth reached in 100 ms", points, lambda point: str(point.depth)),
        Text(""),
        rates(points),
    )


def by_round(title: str, points: Points, entry: Callable[[Point], str]) -> Table:
    table = new_table(title)
    table.add_column("round", justify="right")
    for features in points:
        table.add_column(features, justify="right")
    for row in zip(*points.values(), strict=True):
        table.add_row(str(row[0].round), *(entry(point) for point in row))
    return table


def rates(points: Points) -> Table:
    table = new_table("Thousand parents expanded per 100 ms of thinking")
    for name in ("features", "mean", "lowest", "highest"):
        table.add_column(name, justify="left" if name == "features" else "right")
    for features, row in points.items():
        each = [point.parents_per_100_ms for point in row]
        table.add_row(features, *(f"{rate / 1000:.0f}" for rate in (mean_rate(row), min(each), max(each))))
    return table


def figures_dict(points: Points) -> dict[str, Any]:
    """`fig3` and `fig4`: feature set -> [round, value]; `parents_per_100_ms`: feature set -> mean."""

    def series(value: Callable[[Point], int]) -> dict[str, Sequence[Sequence[int]]]:
        return {features: [[point.round, value(point)] for point in row] for features, row in points.items()}

    return {
        "fig3": series(lambda point: point.simulations),
        "fig4": series(lambda point: point.depth),
        "parents_per_100_ms": {features: round(mean_rate(row)) for features, row in points.items()},
    }
