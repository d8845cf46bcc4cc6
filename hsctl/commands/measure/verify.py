"""`hsctl verify`: is the engine right, do the statistics keep their word, was a death avoidable?

`verify engine` plays random games on the fast engine and on the plain one and compares every field after every round.
`verify statistics` simulates leagues of players of known strength. `verify --deaths` and `--deaths-in` look for moves
that would have avoided a death.
"""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.commands.options import MOST_GAMES, refuse_beside, refuse_several
from hsctl.commands.output import NO, announce, print_line, print_view, progress

if TYPE_CHECKING:
    from hsctl.verify.deaths import Hunt

STEPS = 1_000_000
MOST_STEPS = 1_000_000_000
RUNS = 2_000
SEED_BITS = 32
PLAYER = "beam"

EXAMPLES = """
hsctl verify engine --steps 50000                # a quick look
hsctl verify statistics --runs 10000             # the docs' figures
hsctl verify --deaths-in games --player ./mybot  # in a folder of replays
"""


class Subject(StrEnum):
    ENGINE = "engine"
    STATISTICS = "statistics"


def verify(
    subject: Annotated[
        Subject | None, typer.Argument(metavar="[engine|statistics]", help="What to check. Default: engine.")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_STEPS, metavar="N", help=f"engine: compare N random rounds. Default: {STEPS}."),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_GAMES, metavar="N", help=f"statistics: simulate N leagues and N tests. Default: {RUNS}."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=(1 << SEED_BITS) - 1, metavar="S", help="Play other games. Default: 0.")
    ] = None,
    deaths: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_GAMES, metavar="N", help="Look for avoidable deaths of beam in N fast games."),
    ] = None,
    deaths_in: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Look for avoidable deaths in the games of a folder.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"With --deaths-in: whose deaths, named as in their games. Default: {PLAYER}."
        ),
    ] = None,
) -> None:
    """Check that the engine and the statistics are right.

    The engine is compared with a plain one over random games, the statistics with simulated leagues of known truth.

    The exit code is 1 if the engines differ, if the statistics are worse than promised, or if a death was avoidable.
    """
    if player is not None and deaths_in is None:
        raise HsctlError("--player needs --deaths-in")
    refuse_several({"--deaths": deaths, "--deaths-in": deaths_in})
    others: dict[str, object] = {"engine or statistics": subject, "--steps": steps, "--runs": runs}
    if deaths is not None:
        refuse_beside("--deaths", others)
        verify_deaths(deaths, seed or 0)
    elif deaths_in is not None:
        refuse_beside("--deaths-in", {**others, "--seed": seed})
        verify_replays(deaths_in, player or PLAYER)
    elif subject == Subject.STATISTICS:
        refuse_beside("statistics", {"--steps": steps})
        verify_statistics(runs or RUNS, seed or 0)
    else:
        refuse_beside("engine", {"--runs": runs})
        verify_engine(steps or STEPS, seed or 0)


def verify_engine(steps: int, seed: int) -> None:
    from engine.jit import compiling
    from engine.spec.twin import Difference
    from hsctl.verify.report import summary_view
    from hsctl.verify.twins import compare

    try:
        with compiling("verify", announce), progress("comparing", steps) as on_portion:
            met = compare(steps, seed, on_portion)
    except Difference as difference:
        typer.echo(str(difference))
        raise typer.Exit(NO) from None
    print_view(summary_view(met))
    digest = " ".join(f"{summary.digest:016x}" for summary in met.values())
    typer.echo(f"digest of all positions: {digest}")
    typer.echo(f"the engines agree in every field over {steps:,} rounds (seed {seed})")


def verify_statistics(runs: int, seed: int) -> None:
    from hsctl.verify.statistics import plan_check
    from hsctl.views.simulation import simulation_view

    check = plan_check(runs, seed)
    with progress("simulating", check.all_leagues + check.all_tests) as on_done:
        found = check.run(on_done)
    print_view(simulation_view(found.coverages, found.errors))
    word = "as promised" if found.is_honest else "WORSE than promised"
    typer.echo(f"{word}: {check.all_leagues:,} leagues, {check.all_tests:,} tests (seed {seed})")
    if not found.is_honest:
        raise typer.Exit(NO)


def verify_deaths(games: int, seed: int) -> None:
    from hsctl.league.compiling import compile_for
    from hsctl.verify.deaths import HERO, hunt

    compile_for([HERO], announce)
    with progress("playing", games) as on_games:
        found = hunt(games, seed, lambda: on_games(1))
    show_deaths(found, HERO)


def verify_replays(folder: Path, player: str) -> None:
    from hsctl.verify.deaths import hunt_in

    if not folder.is_dir():
        raise HsctlError(f"--deaths-in {folder}: expected a folder of games")
    paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    with progress("reading", len(paths)) as on_games:
        found = hunt_in(paths, player, lambda: on_games(1), announce)
    if not found.games:
        raise HsctlError(
            f"{folder}: none of {len(paths)} files is a game with a player {player!r}, "
            "expected --player as written in the game"
        )
    show_deaths(found, player)


def show_deaths(found: "Hunt", player: str) -> None:
    from hsctl.verify.deaths import describe

    for death in found.mistakes:
        print_line(describe(death))
    won = sum(death.is_won for death in found.deaths)
    print_line(
        f"{found.games} games: {player} died {len(found.deaths)} times, won {won} of these games, "
        f"and could have avoided {len(found.mistakes)}"
    )
    if found.mistakes:
        raise typer.Exit(NO)
