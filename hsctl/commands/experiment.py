"""What `paper` and `scale` share: run an experiment and show its answer."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hsctl.commands.options import choose_runner
from hsctl.commands.output import INTERRUPTED, announce, print_json, print_view, this_command

JSON, CSV = "json", "csv"

if TYPE_CHECKING:
    from hsctl.experiments.frame import Answer, Effort, Stage


def perform(
    run: "Callable[[Stage], Answer]",
    effort: "Effort",
    jobs: int | None,
    cluster: str | None,
    ledger: Path | None,
    form: str | None,
    plot: Path | None,
) -> None:
    """Run an experiment and show its answer.

    `form` is JSON, CSV, or the command to name in Markdown; None is for the terminal.
    """
    from hsctl.views.plots import check_plot, save

    if plot is not None:
        check_plot(plot)
    answer = ask(run, effort, jobs, cluster, ledger)
    if plot is not None:
        save(answer.draw(), plot)
    show(answer, form)


def ask(
    run: "Callable[[Stage], Answer]", effort: "Effort", jobs: int | None, cluster: str | None, ledger: Path | None
) -> "Answer":
    """Run an experiment; if it is stopped, say how to resume it."""
    from hsctl.experiments.frame import Stage
    from hsctl.league.ledger import Ledger, default_ledger
    from hsctl.views.console import SafeConsole

    console = SafeConsole(stderr=True)
    with Ledger(ledger or default_ledger()) as kept:
        stage = Stage(effort, kept, lambda league: choose_runner(league, jobs, cluster), console)
        try:
            return run(stage)
        except KeyboardInterrupt:
            announce(f"stopped; finished games are kept, this resumes it: {this_command()}")
            raise typer.Exit(INTERRUPTED) from None


def show(answer: "Answer", form: str | None) -> None:
    if form is None:
        print_view(answer.view())
    elif form == JSON:
        print_json(answer.as_dict())
    elif form == CSV:
        from hsctl.export.write import flat_rows, write_text

        write_text(flat_rows(answer.as_dict()), ("key", "value"), CSV, sys.stdout)
    else:
        from hsctl.views.markdown import to_markdown

        typer.echo(f"`{form}`:\n\n{to_markdown(answer.view())}", nl=False)
