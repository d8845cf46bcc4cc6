"""What `paper` and `scale` share: run an experiment and show its answer."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hsctl.cli.options import choose_runner
from hsctl.report.console import INTERRUPTED, announce, print_json, print_line, print_view, this_command

JSON, CSV = "json", "csv"

if TYPE_CHECKING:
    from hsctl.research.experiments.frame import Effort, ExperimentAnswer, ExperimentStage


def perform(
    run: "Callable[[ExperimentStage], ExperimentAnswer]",
    effort: "Effort",
    jobs: int | None,
    cluster: str | None,
    ledger: Path | None,
    form: str | None,
    plot: Path | None,
    name: str = "",
    keep: bool = False,
) -> None:
    """Run an experiment and show its answer.

    `form` is JSON, CSV, or the command to name in Markdown; None is for the terminal. With `keep`, its games are kept
    as data under its name.
    """
    from hsctl.report.plots import check_plot, save

    if plot is not None:
        check_plot(plot)
    answer, stage = ask(run, effort, jobs, cluster, ledger, name, keep)
    if plot is not None:
        save(answer.draw(), plot)
    show(answer, stage, form)


def ask(
    run: "Callable[[ExperimentStage], ExperimentAnswer]",
    effort: "Effort",
    jobs: int | None,
    cluster: str | None,
    ledger: Path | None,
    name: str = "",
    keep: bool = False,
) -> "tuple[ExperimentAnswer, ExperimentStage]":
    """Run an experiment, and where it was played; if it is stopped, say how to resume it."""
    from hsctl.league.ledger import default_ledger
    from hsctl.report.safe_console import SafeConsole
    from hsctl.research.experiments.data import PapersLedger, read_rows, write_rows
    from hsctl.research.experiments.frame import ExperimentStage

    console = SafeConsole(stderr=True)
    with PapersLedger(ledger or default_ledger(), read_rows(name)) as opened:
        stage = ExperimentStage(effort, opened, lambda league: choose_runner(league, jobs, cluster), console)
        try:
            answer = run(stage)
            if keep and opened.asked:
                announce(f"{write_rows(name, opened.rows()):,} games of {name} are kept as data")
            return answer, stage
        except KeyboardInterrupt:
            announce(f"stopped; finished games are kept, this resumes it: {this_command()}")
            raise typer.Exit(INTERRUPTED) from None


def show(answer: "ExperimentAnswer", stage: "ExperimentStage", form: str | None) -> None:
    from hsctl.report.records import delays_record
    from hsctl.report.tables import warning_lines

    record = {"clock": stage.clock, **delays_record(stage.delays), **answer.as_dict()}
    warning = warning_lines(stage.delays)
    if form is None:
        for line in warning:
            print_line(line)
        print_view(answer.view())
    elif form == JSON:
        print_json(record)
    elif form == CSV:
        from hsctl.report.export import flat_rows, write_text

        write_text(flat_rows(record), ("key", "value"), CSV, sys.stdout)
    else:
        from hsctl.report.tables import to_markdown

        warned = "".join(f"{line}\n" for line in ["", *warning]) if warning else ""
        typer.echo(f"`{form}`:\n{warned}\n{to_markdown(answer.view())}", nl=False)
