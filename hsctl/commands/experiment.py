"""What `paper` and `scale` share: run an experiment and show its answer."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hsctl.commands.options import choose_runner
from hsctl.commands.output import INTERRUPTED, announce, print_json, print_view, this_command

if TYPE_CHECKING:
    from hsctl.experiments.frame import Answer, Effort, Stage


def perform(
    run: "Callable[[Stage], Answer]",
    effort: "Effort",
    jobs: int | None,
    cluster: str | None,
    ledger: Path | None,
    as_json: bool,
    plot: Path | None,
    as_csv: bool = False,
) -> None:
    """Run an experiment and show its answer; if it is stopped, say how to resume it."""
    from hsctl.experiments.frame import Stage
    from hsctl.league.ledger import Ledger, default_ledger
    from hsctl.views.console import SafeConsole
    from hsctl.views.plots import check_plot, save

    if plot is not None:
        check_plot(plot)
    console = SafeConsole(stderr=True)
    with Ledger(ledger or default_ledger()) as kept:
        stage = Stage(effort, kept, lambda league: choose_runner(league, jobs, cluster), console)
        try:
            answer = run(stage)
        except KeyboardInterrupt:
            announce(f"stopped; finished games are kept, this resumes it: {this_command()}")
            raise typer.Exit(INTERRUPTED) from None
    if plot is not None:
        save(answer.draw(), plot)
    if as_json:
        print_json(answer.as_dict())
    elif as_csv:
        from hsctl.export.write import CSV, flat_rows, write_text

        write_text(flat_rows(answer.as_dict()), ("key", "value"), CSV, sys.stdout)
    else:
        print_view(answer.view())
