"""`hsctl compare`: is A better than B? Blocks are played until a sequential test is sure."""

from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import STARTUP_MS, TURN_MS
from hsctl.cli.options import (
    AUTO,
    MOST_GAMES,
    AsJson,
    BotRunner,
    Clock,
    Cluster,
    Ends,
    Env,
    FirstSeed,
    FirstTurn,
    Jobs,
    LedgerFile,
    Memory,
    Nodes,
    Out,
    Pause,
    Sandbox,
    Save,
    SeedsFile,
    ShowBuild,
    Startup,
    Time,
    choose_filed_folder,
    choose_runner,
    choose_seeds,
    read_bot_limits,
    read_ends,
    read_limits,
)
from hsctl.report.console import (
    INTERRUPTED,
    NO,
    UNDECIDED,
    announce,
    print_json,
    print_line,
    print_view,
    tell_missing_replays,
    this_command,
)

if TYPE_CHECKING:
    from hsctl.league.comparison import Comparison
    from hsctl.league.games import Block, League
    from hsctl.league.ledger import Ledger
    from hsctl.league.runner import Runner

GAMES = 20_000
ELO0, ELO1 = 0.0, 10.0
ERROR_RATE = 0.05

EXAMPLES = """
hsctl compare './mybot --new' ./mybot          # is the new version better?
hsctl compare beam:width=500 beam --time 10    # the same for a parameter
hsctl compare ./mybot beam --elo0 -5 --elo1 5  # is it about as strong?
"""

Elo0 = Annotated[float, typer.Option(metavar="ELO", help="Elo lead of A that still counts as `not better`.")]
Elo1 = Annotated[float, typer.Option(metavar="ELO", help="Elo lead of A that the test must recognize as `better`.")]
Alpha = Annotated[float, typer.Option(metavar="P", help="Chance of a wrong `better` if A is only --elo0 stronger.")]
Beta = Annotated[float, typer.Option(metavar="P", help="Chance of a wrong `not better` if A is --elo1 stronger.")]
Games = Annotated[
    int, typer.Option(min=2, max=MOST_GAMES, metavar="N", help="Give up undecided after N games (two per board).")
]


def compare(
    new: Annotated[str, typer.Argument(metavar="A", help="The new version: an agent or a command line.")],
    old: Annotated[str, typer.Argument(metavar="B", help="The version it should beat.")],
    elo0: Elo0 = ELO0,
    elo1: Elo1 = ELO1,
    alpha: Alpha = ERROR_RATE,
    beta: Beta = ERROR_RATE,
    games: Games = GAMES,
    ends: Ends = None,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    time: Time = f"{TURN_MS:g}",
    first_turn: FirstTurn = None,
    startup: Startup = STARTUP_MS,
    nodes: Nodes = None,
    clock: Clock = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    json: AsJson = False,
    save: Save = False,
    out: Out = None,
    memory: Memory = None,
    env: Env = None,
    sandbox: Sandbox = False,
    pause: Pause = False,
    runner: BotRunner = AUTO,
    _: ShowBuild = False,
) -> None:
    """Find out whether A is better than B.

    hsctl plays until a sequential test decides. Exit code: 0 better, 1 not better, 3 undecided. hsctl keeps finished
    games in a ledger, so the same command resumes. If the machine delayed more than 2 % of the turns, hsctl gives no
    verdict.
    """
    from itertools import islice

    from hsctl.league.comparison import BETTER, Comparison, SequentialTest
    from hsctl.league.games import League, pair_blocks, read_league
    from hsctl.league.ledger import Ledger, default_ledger

    texts = read_league([new, old])
    test = SequentialTest(elo0, elo1, alpha, beta)
    blocks = list(islice(pair_blocks(choose_seeds(seed, seeds, games)), -(-games // len(texts))))
    limits = read_limits(time, first_turn, startup, nodes, texts, clock=clock)
    bot_limits = read_bot_limits(memory, env, sandbox, pause, runner)
    folder = choose_filed_folder(out, save or out is not None)
    entered = League(tuple(texts), limits, folder, bot_limits, ends=read_ends(ends))
    comparison = Comparison(entered.names, test, len(blocks), entered.clock)
    with Ledger(ledger or default_ledger()) as opened:
        is_complete = run(entered, comparison, blocks, opened, choose_runner(entered, jobs, cluster))
    show(entered, comparison, json)
    if folder is not None:
        tell_missing_replays(comparison.without_replay)
    if not is_complete:
        announce(f"stopped after {comparison.games} games; this resumes it: {this_command()}")
        raise typer.Exit(INTERRUPTED)
    if comparison.verdict != BETTER:
        raise typer.Exit(UNDECIDED if comparison.verdict is None else NO)


def run(league: "League", comparison: "Comparison", blocks: "list[Block]", ledger: "Ledger", runner: "Runner") -> bool:
    """Play until the test is sure, showing progress on stderr; false if Ctrl-C came before that."""
    from hsctl.league.runner import run_blocks, whole_blocks
    from hsctl.report.comparison import comparison_view
    from hsctl.report.live import live_view
    from hsctl.report.safe_console import SafeConsole

    results = run_blocks(league, blocks, ledger, runner)
    with live_view(SafeConsole(stderr=True), None, lambda: comparison_view(comparison)) as update:
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


def show(league: "League", comparison: "Comparison", as_json: bool) -> None:
    if as_json:
        from hsctl.report.records import comparison_record

        print_json(comparison_record(comparison), indent=None)
    else:
        from hsctl.report.comparison import comparison_view
        from hsctl.report.standings import lost_lines

        print_view(comparison_view(comparison))
        for line in lost_lines(league, comparison.lost, comparison.new):
            print_line(line)
