"""A league as a picture: ratings with their intervals, and the shares of places by number of players."""

from typing import TYPE_CHECKING, Any

from hsctl.league.standings import Standings
from hsctl.report.standings import PLACES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
