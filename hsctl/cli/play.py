"""`hsctl play`: one game or a series between agents and external bots, under the arena's clock."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.errors import STARTUP_MS, TURN_MS, HsctlError
from hsctl.cli.options import (
    AUTO,
    MOST_GAMES,
    AsJson,
    BotRunner,
    Clock,
    Ends,
    Env,
    FirstTurn,
    Jobs,
    Memory,
    Nodes,
    Pause,
    Sandbox,
    ShowBuild,
    Startup,
    Teams,
    Time,
    Vision,
    check_seed,
    choose_folder,
    read_bot_limits,
    read_ends,
    read_limits,
    refuse_several,
)
from hsctl.cli.people import Pace, Practice, check_people
from hsctl.cli.play_on import GivenMove, NoVary, PlayOnRequest, Swap, TrustFile, play_on
from hsctl.report.console import INTERRUPTED, NO, announce, print_line, print_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hsctl.cli.people import People
    from hsctl.league.games import League
    from hsctl.league.standings import Standings
    from hsctl.match.players import PlayerText
    from hsctl.match.result import GameResult
    from hsctl.match.runner import GameTask
    from replays.replay import Limits, Start

EXAMPLES = """
hsctl play beam mcts                                # one game
hsctl play beam ./mybot --games 100                 # a series from all seats
hsctl play --from game.json@42 --move 0='MOVE 3 4'  # what if?
"""

Players = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="A B [C [D]]", help="Agents (see `hsctl agents`), command lines such as './mybot', ghosts, or `me`."
    ),
]
Watch = Annotated[bool, typer.Option("--watch", help="Step through the game while it is played.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Save replays in DIR instead of the data folder.")]
Map = Annotated[
    str | None,
    typer.Option("--map", metavar="OPTIONS", help="Board from the arena's game options, such as 'seed=1 boxes=34'."),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FILE@TURN",
        help="Start from a turn of a recorded game. Name no players to let the recorded ones play on.",
    ),
]
State = Annotated[Path | None, typer.Option(metavar="FILE", help="Start from a position in the arena's text format.")]

Games = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_GAMES, metavar="N", help="Play N games. The players rotate through all seats of each board."
    ),
]


def play(
    context: typer.Context,
    players: Players = None,
    teams: Teams = False,
    vision: Vision = None,
    ends: Ends = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Seed of the board. Default: a random one.")] = None,
    map_: Map = None,
    from_: From = None,
    swap: Swap = None,
    move: GivenMove = None,
    no_vary: NoVary = False,
    trust: TrustFile = False,
    state: State = None,
    time: Time = f"{TURN_MS:g}",
    first_turn: FirstTurn = None,
    startup: Startup = STARTUP_MS,
    nodes: Nodes = None,
    clock: Clock = None,
    games: Games = None,
    jobs: Jobs = None,
    watch: Watch = False,
    no_board: Annotated[bool, typer.Option("--no-board", help="Show a progress bar instead of the board.")] = False,
    pace: Pace = None,
    practice: Practice = False,
    json: AsJson = False,
    out: Out = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Don't save replays.")] = False,
    memory: Memory = None,
    env: Env = None,
    sandbox: Sandbox = False,
    pause: Pause = False,
    runner: BotRunner = AUTO,
    _: ShowBuild = False,
) -> None:
    """Play a game or a series of games, and save each as a replay.

    For a series, hsctl prints wins, boxes, deaths and thinking times with 95 % intervals. The exit code is 1 if a bot
    failed in every game.

    ghost:FILE#PLAYER[,then=AGENT] repeats a player's recorded moves. Where a move is now illegal or deadly, AGENT
    plays instead (default: beam). me and me:NAME are people at the keyboard.

    --from FILE@TURN without players continues a recorded game. Ghosts stand in for players that can't run here. With
    --games, hsctl shows each player's chance to win, with and without --swap and --move.
    """
    refuse_several({"--out": out, "--no-save": no_save})
    bot_limits = read_bot_limits(memory, env, sandbox, pause, runner)
    if from_ is not None and not players:
        how = (games, not no_vary, jobs, watch, bot_limits, choose_folder(out, not no_save), json, trust, time, nodes)
        return play_on(context, PlayOnRequest(from_, swap or [], move or [], *how))
    texts = name_players(players, teams, {"--swap": swap, "--move": move, "--no-vary": no_vary, "--trust": trust})
    people = check_people(texts, pace, practice, context.params)
    start, replay_seed = find_start(texts, seed, map_, from_, state)
    check_teams(start, teams)
    limits = read_limits(time, first_turn, startup, nodes, texts, vision, clock, is_series=(games or 1) > 1)
    rules = (bot_limits, teams, start, read_ends(ends, start), games is not None and not watch)
    first_seed, folder = choose_seed(seed, replay_seed, games or 1), choose_folder(out, not no_save)
    league, tasks = plan_series(texts, limits, folder, rules, first_seed, games or 1)
    end(*play_series(league, tasks, jobs, watch, people, not no_board), len(tasks), games is not None, json)


def plan_series(
    players: "Sequence[PlayerText]",
    limits: "Limits",
    folder: Path | None,
    rules: tuple[Any, ...],
    seed: int,
    games: int,
) -> "tuple[League, list[GameTask]]":
    """The games to play; `rules` are the further fields of a League."""
    from hsctl.league.games import League, series_tasks

    league = League(tuple(players), limits, folder, *rules)
    return league, series_tasks(league, seed, games)


def play_series(
    league: "League",
    tasks: "list[GameTask]",
    jobs: int | None,
    is_watched: bool,
    people: "People | None",
    has_board: bool,
) -> "tuple[Standings, bool]":
    """Play all games and count them; false if they were stopped before the last was over."""
    from hsctl.cli.playing import play_all
    from hsctl.league.standings import Standings
    from hsctl.match.players import names_of
    from hsctl.report.live import running_score

    standings = Standings(names_of(league.players), league.clock)

    def add(game: "GameResult") -> str:
        standings.add(game)
        return running_score(standings)

    return standings, play_all(tasks, jobs, is_watched, add, people, has_board)


def end(standings: "Standings", is_complete: bool, of: int, is_series: bool, as_json: bool) -> None:
    """Show the games, and exit with the code of the result."""
    show(standings, is_series, as_json)
    leave_if_stopped(is_complete, len(standings.games), of)
    if any(player.is_hopeless for player in standings.players):
        raise typer.Exit(NO)


def leave_if_stopped(is_complete: bool, games: int, of: int) -> None:
    if not is_complete:
        announce("the game was stopped before its end" if of == 1 else f"stopped after {games} of {of} games")
        raise typer.Exit(INTERRUPTED)


# The request


def name_players(players: list[str] | None, is_teamed: bool, changes: dict[str, object]) -> "list[PlayerText]":
    """The players of a new game; notes on ghosts are announced."""
    from hsctl.match.players import read_anybody, read_players, read_two_teams

    for option, value in changes.items():
        if value:
            raise HsctlError(f"{option} needs --from FILE@TURN without players")
    if not players:
        raise HsctlError("no players: name two to four, such as: hsctl play beam mcts")
    texts = read_two_teams(players, read_anybody) if is_teamed else read_players(players, read_anybody)
    announce_ghosts(texts)
    return texts


def find_start(
    players: "Sequence[PlayerText]", seed: int | None, options: str | None, reference: str | None, state: Path | None
) -> "tuple[Start | None, int | None]":
    """The position to start from, None for the seed's board; and the seed of the game it was taken from."""
    from replays.opening import open_reference

    refuse_several({"--map": options, "--seed": seed})
    refuse_several({"--map": options, "--from": reference, "--state": state})
    from hsctl.match.start import start_from_file, start_from_options, start_from_record

    if reference is not None:
        _, turn, record = open_reference(reference, announce)
        return start_from_record(record, turn, len(players)), record.seed
    if state is not None:
        return start_from_file(state, len(players)), None
    if options is not None:
        return start_from_options(options, len(players))
    if seed is None and any(player.ghost for player in players):
        from hsctl.match.ghosts import start_of_ghosts

        return start_of_ghosts(players)
    return None, None


