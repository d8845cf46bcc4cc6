"""Is the engine right, do the statistics keep their word? A script to run after changing one of them.

    python -m hsctl.research.verify engine --steps 50000     compare the engine with the specification
    python -m hsctl.research.verify statistics --runs 10000  simulate leagues of known strength: the figures of the docs

The exit code is 1 if the engines differ, or if the statistics are worse than promised.
"""

from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from engine.jit import compiling
from engine.spec.twin import EngineDifference, TwinRun, verify
from hsctl.league.intervals import Share
from hsctl.report.console import NO, announce, print_view, progress
from hsctl.report.tables import new_table
from hsctl.research.simulation import (
    ALPHA,
    BLOCKS,
    BRANCHINGS,
    GAMES,
    RATING,
    SETTINGS,
    TRIALS,
    Coverage,
    Errors,
    Rolled,
    check_intervals,
    check_rollouts,
    check_test,
    is_honest,
)

MOST_STEPS = 1_000_000_000
MOST_RUNS = 1_000_000
SEED_BITS = 32

Seed = Annotated[int, typer.Option(min=0, max=(1 << SEED_BITS) - 1, metavar="S", help="Seed of the games.")]

app = typer.Typer(
    help="Check that the engine and the statistics are right.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)


# The engine


@app.command("engine")
def verify_engine(
    steps: Annotated[
        int, typer.Option(min=1, max=MOST_STEPS, metavar="N", help="Compare N random rounds.")
    ] = 1_000_000,
    seed: Seed = 0,
) -> None:
    """Compare the engine with the specification, field by field, over random games."""
    try:
        with compiling("verify", announce), progress("comparing", steps) as on_portion:
            met = compare(steps, seed, on_portion)
    except EngineDifference as difference:
        typer.echo(str(difference))
        raise typer.Exit(NO) from None
    print_view(summary_view(met))
    digest = " ".join(f"{summary.digest:016x}" for summary in met.values())
    typer.echo(f"digest of all positions: {digest}")
    typer.echo(f"the engines agree in every field over {steps:,} rounds (seed {seed})")


PORTION = 50_000  # rounds between two moves of the progress bar
PORTION_BITS = 20  # a portion's number; its seed has that of the run above it
MOST = ("most_bombs", "most_bombs_of_one", "largest_range", "longest_game")
MASK = (1 << 64) - 1


def compare(steps: int, seed: int, on_portion: Callable[[int], None]) -> dict[int, TwinRun]:
    """What random games of 2, 3 and 4 players met, a third of the rounds each.

    Raises engine.spec.twin.Difference at the first round on which the engines disagree. `on_portion` is called with
    how many more rounds are done.
    """
    met: dict[int, TwinRun] = {}
    for number, (players, count) in enumerate(portions_of(steps)):
        summary = verify(count, seed << PORTION_BITS | number, players)
        met[players] = add(met[players], summary) if players in met else summary
        on_portion(count)
    return met


def portions_of(steps: int) -> list[tuple[int, int]]:
    """Players and rounds of each portion, taking turns; all rounds add up to `steps`."""
    portions = []
    left = {players: steps // 3 + (players - 2 < steps % 3) for players in (2, 3, 4)}
    while any(left.values()):
        for players in left:
            count = min(left[players], PORTION)
            left[players] -= count
            if count:
                portions.append((players, count))
    return portions


def add(one: TwinRun, other: TwinRun) -> TwinRun:
    """Two runs as one: counts add up, maxima are the greater of the two."""
    values = {
        name: max(a, b) if name in MOST else a + b for name, a, b in zip(TwinRun._fields, one, other, strict=True)
    }
    return TwinRun(**{**values, "digest": values["digest"] & MASK})


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


def summary_view(met: dict[int, TwinRun]) -> Table:
    """A column for each number of players."""
    table = new_table()
    table.add_column("what the games met")
    for players in met:
        table.add_column(f"{players} players", justify="right")
    for name, words in ROWS.items():
        table.add_row(words, *(f"{getattr(summary, name):,}" for summary in met.values()))
    return table


# The statistics


@app.command("statistics")
def verify_statistics(
    runs: Annotated[
        int,
        typer.Option(min=1, max=MOST_RUNS, metavar="N", help="Simulate N leagues, tests and series."),
    ] = 2_000,
    seed: Seed = 0,
) -> None:
    """Check intervals and tests against simulated leagues whose truth is known."""
    leagues, tests, series = (share(runs, count) for count in (len(SETTINGS), 2 * len(TRIALS), len(BRANCHINGS)))
    totals = leagues * len(SETTINGS), tests * 2 * len(TRIALS), series * len(BRANCHINGS)
    with progress("simulating", sum(totals)) as on_done:
        coverages = [check_intervals(setting, leagues, seed, on_done) for setting in SETTINGS]
        errors = [check_test(trial, tests, seed, on_done) for trial in TRIALS]
        rolled = [check_rollouts(branching, series, seed, on_done) for branching in BRANCHINGS]
    print_view(simulation_view(coverages, errors, rolled))
    kept = is_honest(coverages, errors, rolled)
    counts = "{:,} leagues, {:,} tests, {:,} series from one position".format(*totals)
    typer.echo(f"{'as promised' if kept else 'WORSE than promised'}: {counts} (seed {seed})")
    if not kept:
        raise typer.Exit(NO)


def share(runs: int, kinds: int) -> int:
    """Runs of each kind: at least `runs` in all."""
    return -(-runs // kinds)


def simulation_view(
    coverages: Sequence[Coverage], errors: Sequence[Errors], rolled: Sequence[Rolled]
) -> RenderableType:
    return Group(coverage_table(coverages), Text(""), error_table(errors), Text(""), rollout_table(rolled))


def coverage_table(coverages: Sequence[Coverage]) -> Table:
    table = new_table("Intervals of 95 % that contain the truth, %")
    table.add_column("leagues")
    for head in ("blocks", "ratings", "scores", "scores, by games"):
        table.add_column(head, justify="right")
    for coverage in coverages:
        shares = [format_percentage(coverage.share(kind)) for kind in (RATING, BLOCKS, GAMES)]
        table.add_row(coverage.setting.name, str(coverage.setting.blocks), *shares)
    return table


def error_table(errors: Sequence[Errors]) -> Table:
    caption = "needed: blocks; score held: how often its interval held the truth at the end"
    table = new_table(f"Sequential tests with error rates of {100 * ALPHA:g} %: wrong, %", caption)
    table.add_column("blocks")
    for head in ("elo0, elo1", "true: elo0", "true: elo1", "needed", "score held"):
        table.add_column(head, justify="right")
    for error in errors:
        trial = error.trial
        wrong = [format_percentage(share) for share in (error.better_at_elo0, error.not_better_at_elo1)]
        needed = " / ".join(f"{blocks:.0f}" for blocks in error.blocks)
        held = format_percentage(error.held)
        table.add_row(trial.name, f"{trial.elo0:g}, {trial.elo1:g}", *wrong, needed, held)
    return table


def rollout_table(rolled: Sequence[Rolled]) -> Table:
    table = new_table("Intervals of 95 % from games of one position that contain the truth, %")
    table.add_column("positions")
    for head in ("games", "distinct", "chance", "change"):
        table.add_column(head, justify="right")
    for each in rolled:
        held = [format_percentage(share) for share in each.shares()]
        table.add_row(each.branching.name, str(each.branching.games), f"{each.distinct:.1f}", *held)
    return table


def format_percentage(share: Share) -> str:
    half = (share.interval.high - share.interval.low) / 2
    return f"{100 * share.value:.1f} ± {100 * half:.1f}"


if __name__ == "__main__":
    app(prog_name="python -m hsctl.research.verify")
