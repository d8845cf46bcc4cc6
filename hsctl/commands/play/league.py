"""`hsctl league`: everybody against everybody, played once, resumed by the same command, rated with intervals."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
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
    Teams,
    Time,
    Vision,
    choose_folder,
    choose_runner,
    choose_seeds,
    read_limits,
)
from hsctl.commands.output import INTERRUPTED, announce, print_view, this_command

if TYPE_CHECKING:
    from hsctl.league.ledger import Ledger
    from hsctl.league.lineups import Block
    from hsctl.league.runner import League, Runner
    from hsctl.stats.standings import Standings

GAMES = 100
PAIRS = "2"  # in a game

EXAMPLES = """
hsctl league beam mcts rhea ./mybot --games 200  # 200 games of each pair
hsctl league beam mcts rhea simple --players 4   # four players in each game
hsctl league --merge other.sqlite                # add another ledger's games
"""


def league(
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="A B [C ...]", help="Agents (see `hsctl agents`) or command lines, as './mybot'."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Games of each pair, or in all with more than two in a game; whole blocks."
        ),
    ] = GAMES,
    size: Annotated[
        str, typer.Option("--players", metavar="2|3|4|mixed", help="How many sit in a game; mixed: all of these.")
    ] = PAIRS,
    teams: Teams = False,
    vision: Vision = None,
    seed: FirstSeed = None,
    seeds: SeedsFile = None,
    time: Time = f"{TURN_MS:g}",
    first_turn: FirstTurn = None,
    startup: Startup = STARTUP_MS,
    nodes: Nodes = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: LedgerFile = None,
    merge: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Take the games of another ledger into this one first.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw ratings and places: PNG, SVG or PDF (needs [plot]).")
    ] = None,
    save: Annotated[bool, typer.Option("--save", help="Keep every game as a replay, in the data folder.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep every game as a replay, here.")] = None,
    memory: Memory = None,
) -> None:
    """Play a league and rate its players. The unit is a block: one seed, every seat rotation.

    Finished games are kept in a ledger: the same command resumes, and a game is never played twice.
    """
    from hsctl.league.ledger import Ledger, default_ledger
    from hsctl.league.lineups import league_blocks, team_blocks
    from hsctl.league.runner import League, read_league

    path = ledger or default_ledger()
    if not players and merge:
        merge_all(path, merge)
        return
    texts = read_league(players or [], teams)
    if teams and size != PAIRS:
        raise HsctlError(f"--teams and --players {size}: expected one of the two (teams are two against two)")
    chosen = choose_seeds(seed, seeds, games)
    blocks = team_blocks(len(texts) // 2, chosen, games) if teams else league_blocks(len(texts), size, chosen, games)
    limits = read_limits(time, first_turn, startup, nodes, texts, vision)
    folder = choose_folder(out, save or out is not None)
    folder = folder and folder.resolve()  # a ledger is read from anywhere
    entered = League(tuple(texts), limits, folder, memory, teams)
    if plot is not None:
        from hsctl.views.plots import check_plot

        check_plot(plot)
    merge_all(path, merge or [])
    with Ledger(path) as opened:
        standings, is_complete = run(entered, blocks, opened, choose_runner(entered, jobs, cluster))
    show(standings, json)
    if entered.folder is not None and (without := sum(game.row.replay is None for game in standings.games)):
        announce(f"{without} games were known already and have no replay (another --ledger plays them again)")
    if plot is not None and standings.games:
        from hsctl.views.league_plot import draw_league

        draw_league(standings, plot)
    if not is_complete:
        total = sum(len(block.lineup) for block in blocks)
        announce(f"stopped after {len(standings.games)} of {total} games; this goes on: {this_command()}")
        raise typer.Exit(INTERRUPTED)


def merge_all(path: Path, others: Sequence[Path]) -> None:
    from hsctl.league.ledger import Ledger

    if not others:
        return
    with Ledger(path) as ledger:
        for other in others:
            new = ledger.merge(other)
            announce(f"{other}: {new} games are new to {path}, which has {len(ledger)} now")


def run(league: "League", blocks: "Sequence[Block]", ledger: "Ledger", runner: "Runner") -> "tuple[Standings, bool]":
    """Play what is lacking, showing on stderr how it goes; false if Ctrl-C came before the last was finished."""
    from rich.console import Console

    from hsctl.league.runner import run_blocks
    from hsctl.league.team_games import as_teams
    from hsctl.stats.standings import Standings
    from hsctl.views.league_live import live_view
    from hsctl.views.league_view import cross_table

    standings = Standings(league.names)
    total = sum(len(block.lineup) for block in blocks)
    results = run_blocks(league, blocks, ledger, runner)
    with live_view(Console(stderr=True), total, lambda: cross_table(standings, has_intervals=False)) as update:
        try:
            for game in results:
                standings.add(as_teams(game) if league.is_teamed else game)
                update(len(standings.games))
        except KeyboardInterrupt:
            return standings, False
        finally:
            results.close()
    return standings, True


def show(standings: "Standings", as_json: bool) -> None:
    from hsctl.views.league_view import error_lines, format_record, league_record, league_view

    if as_json:
        typer.echo(format_record(league_record(standings)))
    elif standings.games:
        print_view(league_view(standings))
        for line in error_lines(standings):
            typer.echo(line)
