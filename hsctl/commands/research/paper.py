"""`hsctl paper`: the paper's tables and further experiments, each by one command."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.commands.options import Cluster, FirstSeed, Jobs, LedgerFile, Nodes, SeedsFile
from hsctl.commands.output import INTERRUPTED, announce, print_json, print_view, this_command
from hsctl.experiments import EXPERIMENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from hsctl.experiments.frame import Answer, Effort, Stage

PLOT = typer.Option(metavar="FILE", help="Draw it, as PNG, SVG or PDF (needs the [plot] extra).")

EXAMPLES = """
hsctl paper                                      # what there is to ask
hsctl paper table3 --games 100                   # a smaller Table 3
hsctl paper terms --nodes 5000 --plot terms.png  # repeatable, and drawn
"""


def paper(
    name: Annotated[str | None, typer.Argument(help=f"One of {', '.join(EXPERIMENTS)}; none: what each asks.")] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games of each pair or row. Default: as many as the paper's.")
    ] = None,
    time: Annotated[
        float | None, typer.Option(min=0.01, metavar="MS", help="Time for a turn. Default: the experiment's own.")
    ] = None,
    nodes: Nodes = None,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[Path | None, PLOT] = None,
) -> None:
    """Repeat an experiment of the paper, or ask a further question. Finished games are kept: the command resumes."""
    if name is None:
        show_list(json)
        return
    from hsctl.commands.options import choose_seeds
    from hsctl.experiments import find_experiment
    from hsctl.experiments.frame import Effort

    experiment = find_experiment(name)
    if experiment.games is None and (games is not None or nodes is not None):
        raise HsctlError(f"{name} measures and plays no games, expected no --games and no --nodes")
    wanted = games or experiment.games or 0
    effort = Effort(wanted, time or experiment.ms, nodes, choose_seeds(seed, seeds, wanted))
    perform(experiment.run, effort, jobs, cluster, ledger, json, plot)


def show_list(as_json: bool) -> None:
    if as_json:
        print_json(EXPERIMENTS)
        return
    width = max(map(len, EXPERIMENTS))
    for name, question in EXPERIMENTS.items():
        typer.echo(f"{name:{width}}  {question}")


def perform(
    run: "Callable[[Stage], Answer]",
    effort: "Effort",
    jobs: int | None,
    cluster: str | None,
    ledger: Path | None,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Run an experiment and show its answer; if it is stopped, tell how it goes on."""
    from rich.console import Console

    from hsctl.commands.options import choose_runner
    from hsctl.experiments.frame import Stage
    from hsctl.league.ledger import Ledger, default_ledger
    from hsctl.views.plots import check_plot, save

    if plot is not None:
        check_plot(plot)
    console = Console(stderr=True)
    with Ledger(ledger or default_ledger()) as kept:
        stage = Stage(effort, kept, lambda league: choose_runner(league, jobs, cluster), console)
        try:
            answer = run(stage)
        except KeyboardInterrupt:
            announce(f"stopped; finished games are kept, this goes on: {this_command()}")
            raise typer.Exit(INTERRUPTED) from None
    if plot is not None:
        save(answer.draw(), plot)
    if as_json:
        print_json(answer.as_dict())
    else:
        print_view(answer.view())