def announce_ghosts(players: "Sequence[PlayerText]") -> None:
    if any(player.ghost for player in players):
        from hsctl.match.ghosts import notes_on_ghosts

        for note in notes_on_ghosts(players):
            announce(note)


def check_teams(start: "Start | None", is_teamed: bool) -> None:
    """Refuse a position that can't be played with teams, or only with teams."""
    if start is None or not (start.teams or is_teamed):
        return
    if not is_teamed:
        raise HsctlError("--from: the game has two teams; name them with --teams A+B C+D")
    from engine.variants import TEAMS, in_teams
    from replays.playback import game_from

    if in_teams(game_from(start)).teams_left < len(TEAMS):
        raise HsctlError("--teams: a team is dead in this position; a player must live in seat 0 or 1, and in 2 or 3")


def choose_seed(seed: int | None, replay_seed: int | None, games: int) -> int:
    """The seed that was asked for, or that of the replay the game starts from, or a random one."""
    if seed is None:
        from secrets import randbelow

        return randbelow(10**9) if replay_seed is None else replay_seed
    return check_seed(seed, games)


def show(standings: "Standings", is_series: bool, as_json: bool) -> None:
    if as_json:
        from hsctl.report.records import format_record, series_record

        typer.echo(format_record(series_record(standings)))
    elif standings.games:
        from hsctl.report.game import game_view
        from hsctl.report.standings import error_lines, fault_lines, next_lines, remark_lines, series_view, time_lines
        from hsctl.report.tables import warning_lines

        for line in warning_lines(standings.delays):
            print_line(line)
        errors, is_hopeless = error_lines(standings), any(player.is_hopeless for player in standings.players)
        for line in errors if is_hopeless else ():
            print_line(line)
        print_view(series_view(standings) if is_series else game_view(standings.games[0], standings.names))
        told = [*fault_lines(standings.names, standings.in_order()), *remark_lines(standings)]
        rest = [*told, *time_lines(standings), *next_lines(standings)]
        for line in rest if is_hopeless else [*errors, *rest]:
            print_line(line)
