"""How well intervals and the sequential test did in simulated leagues, as tables of 80 columns."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsctl.stats.intervals import Share
from hsctl.stats.simulation import ALPHA, BLOCKS, GAMES, RATING, Coverage, Errors
from hsctl.views.tables import new_table


def simulation_view(coverages: Sequence[Coverage], errors: Sequence[Errors]) -> RenderableType:
    return Group(coverage_table(coverages), Text(""), error_table(errors))


def coverage_table(coverages: Sequence[Coverage]) -> Table:
    table = new_table("Intervals of 95 % that contain the truth, %")
    table.add_column("leagues")
    for head in ("blocks", "ratings", "scores", "scores, by games"):
        table.add_column(head, justify="right")
    for coverage in coverages:
        shares = [format_percentage(coverage.share(kind)) for kind in (RATING, BLOCKS, GAMES)]
        table.add_row(coverage.setting.name, str(coverage.setting.blocks), *shares)
    return table


def error_table(errors: Sequence[Errors]) -> Table:
    caption = "needed: blocks; score held: how often its interval held the truth at the end"
    table = new_table(f"Sequential tests with error rates of {100 * ALPHA:g} %: wrong, %", caption)
    table.add_column("blocks")
    for head in ("elo0, elo1", "true: elo0", "true: elo1", "needed", "score held"):
        table.add_column(head, justify="right")
    for error in errors:
        trial = error.trial
        wrong = [format_percentage(share) for share in (error.better_at_elo0, error.not_better_at_elo1)]
        needed = " / ".join(f"{blocks:.0f}" for blocks in error.blocks)
        held = format_percentage(error.held)
        table.add_row(trial.name, f"{trial.elo0:g}, {trial.elo1:g}", *wrong, needed, held)
    return table


def format_percentage(share: Share) -> str:
    half = (share.interval.high - share.interval.low) / 2
    return f"{100 * share.value:.1f} ± {100 * half:.1f}"
