"""`hsctl paper`: the paper's tables and figures, and further experiments, each by one command."""

from typing import Annotated

import typer

from engine.errors import HsctlError
from hsctl.commands.experiment import CSV, JSON, perform
from hsctl.commands.options import (
    MOST_GAMES,
    AsJson,
    Cluster,
    FirstSeed,
    Jobs,
    LedgerFile,
    Nodes,
    Plot,
    SeedsFile,
    check_ms,
    choose_seeds,
    refuse_several,
)
from hsctl.commands.output import print_json

EXAMPLES = """
hsctl paper                                      # list all experiments
hsctl paper terms --nodes 5000 --plot terms.png  # repeatable, with a plot
hsctl paper table3 --time 10 --markdown          # quicker, for a page of docs
"""


def paper(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="An experiment. Default: list them all.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_GAMES, metavar="N", help="Games per pair or row. Default: the experiment's own number."
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            min=0.01, callback=check_ms, metavar="MS", help="Time per turn. Default: the experiment's budget."
        ),
    ] = None,
    nodes: Nodes = None,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the answer as CSV: key and value.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the answer as Markdown.")] = False,
    plot: Plot = None,
) -> None:
    """Repeat an experiment of the paper, or run a further one.

    Finished games are kept: the same command resumes.
    """
    refuse_several({"--json": json, "--csv": csv, "--markdown": markdown})
    refuse_several({"--time": time, "--nodes": nodes})
    if name is None:
        show_list(json)
        return
    from hsctl.experiments import find_experiment
    from hsctl.experiments.frame import Effort

    experiment = find_experiment(name)
    if experiment.games is None and (games is not None or nodes is not None):
        raise HsctlError(f"{name} plays no games, expected no --games and no --nodes")
    wanted = games or experiment.games or 0
    own_nodes = experiment.nodes if time is None else None
    effort = Effort(wanted, time or experiment.ms, nodes or own_nodes, choose_seeds(seed, seeds, wanted))
    form = JSON if json else CSV if csv else f"hsctl paper {name}{effort.options}" if markdown else None
    perform(experiment.run, effort, jobs, cluster, ledger, form, plot)


def show_list(as_json: bool) -> None:
    """What each experiment asks, folder by folder."""
    from hsctl.experiments import EXPERIMENTS, HEADINGS

    if as_json:
        print_json({name: entry.question for name, entry in EXPERIMENTS.items()})
        return
    width = max(map(len, EXPERIMENTS))
    for folder, heading in HEADINGS.items():
        typer.echo(f"{heading}:")
        for name, entry in EXPERIMENTS.items():
            if entry.folder == folder:
                typer.echo(f"  {name:{width}}  {entry.question}")
