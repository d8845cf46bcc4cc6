"""Options that several commands share: clock, budget, workers, ledger; and how they are read."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError

if TYPE_CHECKING:
    from hsctl.arena.players import PlayerText
    from hsctl.league.runner import League, Runner
    from replays.replay import Limits

FIRST_TURN_MS = 1000.0  # the arena's clock
TURN_MS = 100.0
STARTUP_MS = 5000.0
SEED_BITS = 63
UNDECIDED = 3  # exit codes
INTERRUPTED = 130

Time = Annotated[str, typer.Option(metavar="MS|none", help="Time for a turn; none: no clock.")]
FirstTurn = Annotated[
    str | None, typer.Option(metavar="MS|none", help="Time for the first turn. Default: 1000, or --time if more.")
]
Startup = Annotated[
    float, typer.Option(metavar="MS", help="What an external bot may take to start, on top of its first turn.")
]
Nodes = Annotated[
    int | None, typer.Option(min=1, help="Agents think so many nodes, not in time: games can be repeated exactly.")
]
Memory = Annotated[int | None, typer.Option(min=1, metavar="MB", help="Resident memory an external bot may hold.")]
Teams = Annotated[
    bool, typer.Option("--teams", help="Two against two: teams are written A+B C+D, mates sit in opposite corners.")
]
Vision = Annotated[
    int | None, typer.Option(min=1, metavar="R", help="Players are sent only what is within R cells of them.")
]
Jobs = Annotated[int | None, typer.Option(min=1, metavar="N", help="Games side by side. Default: one per core.")]
LedgerFile = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="Where finished games are kept. Default: your data folder."),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the workers of this Dask scheduler, as tcp://host:8786.")
]
FirstSeed = Annotated[
    int | None, typer.Option(metavar="S", help="Seed of the first board; later boards use S+1, S+2 and so on.")
]
SeedsFile = Annotated[
    Path | None, typer.Option("--seeds", metavar="FILE", help="Play these boards: a file with one seed a line.")
]


def read_limits(
    time: str,
    first_turn: str | None,
    startup: float,
    nodes: int | None,
    players: "Sequence[PlayerText]",
    vision: int | None = None,
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
        return Limits(nodes=nodes, vision=vision)  # nobody is under a clock
    return Limits(first_turn_ms, turn_ms, startup, nodes, vision)


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


def check_seed(seed: int, games: int) -> int:
    """A seed from which so many can be counted up."""
    if not -(1 << SEED_BITS) <= seed < (1 << SEED_BITS) - games:
        raise HsctlError(f"--seed {seed}: expected a number of {SEED_BITS + 1} bits, as the arena's seeds are")
    return seed


def choose_seeds(seed: int | None, file: Path | None, games: int) -> Sequence[int] | int:
    """The seeds of a file, or the first of many: a fixed one unless told, so that the same command resumes."""
    from hsctl.league.lineups import SEED, read_seeds

    if file is None:
        return check_seed(SEED if seed is None else seed, games)
    if seed is not None:
        raise HsctlError("--seed and --seeds: expected one of the two")
    return read_seeds(file)


def choose_folder(out: Path | None, is_saved: bool) -> Path | None:
    """Where replays go, made and tried before anything is played."""
    import os

    from replays.store import replay_folder

    if not is_saved:
        return None
    folder = replay_folder() if out is None else out
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HsctlError(f"{folder}: {error.strerror}, expected a folder for replays (or none saved)") from None
    if not os.access(folder, os.W_OK):
        raise HsctlError(f"{folder}: can't be written to, expected a folder for replays (or none saved)")
    return folder


def choose_runner(league: "League", jobs: int | None, cluster: str | None) -> "Runner":
    """Who plays: workers here or those of a cluster."""
    if cluster is None:
        from hsctl.league.cores import core_count
        from hsctl.league.runner import play_here

        return play_here(league, jobs or core_count(), announce)
    if jobs is not None:
        raise HsctlError("--jobs and --cluster: expected one of the two (a cluster plays one game per worker)")
    from hsctl.league.cluster import play_there

    return play_there(cluster, announce)


def announce(text: str) -> None:
    typer.echo(text, err=True)


def this_command() -> str:
    """The command line as it was given, which resumes what it began."""
    return shlex.join(["hsctl", *sys.argv[1:]])
