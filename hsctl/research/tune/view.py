"""A study on the terminal: its plan, what was found for each parameter, the confirmation; as JSON and as a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.league.intervals import Interval
from hsctl.match.result import Delays
from hsctl.report.comparison import NO_VERDICT, describe_test
from hsctl.report.plots import DPI, WIDTH_INCHES, colour
from hsctl.report.records import delays_record, rounded
from hsctl.report.tables import delay_lines, describe_clock, format_games, new_table, warning_lines
from hsctl.research.tune.study import LOST, NEW, OLD, WON, Confirmation, Study, Trial, TrialGoal
from hsctl.research.tune.subject import TunedParameter, format_value
from replays.text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# How much each parameter matters: the share of the spread of goals that only its own curve explains.
#
# Goals are fitted by the mean of each generation, whose boards are its own, and a parabola for each parameter. Without
# a parameter's parabola the fit is worse; by how much, beyond what two random numbers would explain, is its importance.
# The search narrows where it looks, so a parameter that was settled early seems to matter less than it does.


TRIALS_A_TERM = 3  # of the fit, at least
NOTHING = 1e-12  # of squared goals


def importances(space: Sequence[TunedParameter], trials: Sequence[Trial]) -> dict[str, float] | None:
    """Shares of 0 to 1 by name; None if there are too few trials to tell."""
    tried = [trial for trial in trials if trial.values]
    numbers = np.array([trial.generation for trial in tried])
    generations = (numbers[:, None] == np.unique(numbers)).astype(float)  # [trial, generation]
    terms = generations.shape[1] + 2 * len(space)
    if len(tried) < TRIALS_A_TERM * terms:
        return None
    places = np.array([[each.coordinate(trial.values[each.name]) for each in space] for trial in tried])
    goals = np.array([trial.goal.value for trial in tried])
    spread, whole = left_over(goals, generations), left_over(goals, generations, places)
    if spread < NOTHING:
        return {each.name: 0.0 for each in space}
    by_chance = 2 * whole / (len(tried) - terms)
    without = [left_over(goals, generations, np.delete(places, at, axis=1)) for at in range(len(space))]
    return {each.name: max(0.0, (left - whole - by_chance) / spread) for each, left in zip(space, without, strict=True)}


def left_over(goals: np.ndarray, generations: np.ndarray, *places: np.ndarray) -> float:
    """The squared error of the fit."""
    terms = np.hstack([generations, *places, *(each**2 for each in places)])
    fit, *_ = np.linalg.lstsq(terms, goals, rcond=None)
    return float(((goals - terms @ fit) ** 2).sum())


# A study as JSON: the document that scripts read.


def study_record(study: Study, confirmation: Confirmation | None) -> dict[str, Any]:
    """Everything but `played_now` is the same whenever the command is repeated."""
    space = study.subject.space
    shares = importances(space, study.trials)
    return {
        "start": study.subject.start,
        "best": None if study.one_sided else study.best,
        "one_sided": study.one_sided or None,
        "verdict": None if confirmation is None else confirmation.verdict,
        "clock": study.clock,
        **delays_record(study.delays + (Delays() if confirmation is None else confirmation.delays)),
        "opponents": study.pool.names,
        "parameters": [
            {
                "name": each.name,
                "low": each.low,
                "high": each.high,
                "start": each.value(0.0),
                "best": study.search.centre[each.name],
                "importance": None if shares is None else round(shares[each.name], 4),
            }
            for each in space
        ],
        "trials": [trial_record(trial) for trial in study.trials],
        "confirmation": None if confirmation is None else confirmation_record(confirmation),
        "games": study.games,
        "played_now": study.played_now,
    }


def trial_record(trial: Trial) -> dict[str, Any]:
    return {
        "trial": trial.number,
        "generation": trial.generation,
        "player": trial.text,
        "values": trial.values,
        **goal_record(trial.goal),
    }


def goal_record(goal: TrialGoal) -> dict[str, Any]:
    return {
        "goal": round(goal.value, 4),
        "interval": rounded(goal.interval),
        "scores": [round(score, 4) for score in goal.scores],
        "games": goal.games,
    }


def confirmation_record(confirmation: Confirmation) -> dict[str, Any]:
    test, new, old = confirmation.test, confirmation.goal(NEW), confirmation.goal(OLD)
    return {
        "verdict": confirmation.verdict,
        **delays_record(confirmation.delays),
        "boards": confirmation.boards,
        "games": confirmation.games,
        "new": None if new is None else goal_record(new),
        "old": None if old is None else goal_record(old),
        "seeds": seeds_of(confirmation),
        "llr": round(test.llr, 4),
        "lower": round(test.lower, 4),
        "upper": round(test.upper, 4),
    }


def seeds_of(confirmation: Confirmation) -> list[int] | None:
    """The first and the last."""
    seeds = [game.seed for game in confirmation.standings.games]
    return [min(seeds), max(seeds)] if seeds else None


# A study as a picture: its history, what matters, and a slice along each parameter.


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
    chart.axhline(100 * study.start.goal.value, color=colour(6), lw=1, label="before (95 %)")
    chart.axhspan(100 * low, 100 * high, color=colour(6), alpha=0.15, lw=0)
    chart.set_title("Did the candidates get better?", loc="left", fontsize="medium")
    chart.set_xlabel("trial")
    chart.set_ylabel("goal (%)")
    chart.legend(frameon=False, fontsize="small")


def draw_importance(chart: Any, study: Study) -> None:
    chart.set_title("Which parameters matter?", loc="left", fontsize="medium")
    shares = importances(study.subject.space, study.trials)
    if shares is None:
        chart.set_axis_off()
        chart.text(0.5, 0.5, "too few trials", ha="center", va="center")
        return
    ranked = sorted(shares.items(), key=lambda item: item[1])
    chart.barh([name for name, _ in ranked], [100 * share for _, share in ranked], color=colour(0))
    chart.set_xlim(0, max(1.0, 105 * max(shares.values())))
    chart.set_xlabel("of the spread of goals (%)")


def draw_slice(chart: Any, study: Study, each: TunedParameter) -> None:
    """Goals along one parameter, later trials darker; lines at the value before and at the best."""
    tried = study.trials[1:]
    values = [float(trial.values[each.name]) for trial in tried]
    goals = [100 * trial.goal.value for trial in tried]
    chart.scatter(values, goals, c=[trial.number for trial in tried], cmap="Blues", s=14, vmin=-len(tried) / 2)
    chart.axvline(float(each.value(0.0)), color=colour(6), lw=1, label="before")
    chart.axvline(float(study.search.centre[each.name]), color=colour(1), lw=1, label="best")
    chart.legend(frameon=False, fontsize="small")
    chart.set_title(each.name, loc="left", fontsize="medium")
    chart.set_ylabel("goal (%)")


# A study on the terminal


SHOWN = 5  # trials
FLATTERED = "the best of many noisy trials looks better than it is; trust the confirmation"
TURNS = 150  # of a game, about
NODES_PER_S = 1_500_000  # of an agent, about
ONE_SIDED = {
    WON: "every candidate wins every game: choose a stronger --against",
    LOST: "every candidate loses every game: choose a weaker --against",
}


def plan_lines(study: Study, trials: int, most_games: int, jobs: int) -> list[str]:
    """What will be played, before it is."""
    space = ", ".join(
        f"{each.name} {format_range(each)} from {format_value(each.value(0.0))}" for each in study.subject.space
    )
    games = study.games_of(trials)
    played = f"{trials} trials of {format_games(study.boards.trial_games)} against {', '.join(study.pool.names)}"
    confirmed = f", then up to {most_games:,} to confirm the best" if most_games else ""
    seconds = games * seconds_a_game(study) / jobs
    lasts = f"; about {format_duration(seconds)} for the trials" if seconds else ""
    return [f"tuning {study.subject.start}: {space}", f"{played}: {format_games(games)}{confirmed}{lasts}"]


def seconds_a_game(study: Study) -> float:
    """About how long a game takes; 0 if nobody has a budget."""
    limits, seats = study.pool.limits, max(study.boards.sizes)
    turn_s = (limits.turn_ms or 0.0) / 1000 if limits.nodes is None else limits.nodes / NODES_PER_S
    return TURNS * seats * turn_s


def format_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def progress_line(study: Study, trials: int, seconds: float) -> str:
    """How far it is after a generation, for output that is not a terminal."""
    tried, last = len(study.trials) - 1, study.trials[-1].generation
    goals = [trial.goal.value for trial in study.trials if trial.generation == last and trial.values]
    left = f", about {format_duration(seconds / tried * (trials - tried))} left" if tried < trials else ""
    mean = format_share(sum(goals) / len(goals))
    return f"{tried} of {trials} trials, {format_games(study.games)}: mean goal {mean}{left}"


def study_view(study: Study) -> RenderableType:
    """What was found so far; while it runs, too."""
    if not study.trials:
        return Text("the first generation is playing")
    warning = map(Text, warning_lines(study.delays))
    if study.one_sided:
        return Group(*warning, Text(ONE_SIDED[study.one_sided]))
    best = Text(f"best: {study.best}")
    return Group(*warning, parameters_table(study), Text(), trials_table(study), Text(), best)


def parameters_table(study: Study) -> Table:
    """Range, value before and now, and how much of the spread of goals the parameter explains."""
    shares = importances(study.subject.space, study.trials)
    tried = len(study.trials) - 1
    table = new_table(f"{tried} trials, {format_games(study.games)}{describe_clock(study.clock)}")
    for heading in ("parameter", "range", "before", "best", "matters"):
        table.add_column(heading, justify="left" if heading == "parameter" else "right")
    for each in study.subject.space:
        share = "too few trials" if shares is None else format_share(shares[each.name])
        best = format_value(study.search.centre[each.name])
        table.add_row(each.name, format_range(each), format_value(each.value(0.0)), best, share)
    return table


def format_range(each: TunedParameter) -> str:
    return f"{format_value(each.kind(each.low))}..{format_value(each.kind(each.high))}"


def trials_table(study: Study) -> Table:
    """The best trials, and the player before."""
    table = new_table("The best trials", FLATTERED)
    for heading in ("trial", "goal", "mean", "worst"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("player", overflow="fold")
    for trial in study.ranked[:SHOWN]:
        table.add_row(*trial_row(trial, study.pool.names))
    if study.start not in study.ranked[:SHOWN]:
        table.add_section()
        table.add_row(*trial_row(study.start, study.pool.names))
    return table


def trial_row(trial: Trial, opponents: list[str]) -> list[str]:
    goal = trial.goal
    worst = f"{format_share(goal.scores[goal.worst])} {opponents[goal.worst]}" if len(opponents) > 1 else ""
    return [
        str(trial.number) if trial.values else "before",
        format_goal(goal),
        format_share(goal.mean),
        worst,
        trial.text,
    ]


def confirmation_view(confirmation: Confirmation) -> RenderableType:
    return Group(*map(Text, confirmation_lines(confirmation)))


def confirmation_lines(confirmation: Confirmation) -> list[str]:
    """The verdict in one sentence, then the state of the test."""
    new, old = confirmation.new, confirmation.old
    if confirmation.is_needless:
        return [f"the search ended where it began: nothing is shown to be better than {old}"]
    if not confirmation.boards:
        return [f"confirming {new}"]
    delays = confirmation.delays
    played = f"{counted(confirmation.boards, 'other board')} ({format_games(confirmation.games)})"
    verdict = f"{new} is {confirmation.verdict} than {old}" if delays.is_valid else NO_VERDICT
    goals = f"{format_goal(confirmation.goal(NEW))} instead of {format_goal(confirmation.goal(OLD))}"
    shown = [f"on {played}, {verdict}: {goals}", describe_test(confirmation.test)]
    return [*warning_lines(delays), *shown, *delay_lines(delays)]


def format_goal(goal: TrialGoal | None) -> str:
    """`52 % (45–59)`, or `…` before it is known."""
    return "…" if goal is None else f"{format_share(goal.value)} {format_interval(goal.interval)}"


def format_interval(interval: Interval) -> str:
    low, high = (f"{100 * end:.0f}" for end in interval)
    return f"({low}–{high})"


def format_share(share: float) -> str:
    return f"{100 * share:.0f} %"
