"""`hsctl scale`: how strength grows with the budget, measured against a fixed opponent."""

from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_MS, MOST_NODES, HsctlError
from hsctl.cli.experiment import JSON, perform
from hsctl.cli.options import (
    MOST_GAMES,
    AsJson,
    Clock,
    Cluster,
    FirstSeed,
    Jobs,
    LedgerFile,
    Plot,
    SeedsFile,
    choose_seeds,
    read_clock,
    refuse_several,
)

if TYPE_CHECKING:
    from hsctl.research.experiments.scale import Budgets

GAMES = 200
TIMES = "2,5,10,20,50,100"
AGAINST = {"time": "beam:scaled,time=10", "nodes": "beam:scaled,nodes=10000"}

EXAMPLES = """
hsctl scale beam mcts                            # from 2 to 100 ms a turn
hsctl scale beam --nodes 1000,10000 --games 100  # by nodes, repeatable
hsctl scale beam mcts --plot scale.png           # with a plot
"""


def scale(
    players: Annotated[list[str], typer.Argument(metavar="A [B ...]", help="Agents without time= or nodes=.")],
    time: Annotated[
        str | None, typer.Option(metavar="MS,MS,...", help=f"Budgets per turn in milliseconds. Default: {TIMES}.")
    ] = None,
    nodes: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="Limit agents by nodes instead of time, so that games repeat exactly."),
    ] = None,
    clock: Clock = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help=f"The opponent and its budget. Default: {AGAINST['time']}, or nodes=10000 with --nodes.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, metavar="N", help="Games per agent and budget.")] = GAMES,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    json: AsJson = False,
    plot: Plot = None,
) -> None:
    """Measure how strength grows with time or nodes.

    Each agent plays a fixed opponent with one budget after the other. Finished games are kept: the same command
    resumes.
    """
    from hsctl.match.players import read_player
    from hsctl.research.experiments.frame import Effort
    from hsctl.research.experiments.scale import play_scale

    budgets = read_budgets(time, nodes)
    opponent = against or AGAINST[budgets.unit]
    spec = read_player(opponent).spec
    if spec is None or (spec.ms is None and spec.nodes is None):
        raise HsctlError(f"--against {opponent}: give it a budget, as in {AGAINST[budgets.unit]}")
    for player in players:
        budgets.give(player, budgets.amounts[0])
    effort = Effort(games, None, None, choose_seeds(seed, seeds, games), read_clock(clock, budgets.unit == "time"))
    form = JSON if json else None
    perform(lambda stage: play_scale(stage, players, opponent, budgets), effort, jobs, cluster, ledger, form, plot)


def read_budgets(time: str | None, nodes: str | None) -> "Budgets":
    from hsctl.research.experiments.scale import Budgets

    refuse_several({"--time": time, "--nodes": nodes})
    if nodes is not None:
        return Budgets("nodes", read_amounts("--nodes", nodes))
    return Budgets("time", read_amounts("--time", time or TIMES))


def read_amounts(option: str, text: str) -> tuple[float, ...]:
    try:
        amounts = [float(part) if option == "--time" else int(part) for part in text.split(",")]
    except ValueError:
        amounts = [0]
    most = MOST_MS if option == "--time" else MOST_NODES
    if not all(0 < amount <= most for amount in amounts):
        raise HsctlError(f"{option} {text}: write numbers above 0, at most {most:.0f}, separated by commas")
    return tuple(sorted(set(amounts)))
