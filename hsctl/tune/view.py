"""A study on the terminal: the trials with the highest goals, the parameters, and what the confirmation says."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.stats.intervals import Interval
from hsctl.tune.confirm import NEW, OLD, Confirmation
from hsctl.tune.goal import Goal
from hsctl.tune.importance import importances
from hsctl.tune.space import format_value
from hsctl.tune.study import Study, Trial
from hsctl.views.comparison import describe_test
from hsctl.views.tables import format_games, new_table
from replays.text import counted

SHOWN = 8  # trials
FLATTERED = "the highest of many noisy goals are too high: the confirmation is not"


def study_view(study: Study) -> RenderableType:
    """What was found so far; while it runs, too."""
    if not study.trials:
        return Text("the first generation is playing")
    return Group(trials_table(study), Text(), parameters_table(study), Text(), Text(f"best: {study.best}"))


def trials_table(study: Study) -> Table:
    tried = len(study.trials) - 1
    table = new_table(f"{tried} trials, {format_games(study.games)}", FLATTERED)
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
    return [str(trial.number), format_goal(goal), format_share(goal.mean), worst, trial.text]


def parameters_table(study: Study) -> Table:
    """Range, start, where the search stands now, and how much of the goals the parameter explains."""
    shares = importances(study.subject.space, study.trials)
    table = new_table()
    for heading in ("parameter", "range", "start", "now", "importance"):
        table.add_column(heading, justify="left" if heading == "parameter" else "right")
    for each in study.subject.space:
        ends = f"{format_value(each.kind(each.low))}..{format_value(each.kind(each.high))}"
        share = "too few trials" if shares is None else format_share(shares[each.name])
        now = format_value(study.search.centre[each.name])
        table.add_row(each.name, ends, format_value(each.value(0.0)), now, share)
    return table


def confirmation_view(confirmation: Confirmation) -> RenderableType:
    return Group(*map(Text, confirmation_lines(confirmation)))


def confirmation_lines(confirmation: Confirmation) -> list[str]:
    new, old = confirmation.new, confirmation.old
    if confirmation.is_needless:
        return [f"the search ended where it began: nothing is shown to be better than {old}"]
    if not confirmation.boards:
        return [f"confirming {new}"]
    played = f"{counted(confirmation.boards, 'other board')}, {format_games(confirmation.games)}"
    goals = f"goal {format_goal(confirmation.goal(NEW))}, before {format_goal(confirmation.goal(OLD))}"
    return [
        f"on {played}: {goals}",
        describe_test(confirmation.test),
        f"{new} is {confirmation.verdict} than {old}",
    ]


def format_goal(goal: Goal | None) -> str:
    """`52 % (45–59)`, or `…` before it is known."""
    return "…" if goal is None else f"{format_share(goal.value)} {format_interval(goal.interval)}"


def format_interval(interval: Interval) -> str:
    low, high = (f"{100 * end:.0f}" for end in interval)
    return f"({low}–{high})"


def format_share(share: float) -> str:
    return f"{100 * share:.0f} %"
