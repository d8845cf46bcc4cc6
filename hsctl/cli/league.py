"""`hsctl league`: everybody against everybody, no game played twice, rated with intervals."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import STARTUP_MS, TURN_MS
from hsctl.cli.options import (
    AUTO,
    MOST_GAMES,
    PAIRS,
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
    Plot,
    Sandbox,
    Save,
    SeedsFile,
    ShowBuild,
    Size,
    Startup,
    Teams,
    Time,
    Vision,
    choose_filed_folder,
    choose_runner,
    choose_seeds,
    make_folder,
    read_bot_limits,
    read_ends,
    read_limits,
    refuse_several,
)
from hsctl.report.console import INTERRUPTED, announce, print_line, print_view, tell_missing_replays, this_command

if TYPE_CHECKING:
    from hsctl.league.games import Block, League
    from hsctl.league.ledger import Ledger
    from hsctl.league.runner import Runner
    from hsctl.league.standings import Standings

GAMES = 100

EXAMPLES = """
hsctl league beam mcts rhea simple --players 4    # four players in each game
hsctl league beam mcts rhea --gauntlet ./mybot    # against each of them
hsctl league beam mcts rhea --html report         # and a page to share
"""

Players = Annotated[
    list[str] | None,
    typer.Argument(metavar="A B [C ...]", help="Agents (see `hsctl agents`) or command lines such as './mybot'."),
]
Games = Annotated[
    int,
    typer.Option(
        min=1, max=MOST_GAMES, metavar="N", help="Games per pair; with --players 3, 4 or mixed, games in total."
    ),
]
Merge = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="First add the games of another ledger to this one.")
]

Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="DIR",
        help="Save the games and write a web page of the league: DIR/index.html.",
    ),
]
Gauntlet = Annotated[
    str | None,
    typer.Option(metavar="PLAYER", help="Play only this player against the others, not the others among themselves."),
]


def league(
    players: Players = None,
    gauntlet: Gauntlet = None,
    games: Games = GAMES,
    size: Size = PAIRS,
    teams: Teams = False,
    vision: Vision = None,
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
    merge: Merge = None,
    json: AsJson = False,
    plot: Plot = None,
    html: Html = None,
    save: Save = False,
    out: Out = None,
    memory: Memory = None,
    env: Env = None,
    sandbox: Sandbox = False,
    pause: Pause = False,
    runner: BotRunner = AUTO,
    _: ShowBuild = False,
) -> None:
    """Play all players against each other and rate them.

    The players rotate through all seats of each board. hsctl keeps finished games in a ledger, so the same command
    resumes and plays no game twice. --merge FILE without players only adds the games of another ledger.
    """
    from hsctl.league.ledger import Ledger, default_ledger

    path = ledger or default_ledger()
    if not players and merge:
        merge_all(path, merge)
        return
    from hsctl.league.games import League, read_league

    texts = read_league([*([gauntlet] if gauntlet else []), *(players or [])], teams)
    blocks = choose_blocks(len(texts), teams, size, choose_seeds(seed, seeds, games), games, gauntlet)
    limits = read_limits(time, first_turn, startup, nodes, texts, vision, clock)
    folder = choose_filed_folder(out, save or out is not None or html is not None)
    bot_limits = read_bot_limits(memory, env, sandbox, pause, runner)
    entered = League(tuple(texts), limits, folder, bot_limits, teams, ends=read_ends(ends))
    check_files(plot, html)
    merge_all(path, merge or [])
    with Ledger(path) as opened:
        standings, is_complete = run(entered, blocks, opened, choose_runner(entered, jobs, cluster))
    show(entered, standings, plot, html, json, gauntlet is not None)
    tell_what_is_missing(standings, folder, None if is_complete else sum(len(block.lineup) for block in blocks))


def check_files(plot: Path | None, html: Path | None) -> None:
    """Refuse what couldn't be written, before anything is played."""
    if plot is not None:
        from hsctl.report.plots import check_plot

        check_plot(plot)
    if html is not None:
        make_folder(html, "a report")


