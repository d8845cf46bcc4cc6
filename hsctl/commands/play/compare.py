"""`hsctl compare`: is A better than B? Blocks are played until a sequential test knows."""

from typing import TYPE_CHECKING, Annotated

import typer

from hsctl.commands.options import (
    STARTUP_MS,
    TURN_MS,
    Cluster,
    FirstSeed,
    FirstTurn,
    Jobs,
    LedgerFile,
    Memory,
    Nodes,
    SeedsFile,
    Startup,
    Time,
    choose_runner,
    choose_seeds,
    read_limits,
)
from hsctl.commands.output import INTERRUPTED, NO, UNDECIDED, announce, print_json, print_view, this_command

if TYPE_CHECKING:
    from hsctl.league.ledger import Ledger
    from hsctl.league.lineups import Block
    from hsctl.league.runner import League, Runner
    from hsctl.stats.comparison import Comparison

GAMES = 20_000
ELO0, ELO1 = 0.0, 10.0
ERROR_RATE = 0.05

EXAMPLES = """
hsctl compare './mybot --new' ./mybot          # is the new version better?
hsctl compare beam:width=500 beam --time 10    # the same for a parameter
hsctl compare ./mybot beam --elo0 -5 --elo1 5  # is it about as strong?
"""


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="The new version: an agent or a command line.")],
    second: Annotated[str, typer.Argument(metavar="B", help="What it shall be better than.")],
    elo0: Annotated[float, typer.Option(help="`Not better` means: no stronger than by so much.")] = ELO0,
    elo1: Annotated[float, typer.Option(help="`Better` means: stronger, and found out surely if by so much.")] = ELO1,
    alpha: Annotated[float, typer.Option(help="Chance of `better` though A is only elo0 stronger.")] = ERROR_RATE,
    beta: Annotated[float, typer.Option(help="Chance of `not better` though A is elo1 stronger.")] = ERROR_RATE,
    games: Annotated[int, typer.Option(min=2, metavar="N", help="Give up after N games, undecided.")] = GAMES,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    time: Time = f"{TURN_MS:g}",
    first_turn: FirstTurn = None,
    startup: Startup = STARTUP_MS,
    nodes: Nodes = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    memory: Memory = None,
) -> None:
    """Is A better than B? Plays until it is clear: exit code 0 better, 1 not better, 3 undecided.

    Finished games are kept in a ledger: the same command resumes, and a game is never played twice.
    """
    from itertools import islice

    from hsctl.league.ledger import Ledger, default_ledger
    from hsctl.league.lineups import pair_blocks
    from hsctl.league.runner import League, read_league
    from hsctl.stats.comparison import Comparison
    from hsctl.stats.sequential import BETTER, SequentialTest

    texts = read_league([first, second])
    test = SequentialTest(elo0, elo1, alpha, beta)
    blocks = list(islice(pair_blocks(choose_seeds(seed, seeds, games)), -(-games // len(texts))))
    entered = League(tuple(texts), read_limits(time, first_turn, startup, nodes, texts), memory_mb=memory)
    comparison = Comparison(entered.names, test, most_blocks=len(blocks))
    with Ledger(ledger or default_ledger()) as opened:
        is_complete = run(entered, comparison, blocks, opened, choose_runner(entered, jobs, cluster))
    show(comparison, json)
    if not is_complete:
        announce(f"stopped after {comparison.games} games; this goes on: {this_command()}")
        raise typer.Exit(INTERRUPTED)
    if test.verdict != BETTER:
        raise typer.Exit(UNDECIDED if test.verdict is None else NO)


def run(league: "League", comparison: "Comparison", blocks: "list[Block]", ledger: "Ledger", runner: "Runner") -> bool:
    """Play until the test knows, showing on stderr how it stands; false if Ctrl-C came before that."""
    from rich.console import Console

    from hsctl.league.runner import run_blocks, whole_blocks
    from hsctl.views.league_live import live_view

    results = run_blocks(league, blocks, ledger, runner)
    with live_view(Console(stderr=True), None, comparison.view) as update:
        try:
            for block in whole_blocks(results):
                comparison.add(block)
                update(comparison.games)
                if comparison.test.verdict is not None:
                    break
        except KeyboardInterrupt:
            return False
        finally:
            results.close()
    return True


def show(comparison: "Comparison", as_json: bool) -> None:
    if as_json:
        print_json(comparison.record(), indent=None)
    else:
        print_view(comparison.view())
