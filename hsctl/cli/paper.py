"""`hsctl paper`: the paper's tables and figures, and further experiments, each by one command."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.cli.experiment import CSV, JSON, ask, perform
from hsctl.cli.options import (
    MOST_GAMES,
    AsJson,
    Clock,
    Cluster,
    FirstSeed,
    Jobs,
    LedgerFile,
    Nodes,
    Plot,
    SeedsFile,
    check_ms,
    choose_seeds,
    read_clock,
    refuse_beside,
    refuse_several,
)
from hsctl.report.console import NO, announce, print_json

if TYPE_CHECKING:
    from hsctl.research.experiments.frame import Effort, Experiment, ExperimentAnswer, ExperimentStage

    Run = Callable[[ExperimentStage], ExperimentAnswer]

EXAMPLES = """
hsctl paper                                      # list all experiments
hsctl paper table3 --nodes 5000 --plot t3.png    # repeatable, with a plot
hsctl paper --pages docs/papers --full           # fill in docs, for hours
"""


Pages = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Fill in the sections of the pages (*.md) in DIR that name such a command, or only NAME's."
    ),
]
Full = Annotated[bool, typer.Option("--full", help="With --pages: at each experiment's own size.")]
Keep = Annotated[bool, typer.Option("--keep", help="Keep the games in docs/papers/data of a checkout.")]
Check = Annotated[
    bool, typer.Option("--check", help="Check that the pages in docs/papers follow from their data; play nothing.")
]


def paper(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="An experiment. Default: list them all.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_GAMES,
            metavar="N",
            help="Games per pair or row. Default: the experiment's number.",
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            min=0.01, callback=check_ms, metavar="MS", help="Time per turn. Default: the experiment's budget."
        ),
    ] = None,
    nodes: Nodes = None,
    clock: Clock = None,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the answer as CSV: key and value.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the answer as Markdown.")] = False,
    plot: Plot = None,
    pages: Pages = None,
    full: Full = False,
    keep: Keep = False,
    check: Check = False,
) -> None:
    """Repeat an experiment from the paper, or run one that goes beyond it.

    Finished games are kept: the same command resumes.
    """
    refuse_several({"--json": json, "--csv": csv, "--markdown": markdown})
    refuse_several({"--time": time, "--nodes": nodes})
    if check:
        refuse_beside("--check", {"NAME": name, "--pages": pages, "--keep": keep, "--games": games, "--full": full})
        check_docs(json)
        return
    if pages is not None:
        own = {"--json": json, "--csv": csv, "--markdown": markdown, "--plot": plot}
        size = {"--games": games, "--time": time, "--nodes": nodes, "--clock": clock}
        refuse_beside("--pages", {**own, **size, "--seed": seed, "--seeds": seeds})
        fill(pages, name, full, lambda run, effort, of: ask_and_warn(run, effort, jobs, cluster, ledger, of, keep))
        return
    if full:
        raise HsctlError("--full needs --pages")
    if name is None:
        show_list(json)
        return
    experiment = choose_experiment(name, games, nodes)
    boards = choose_seeds(seed, seeds, games or experiment.games or 0)
    effort = plan_effort(experiment, games, time, nodes, boards, clock)
    form = JSON if json else CSV if csv else f"hsctl paper {name}{effort.options}" if markdown else None
    perform(experiment.run, effort, jobs, cluster, ledger, form, plot, name, keep)


def choose_experiment(name: str, games: int | None, nodes: int | None) -> "Experiment":
    from hsctl.research.experiments import find_experiment

    experiment = find_experiment(name)
    if experiment.games is None and (games is not None or nodes is not None):
        raise HsctlError(f"{name} plays no games: leave out --games and --nodes")
    return experiment


def plan_effort(
    experiment: "Experiment",
    games: int | None,
    time: float | None,
    nodes: int | None,
    seeds: Sequence[int] | int,
    clock: str | None,
) -> "Effort":
    from dataclasses import replace

    from hsctl.research.experiments.pages import make_effort

    effort = make_effort(experiment, games, time, nodes, seeds)
    return replace(effort, clock=read_clock(clock, experiment.games is not None and effort.nodes is None))


def ask_and_warn(
    run: "Run",
    effort: "Effort",
    jobs: int | None,
    cluster: str | None,
    ledger: Path | None,
    name: str,
    keep: bool,
) -> "ExperimentAnswer":
    """For pages, which don't mention the machine."""
    from hsctl.report.tables import warning_lines

    answer, stage = ask(run, effort, jobs, cluster, ledger, name, keep)
    for line in warning_lines(stage.delays):
        announce(line)
    return answer


def check_docs(as_json: bool) -> None:
    """Print the sections that do not follow from their data; exit code 1 if there are any."""
    from hsctl.research.experiments.data import FOLDER
    from hsctl.research.experiments.pages import check_pages

    if not FOLDER.parent.is_dir():
        raise HsctlError("--check needs a checkout with docs/papers")
    wrong = check_pages(FOLDER.parent)
    if as_json:
        print_json(wrong)
    for page, why in wrong.items() if not as_json else ():
        typer.echo(f"{page}: {why}")
    if wrong:
        raise typer.Exit(NO)


def fill(folder: Path, name: str | None, is_full: bool, ask: "Callable[[Run, Effort, str], ExperimentAnswer]") -> None:
    """Fill in pages, naming each section that is done."""
    from hsctl.research.experiments import find_experiment
    from hsctl.research.experiments.pages import fill_pages

    if name is not None:
        find_experiment(name)
    for page, command in fill_pages(
        folder, name, is_full, lambda section: ask(section.experiment.run, section.effort, section.name)
    ):
        typer.echo(f"{page}: {command}")


def show_list(as_json: bool) -> None:
    """What each experiment asks: the main paper's first."""
    from hsctl.research.experiments import EXPERIMENTS

    if as_json:
        print_json({name: entry.question for name, entry in EXPERIMENTS.items()})
        return
    width = max(map(len, EXPERIMENTS))
    heading = ""
    for name, entry in EXPERIMENTS.items():
        if entry.heading != heading:
            heading = entry.heading
            typer.echo(f"{heading}:")
        typer.echo(f"  {name:{width}}  {entry.question}")
