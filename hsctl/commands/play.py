"""`hsctl play`: one game or a series between agents and external bots, under the arena's clock."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError

if TYPE_CHECKING:
    from hsctl.arena.players import PlayerText
    from hsctl.arena.score import Score
    from hsctl.arena.series import GameTask, Match
    from replays.replay import Limits, Start

FIRST_TURN_MS = 1000.0  # the arena's clock
TURN_MS = 100.0
STARTUP_MS = 5000.0
SEED_BITS = 63
INTERRUPTED = 130  # exit code


def play(
    players: Annotated[
        list[str],
        typer.Argument(metavar="A B [C [D]]", help="Agents (see `hsctl agents`) or command lines, as './mybot'."),
    ],
    seed: Annotated[int | None, typer.Option(help="The arena's seed: its board. Default: a random one.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FILE@TURN", help="Start from this turn of a replay.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start from a position in the arena's text.")
    ] = None,
    time: Annotated[str, typer.Option(metavar="MS|none", help="Time for a turn; none: no clock.")] = f"{TURN_MS:g}",
    first_turn: Annotated[
        str | None, typer.Option(metavar="MS|none", help="Time for the first turn. Default: 1000, or --time if more.")
    ] = None,
    startup: Annotated[
        float, typer.Option(metavar="MS", help="What an external bot may take to start, on top of its first turn.")
    ] = STARTUP_MS,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Agents think so many nodes, not in time: games can be repeated exactly.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Play N games: seeds S, S+1, ..., each from every seat.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games side by side. Default: one per core.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the game as it is played.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object; ranks and boxes of a game are in order of `seats`.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Save replays here, not in the data folder.")] = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Save no replays.")] = False,
    memory: Annotated[
        int | None, typer.Option(min=1, metavar="MB", help="Resident memory an external bot may hold.")
    ] = None,
) -> None:
    """Play a game, or a series, and keep every game as a replay."""
    from hsctl.arena.players import read_players

    texts = read_players(players)
    start, replay_seed = find_start(from_, state, len(texts))
    first_seed = choose_seed(seed, replay_seed, games or 1)
    limits = read_limits(time, first_turn, startup, nodes, texts)
    folder = choose_folder(out, no_save)

    from hsctl.arena.series import Match, tasks_of

    match = Match(tuple(texts), limits, start, folder, memory)
    tasks = tasks_of(match, first_seed, games or 1)
    score, is_complete = run(match, tasks, choose_jobs(jobs, len(tasks), watch), watch)
    show(score, is_series=games is not None, as_json=json)
    if not is_complete:
        typer.echo(f"stopped after {len(score.games)} of {len(tasks)} games", err=True)
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


def choose_seed(seed: int | None, replay_seed: int | None, games: int) -> int:
    """The seed asked for, or that of the replay that the game goes on from, or a random one."""
    if seed is None:
        from secrets import randbelow

        return randbelow(10**9) if replay_seed is None else replay_seed
    if not -(1 << SEED_BITS) <= seed < (1 << SEED_BITS) - games:
        raise HsctlError(f"--seed {seed}: expected a number of {SEED_BITS + 1} bits, as the arena's seeds are")
    return seed


def read_limits(
    time: str, first_turn: str | None, startup: float, nodes: int | None, players: "list[PlayerText]"
) -> "Limits":
    from replays.replay import Limits

    turn_ms = read_ms("--time", time)
    if first_turn is not None:
        first_turn_ms = read_ms("--first-turn", first_turn)
    else:
        first_turn_ms = None if turn_ms is None else max(FIRST_TURN_MS, turn_ms)
    if not 0 <= startup < float("inf"):
        raise HsctlError(f"--startup {startup:g}: expected milliseconds, 0 or more")
    if nodes is not None and all(player.spec is not None for player in players):
        return Limits(nodes=nodes)  # nobody is under a clock
    return Limits(first_turn_ms, turn_ms, startup, nodes)


def read_ms(option: str, text: str) -> float | None:
    """Milliseconds; None for `none`, which is no limit."""
    if text.lower() == "none":
        return None
    try:
        ms = float(text)
    except ValueError:
        ms = 0.0
    if not 0 < ms < float("inf"):
        raise HsctlError(f"{option} {text}: expected milliseconds above 0, or none")
    return ms


def choose_folder(out: Path | None, no_save: bool) -> Path | None:
    """Where replays go, made and tried before anything is played."""
    import os

    from replays.store import replay_folder

    if no_save:
        if out is not None:
            raise HsctlError("--out and --no-save: expected one of the two")
        return None
    folder = replay_folder() if out is None else out
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HsctlError(f"{folder}: {error.strerror}, expected a folder for replays (or --no-save)") from None
    if not os.access(folder, os.W_OK):
        raise HsctlError(f"{folder}: can't be written to, expected a folder for replays (or --no-save)")
    return folder


def choose_jobs(jobs: int | None, games: int, watch: bool) -> int:
    if watch:
        if jobs is not None and jobs > 1:
            raise HsctlError("--watch shows one game at a time, expected no --jobs above 1")
        return 1
    if jobs is None:
        from hsctl.arena.cores import core_count

        jobs = core_count()
    return min(jobs, games)


# What is done


def run(match: "Match", tasks: "list[GameTask]", jobs: int, is_watched: bool) -> "tuple[Score, bool]":
    """Play all games, showing on stderr how it goes; false if Ctrl-C came before the last was finished."""
    from rich.console import Console

    from hsctl.arena.live import play_all
    from hsctl.arena.players import names_of
    from hsctl.arena.score import Score
    from hsctl.arena.series import warm_up

    console = Console(stderr=True)
    if is_watched and not console.is_terminal:
        raise HsctlError("--watch needs a terminal on stderr")
    warm_up(match, lambda text: typer.echo(text, err=True), is_playing_here=jobs == 1)
    score = Score(names_of(match.players))
    return score, play_all(tasks, jobs, score, console, is_watched)


def show(score: "Score", is_series: bool, as_json: bool) -> None:
    from hsctl.arena.report import error_lines, format_json, game_view, replay_lines, series_view

    if as_json:
        typer.echo(format_json(score))
    elif score.games:
        from rich.console import Console

        view = series_view(score) if is_series else game_view(score.games[0], score.names)
        Console(highlight=False).print(view)
        for line in [*error_lines(score), *replay_lines(score)]:
            typer.echo(line)
