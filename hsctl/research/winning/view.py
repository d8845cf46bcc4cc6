"""The win probability's judgement as tables, a plot and a section of a page."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from engine.errors import HsctlError
from hsctl.report.plots import PlottedNumber, lines
from hsctl.report.tables import new_table, to_markdown
from hsctl.research.winning.judgement import PHASES, Judged
from hsctl.research.winning.training import SIZES, Training
from replays.files import write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SECTION = re.compile(r"^<!-- hsctl train winning.*? -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def training_view(training: Training) -> Group:
    """All tables."""
    learned, judged = training.learned, training.judged
    played = (
        f"Learned from {learned.games:,} games ({len(learned.left):,} positions), "
        f"judged on {judged.games:,} games ({len(judged.left):,} positions) on other boards. "
        "ECE (expected calibration error) is in points of probability."
    )
    parts = [summary_table(training), further_table(training), phase_table(training), calibration_table(training)]
    return Group(Text(played), *parts)


def summary_table(training: Training) -> RenderableType:
    table = new_table("Log loss of the first place")
    for name in ("judged on", "players", "games", "positions", "constant", "lead", "model", "gain", "ECE"):
        table.add_column(name, justify="left" if name == "judged on" else "right")
    for each in training.summary():
        counts = str(each.players), f"{each.games:,}", f"{each.rows:,}"
        table.add_row(each.label, *counts, *three(each), f"{100 * each.model.ece:.1f}")
    return table


def further_table(training: Training) -> RenderableType:
    table = new_table("Brier score of the first place, log loss of a player's place")
    names = ("judged on", "players", "Brier: constant", "lead", "model", "place: constant", "model")
    for name in names:
        table.add_column(name, justify="left" if name == "judged on" else "right")
    for each in training.summary()[: len(SIZES)]:
        brier = (f"{losses.brier:.3f}" for losses in (each.constant, each.lead, each.model))
        place = (f"{losses.places:.3f}" for losses in (each.constant, each.model))
        table.add_row(each.label, str(each.players), *brier, *place)
    return table


def three(each: Judged) -> tuple[str, ...]:
    """The log losses, and what the model gains over the lead."""
    constant, lead, model = each.constant.log_loss, each.lead.log_loss, each.model.log_loss
    return f"{constant:.3f}", f"{lead:.3f}", f"{model:.3f}", f"{lead - model:.3f}"


def phase_table(training: Training) -> RenderableType:
    """Lead and model by boxes on the board."""
    table = new_table("Log loss by boxes on the board: constant, lead, model")
    table.add_column("boxes", justify="right")
    for size in SIZES:
        table.add_column(f"{size} players", justify="right")
    found = {size: {each.label: each for each in training.judgement.by_phase(size)} for size in SIZES}
    for label in PHASES:
        cells = [" ".join(three(found[size][label])[:3]) if label in found[size] else "-" for size in SIZES]
        table.add_row(label, *cells)
    return table


def calibration_table(training: Training) -> RenderableType:
    """Predicted and observed first places in per cent, by tenths of the predictions."""
    table = new_table("Predicted : observed first places, % (predictions)")
    table.add_column("tenth", justify="right")
    columns = [training.judgement.calibration(size) for size in SIZES]
    for size in SIZES:
        table.add_column(f"{size} players", justify="right")
    for tenth in range(10):
        cells = []
        for column in columns:
            found = [each for each in column if min(int(10 * each.predicted), 9) == tenth]
            cells += [f"{100 * b.predicted:.0f} : {100 * b.observed:.0f} ({b.predictions:,})" for b in found] or ["-"]
        table.add_row(f"{10 * tenth} to {10 * tenth + 10}", *cells)
    return table


def calibration_figure(training: Training) -> "Figure":
    """Observed against predicted first places; the diagonal would be perfect."""
    series = {"perfect": [(0.0, PlottedNumber(0.0)), (1.0, PlottedNumber(1.0))]}
    for size in SIZES:
        bins = training.judgement.calibration(size)
        series[f"{size} players"] = [(each.predicted, PlottedNumber(each.observed)) for each in bins]
    return lines("Win probability, on boards not learned from", "predicted", "observed", series)


def write_page(page: Path, training: Training, command: str, plot: str | None) -> None:
    """Put the tables in place of what the page's section had."""
    text = page.read_text(encoding="utf-8")
    if not SECTION.search(text):
        raise HsctlError(f"{page}: no section to fill in: write `<!-- hsctl train winning -->` and `<!-- end -->`")
    body = f"`{command}`:\n\n{to_markdown(training_view(training))}"
    if plot is not None:
        body += f"\n![calibration]({plot})\n"
    section = f"<!-- {command} -->\n{body}<!-- end -->"
    write_text(page, SECTION.sub(lambda _: section, text, count=1))
