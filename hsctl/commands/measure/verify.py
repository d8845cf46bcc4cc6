"""`hsctl verify`: random games on the fast engine and on the plain one, compared after every round.

With `--statistics`: leagues of players of known strength, to see whether intervals and tests keep their word.
With `--deaths`: fast games of the beam, to see whether it died where it need not have; with `--deaths-in`, replays of
any player.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from engine.spec.twin import Summary
    from hsctl.verify.deaths import Hunt

DIFFERENT = 1  # exit code
STEPS = 1_000_000
SEED_BITS = 32

ROWS = {
    "steps": "rounds compared",
    "games": "games",
    "explosions": "bombs exploded",
    "mixed_chains": "rounds with a chain over several owners",
    "deaths": "deaths",
    "shared_deaths": "rounds with several deaths",
    "shared_cells": "rounds with players on one cell",
    "shared_bombs": "rounds with bombs on one cell",
    "most_bombs": "most bombs on the board",
    "most_bombs_of_one": "most bombs of one player",
    "largest_range": "largest range of a bomb",
    "longest_game": "longest game, rounds",
}

EXAMPLES = """
hsctl verify                         # a million rounds on both engines
hsctl verify --steps 50000 --seed 3  # fewer rounds, other games
hsctl verify --statistics 2000       # do the intervals keep their word?
"""


def verify(
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="Random rounds to compare.")] = STEPS,
    seed: Annotated[int, typer.Option(min=0, max=(1 << SEED_BITS) - 1, metavar="S", help="Other games.")] = 0,
    statistics: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Check intervals and tests instead, by N simulated leagues and N tests."),
    ] = None,
    deaths: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Hunt for avoidable deaths of the beam instead, in N fast games."),
    ] = None,
    deaths_in: Annotated[
        Path | None,
        typer.Option(metavar="DIR", exists=True, file_okay=False, help="The same in the replays of a folder."),
    ] = None,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="Whose deaths, with --deaths-in: as written when the games were played.")
    ] = "beam",
) -> None:
    """Check the fast engine against the plain one over random games, field by field."""
    if deaths is not None:
        verify_deaths(deaths, seed)
        return
    if deaths_in is not None:
        verify_replays(deaths_in, player)
        return
    if statistics is not None:
        verify_statistics(statistics, seed)
        return
    from rich.console import Console

    from engine.spec.twin import Difference

    try:
        met = run(steps, seed)
    except Difference as difference:
        typer.echo(str(difference))
        raise typer.Exit(DIFFERENT) from None
    Console(highlight=False).print(summary_view(met))
    digest = " ".join(f"{summary.digest:016x}" for summary in met.values())
    typer.echo(f"digest of all positions: {digest}")
    typer.echo(f"the engines agree in every field over {steps:,} rounds (seed {seed})")


def run(steps: int, seed: int) -> "dict[int, Summary]":
    """Compare, showing on stderr how it goes."""
    from rich.console import Console
    from rich.progress import Progress

    from engine.jit import compiling
    from hsctl.verify.twins import compare

    with (
        compiling("verify", lambda text: typer.echo(text, err=True)),
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("comparing", total=steps)
        return compare(steps, seed, lambda done: progress.advance(task, done))


def summary_view(met: "dict[int, Summary]") -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("what the games met")
    for players in met:
        table.add_column(f"{players} players", justify="right")
    for name, words in ROWS.items():
        table.add_row(words, *(f"{getattr(summary, name):,}" for summary in met.values()))
    return table


def verify_statistics(count: int, seed: int) -> None:
    """Simulate, showing on stderr how it goes."""
    from rich.console import Console
    from rich.progress import Progress

    from hsctl.stats.simulation import DUELS, SETTINGS, check_intervals, check_test
    from hsctl.views.simulation_view import is_honest, simulation_view

    leagues, tests = -(-count // len(SETTINGS)), -(-count // (2 * len(DUELS)))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("simulating", total=leagues * len(SETTINGS) + 2 * tests * len(DUELS))

        def tell(done: int) -> None:
            progress.advance(task, done)

        coverages = [check_intervals(setting, leagues, seed, tell) for setting in SETTINGS]
        errors = [check_test(duel, tests, seed, tell) for duel in DUELS]
    Console(highlight=False).print(simulation_view(coverages, errors))
    honest = is_honest(coverages, errors)
    word = "as promised" if honest else "WORSE than promised"
    typer.echo(f"{word}: {leagues * len(SETTINGS):,} leagues, {2 * tests * len(DUELS):,} tests (seed {seed})")
    if not honest:
        raise typer.Exit(DIFFERENT)


def verify_deaths(games: int, seed: int) -> None:
    """Hunt, showing on stderr how it goes."""
    from rich.console import Console
    from rich.progress import Progress

    from engine.jit import compiling
    from hsctl.verify.deaths import hunt

    with (
        compiling("beam", lambda text: typer.echo(text, err=True)),
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("playing", total=games)
        found = hunt(games, seed, lambda: progress.advance(task))
    tell_deaths(found, "beam")


def verify_replays(folder: Path, player: str) -> None:
    """Look through all replays of a folder, showing on stderr how it goes."""
    from rich.console import Console
    from rich.progress import Progress

    from engine.errors import HsctlError
    from hsctl.verify.deaths import hunt_in

    paths = sorted(folder.glob("*.json"))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("looking", total=len(paths))
        found = hunt_in(paths, player, lambda: progress.advance(task))
    if not found.games:
        raise HsctlError(f"{folder}: no replay of {player!r} among {len(paths)}, expected --player as it was written")
    tell_deaths(found, player)


def tell_deaths(found: "Hunt", player: str) -> None:
    from hsctl.verify.deaths import describe

    for death in found.mistakes:
        typer.echo(describe(death))
    won = sum(death.is_won for death in found.deaths)
    typer.echo(
        f"{found.games} games: {player} died {len(found.deaths)} times, won {won} of these games, "
        f"and could have avoided {len(found.mistakes)}"
    )
    if found.mistakes:
        raise typer.Exit(DIFFERENT)