def write_html(standings: "Standings", folder: Path) -> None:
    from hsctl.report.league_page import write_report

    for refused in write_report(standings, folder):
        announce(f"no page: {refused}")
    announce(f"open it in a browser: {folder / 'index.html'}")


def tell_what_is_missing(standings: "Standings", folder: Path | None, stopped_of: int | None) -> None:
    """Replays that were asked for, and games if the league was stopped; then it ends here."""
    if folder is not None:
        tell_missing_replays(sum(game.replay is None for game in standings.games))
    if stopped_of is not None:
        announce(f"stopped after {len(standings.games)} of {stopped_of} games; this resumes it: {this_command()}")
        raise typer.Exit(INTERRUPTED)


def choose_blocks(
    players: int, is_teamed: bool, size: str, seeds: "Sequence[int] | int", games: int, gauntlet: str | None
) -> "list[Block]":
    from hsctl.league.games import league_blocks, team_blocks

    if not is_teamed:
        return league_blocks(players, size, seeds, games, gauntlet is not None)
    refuse_several({"--teams": True, "--gauntlet": gauntlet})
    if size != PAIRS:
        refuse_several({"--teams": True, "--players": size})
    return team_blocks(players // 2, seeds, games)


def merge_all(path: Path, others: Sequence[Path]) -> None:
    from hsctl.league.ledger import Ledger

    if not others:
        return
    with Ledger(path) as ledger:
        for other in others:
            new = ledger.merge(other, announce)
            announce(f"{other}: {new} games added to {path}, which now has {len(ledger)}")


def run(league: "League", blocks: "Sequence[Block]", ledger: "Ledger", runner: "Runner") -> "tuple[Standings, bool]":
    """Play what the ledger lacks, showing the table on stderr; false if Ctrl-C came before the last was finished."""
    from hsctl.league.runner import run_blocks
    from hsctl.league.standings import Standings, as_teams
    from hsctl.report.live import live_view
    from hsctl.report.safe_console import SafeConsole
    from hsctl.report.standings import cross_table

    standings = Standings(league.names, league.clock)
    total = sum(len(block.lineup) for block in blocks)
    results = run_blocks(league, blocks, ledger, runner)
    with live_view(SafeConsole(stderr=True), total, lambda: cross_table(standings, has_intervals=False)) as update:
        try:
            for game in results:
                standings.add(as_teams(game) if league.is_teamed else game)
                update(len(standings.games))
        except KeyboardInterrupt:
            return standings, False
        finally:
            results.close()
    return standings, True


def losses(league: "League", standings: "Standings", is_gauntlet: bool) -> list[str]:
    """The boards that the player of a gauntlet, or each bot, lost: as commands that play them again."""
    from hsctl.league.comparison import games_lost
    from hsctl.report.standings import lost_lines

    if league.is_teamed:
        return []
    of = [0] if is_gauntlet else [at for at, player in enumerate(league.players) if player.is_bot]
    games = standings.in_order()
    return [line for at in of for line in lost_lines(league, games_lost(games, at), standings.names[at])]


def show(
    league: "League", standings: "Standings", plot: Path | None, html: Path | None, as_json: bool, is_gauntlet: bool
) -> None:
    if as_json:
        from hsctl.report.records import format_record, league_record

        typer.echo(format_record(league_record(standings)))
    elif standings.games:
        from hsctl.report.standings import error_lines, fault_lines, league_view, time_lines
        from hsctl.report.tables import warning_lines

        for line in warning_lines(standings.delays):
            print_line(line)
        print_view(league_view(standings, is_gauntlet))
        faults = fault_lines(standings.names, standings.in_order())
        for line in [*error_lines(standings), *faults, *time_lines(standings), *losses(league, standings, is_gauntlet)]:
            print_line(line)
    if plot is not None and standings.games:
        from hsctl.report.plots import league_figure, save

        save(league_figure(standings), plot)
    if html is not None and standings.games:
        write_html(standings, html)
