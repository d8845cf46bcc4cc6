"""`hsctl verify`: is the engine right, do the statistics keep their word?

`verify engine` plays random games on the fast engine and on the plain one and compares every field after every round.
`verify statistics` simulates leagues of players of known strength.
"""

from enum import StrEnum
from typing import Annotated

import typer

from hsctl.commands.options import MOST_GAMES, refuse_beside
from hsctl.commands.output import NO, announce, print_view, progress

STEPS = 1_000_000
MOST_STEPS = 1_000_000_000
RUNS = 2_000
SEED_BITS = 32

EXAMPLES = """
hsctl verify engine --steps 50000     # a quick look
hsctl verify statistics --runs 10000  # the docs' figures
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
        int | None, typer.Option(min=0, max=(1 << SEED_BITS) - 1, metavar="S", help="Seed of the games. Default: 0.")
    ] = None,
) -> None:
    """Check that the engine and the statistics are right.

    The engine is compared with a plain one over random games, the statistics with simulated leagues of known truth.

    The exit code is 1 if the engines differ, or if the statistics are worse than promised.
    """
    if subject == Subject.STATISTICS:
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
