"""A study as a picture: its history, what matters, and a slice along each parameter."""

from typing import TYPE_CHECKING, Any

from hsctl.tune.importance import importances
from hsctl.tune.space import Tunable
from hsctl.tune.study import Study
from hsctl.views.plots import DPI, WIDTH_INCHES, colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 2
ROW_INCHES = 3.0


def study_figure(study: Study) -> "Figure":
    from matplotlib.figure import Figure

    space = study.subject.space
    rows = 1 + -(-len(space) // COLUMNS)
    figure = Figure(figsize=(WIDTH_INCHES, ROW_INCHES * rows), dpi=DPI, layout="constrained")
    charts = figure.subplots(rows, COLUMNS, squeeze=False).flatten().tolist()
    for chart in charts:
        chart.spines[["top", "right"]].set_visible(False)
    history, importance, *slices = charts
    draw_history(history, study)
    draw_importance(importance, study)
    for each, chart in zip(space, slices, strict=False):
        draw_slice(chart, study, each)
    for chart in slices[len(space) :]:
        chart.set_axis_off()
    return figure


def draw_history(chart: Any, study: Study) -> None:
    """Every trial, the mean of each generation, and the player as it was."""
    tried = study.trials[1:]
    chart.plot([trial.number for trial in tried], [100 * trial.goal.value for trial in tried], ".", color=colour(0))
    generations = range(1 + max((trial.generation for trial in tried), default=-1))
    members = [[trial for trial in tried if trial.generation == generation] for generation in generations]
    middles = [sum(trial.number for trial in group) / len(group) for group in members]
    means = [100 * sum(trial.goal.value for trial in group) / len(group) for group in members]
    chart.plot(middles, means, color=colour(1), label="mean of a generation")
    low, high = study.start.goal.interval
    chart.axhline(100 * study.start.goal.value, color=colour(6), lw=1, label="as it was (95 %)")
    chart.axhspan(100 * low, 100 * high, color=colour(6), alpha=0.15, lw=0)
    chart.set_title("history", loc="left", fontsize="medium")
    chart.set_xlabel("trial")
    chart.set_ylabel("goal (%)")
    chart.legend(frameon=False, fontsize="small")


def draw_importance(chart: Any, study: Study) -> None:
    chart.set_title("importance", loc="left", fontsize="medium")
    shares = importances(study.subject.space, study.trials)
    if shares is None:
        chart.set_axis_off()
        chart.text(0.5, 0.5, "too few trials", ha="center", va="center")
        return
    ranked = sorted(shares.items(), key=lambda item: item[1])
    chart.barh([name for name, _ in ranked], [100 * share for _, share in ranked], color=colour(0))
    chart.set_xlim(0, max(1.0, 105 * max(shares.values())))
    chart.set_xlabel("of the spread of goals (%)")


def draw_slice(chart: Any, study: Study, each: Tunable) -> None:
    """Goals along one parameter, later trials darker; a line where the search ended."""
    tried = study.trials[1:]
    values = [float(trial.values[each.name]) for trial in tried]
    goals = [100 * trial.goal.value for trial in tried]
    chart.scatter(values, goals, c=[trial.number for trial in tried], cmap="Blues", s=14, vmin=-len(tried) / 2)
    chart.axvline(float(study.search.centre[each.name]), color=colour(1), lw=1)
    chart.set_title(each.name, loc="left", fontsize="medium")
    chart.set_ylabel("goal (%)")
