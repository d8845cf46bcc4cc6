"""`hsctl play`: one game or a series between agents and external bots, under the arena's clock."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.commands.options import (
    STARTUP_MS,
    TURN_MS,
    FirstTurn,
    Jobs,
    Memory,
    Nodes,
    Startup,
    Teams,
    Time,
    Vision,
    check_seed,
    choose_folder,
    read_limits,
)
from hsctl.commands.output import INTERRUPTED, announce, print_view

if TYPE_CHECKING:
    from hsctl.league.series import GameTask, Match
    from hsctl.stats.score import Score
    from replays.replay import Start

EXAMPLES = """
hsctl play beam mcts                         # one game on a random board
hsctl play beam ./mybot --games 100          # a series from all seats
hsctl play beam mcts --nodes 20000 --seed 7  # can be repeated exactly
"""


def play(
    players: Annotated[
        list[str],
        typer.Argument(metavar="A B [C [D]]", help="Agents (see `hsctl agents`) or command lines, as './mybot'."),
    ],
    teams: Teams = False,
    vision: Vision = None,
    seed: Annotated[int | None, typer.Option(help="The arena's seed: its board. Default: a random one.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FILE@TURN", help="Start from this turn of a replay.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start from a position in the arena's text.")
    ] = None,
    time: Time = f"{TURN_MS:g}",
    first_turn: FirstTurn = None,
    startup: Startup = STARTUP_MS,
    nodes: Nodes = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Play N games: seeds S, S+1, ..., each from every seat.")
    ] = None,
    jobs: Jobs = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the game as it is played.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object; ranks and boxes of a game are in order of `seats`.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Save replays here, not in the data folder.")] = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Save no replays.")] = False,
    memory: Memory = None,
) -> None:
    """Play a game, or a series, and keep every game as a replay."""
    from hsctl.arena.players import read_players, read_two_teams

    texts = read_two_teams(players) if teams else read_players(players)
    start, replay_seed = find_start(from_, state, len(texts))
    check_teams(start, teams)
    first_seed = choose_seed(seed, replay_seed, games or 1)
    limits = read_limits(time, first_turn, startup, nodes, texts, vision)
    if out is not None and no_save:
        raise HsctlError("--out and --no-save: expected one of the two")
    folder = choose_folder(out, not no_save)

    from hsctl.league.series import Match, tasks_of

    match = Match(tuple(texts), limits, start, folder, memory, teams)
    tasks = tasks_of(match, first_seed, games or 1)
    score, is_complete = run(match, tasks, choose_jobs(jobs, len(tasks), watch), watch)
    show(score, is_series=games is not None, as_json=json)
    if not is_complete:
        announce(f"stopped after {len(score.games)} of {len(tasks)} games")
        raise typer.Exit(INTERRUPTED)


# What was asked for


def find_start(reference: str | None, state: Path | None, seats: int) -> "tuple[Start | None, int | None]":
    """The position to start from, None for the seed's board; and the seed of the game it was taken from."""
    if reference is None and state is None:
        return None, None
    if reference is not None and state is not None:
        raise HsctlError("--from and --state: expected one of the two")
    from hsctl.arena.start import start_from_file, start_from_replay

    if reference is not None:
        return start_from_replay(reference, seats)
    assert state is not None
    return start_from_file(state, seats), None


def check_teams(start: "Start | None", is_teamed: bool) -> None:
    """Refuse a start that doesn't go with teams, or doesn't go without."""
    if start is None or not (start.teams or is_teamed):
        return
    if not is_teamed:
        raise HsctlError("--from: that game has two teams, expected --teams A+B C+D")
    from engine.teams import TEAMS, in_teams
    from replays.playback import game_from

    if in_teams(game_from(start)).teams_left < len(TEAMS):
        raise HsctlError("--teams: one team is out in that position, expected a living player in seats 0, 1 and 2, 3")


def choose_seed(seed: int | None, replay_seed: int | None, games: int) -> int:
    """The seed asked for, or that of the replay that the game goes on from, or a random one."""
    if seed is None:
        from secrets import randbelow

        return randbelow(10**9) if replay_seed is None else replay_seed
    return check_seed(seed, games)


def choose_jobs(jobs: int | None, games: int, watch: bool) -> int:
    if watch:
        if jobs is not None and jobs > 1:
            raise HsctlError("--watch shows one game at a time, expected no --jobs above 1")
        return 1
    if jobs is None:
        from hsctl.league.cores import core_count

        jobs = core_count()
    return min(jobs, games)


# What is done


def run(match: "Match", tasks: "list[GameTask]", jobs: int, is_watched: bool) -> "tuple[Score, bool]":
    """Play all games, showing on stderr how it goes; false if Ctrl-C came before the last was finished."""
    from rich.console import Console

    from hsctl.arena.players import names_of
    from hsctl.league.series import warm_up
    from hsctl.stats.score import Score
    from hsctl.views.live import play_all

    console = Console(stderr=True)
    if is_watched and not console.is_terminal:
        raise HsctlError("--watch needs a terminal on stderr")
    warm_up(match, announce, is_playing_here=jobs == 1)
    score = Score(names_of(match.players))
    return score, play_all(tasks, jobs, score, console, is_watched)


def show(score: "Score", is_series: bool, as_json: bool) -> None:
    from hsctl.views.report import error_lines, format_json, game_view, replay_lines, series_view

    if as_json:
        typer.echo(format_json(score))
    elif score.games:
        view = series_view(score) if is_series else game_view(score.games[0], score.names)
        print_view(view)
        for line in [*error_lines(score), *replay_lines(score)]:
            typer.echo(line)
