"""`hsctl train`: make the data that ships with hsctl again, from games."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.cli.options import AsJson, Cluster, Jobs, Plot, choose_filed_folder, choose_runner
from hsctl.report.console import INTERRUPTED, announce, print_json, print_view, this_command

if TYPE_CHECKING:
    from hsctl.league.games import League
    from hsctl.league.ledger import Ledger
    from hsctl.league.runner import Runner
    from hsctl.research.winning.training import Training

BOARDS = 3200
FEWEST_BOARDS, MOST_BOARDS = 50, 1_000_000
WINNING = "winning"

EXAMPLES = """
hsctl train winning --boards 200         # a small one, to try it out
hsctl train winning --model winning.json # all games; keep the model in a file
hsctl train winning --also replays/arena # judge it on further games too
"""

What = Annotated[str, typer.Argument(metavar="winning", help="What to make: the win probability.")]
Boards = Annotated[
    int,
    typer.Option(min=FEWEST_BOARDS, max=MOST_BOARDS, metavar="N", help="Boards to play on, one game each; 30 % judge."),
]
Model = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the model to FILE.")]
Also = Annotated[
    list[Path] | None, typer.Option(metavar="DIR", help="Judge it on the replays in DIR as well (repeatable).")
]
Page = Annotated[Path | None, typer.Option(metavar="FILE", help="Fill in the section of a page of docs.")]
TrainingLedger = Annotated[
    Path | None,
    typer.Option("--ledger", metavar="FILE", help="File that keeps finished games. Default: in your data folder."),
]
TrainingOut = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Save the replays in DIR. Default: in your data folder.")
]


def train(
    what: What,
    boards: Boards = BOARDS,
    model: Model = None,
    also: Also = None,
    page: Page = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    ledger: TrainingLedger = None,
    out: TrainingOut = None,
    json: AsJson = False,
    plot: Plot = None,
) -> None:
    """Train the win probability on games, and test it on boards and players it has not seen.

    Games are limited by nodes, so anyone can repeat them. Finished games are kept: the same command resumes.
    """
    from hsctl.league.ledger import Ledger
    from hsctl.report.plots import check_plot, save
    from hsctl.research.winning.training import document, training_league, write_model
    from hsctl.research.winning.view import calibration_figure, training_view, write_page
    from replays.store import data_folder

    if what != WINNING:
        raise HsctlError(f"{what!r} cannot be trained; write `hsctl train {WINNING}`")
    if plot is not None:
        check_plot(plot)
    folder = choose_filed_folder(out or data_folder() / WINNING, is_saved=True)
    assert folder is not None
    league = training_league(folder)
    with Ledger(ledger or data_folder() / f"{WINNING}.sqlite") as kept:
        training, paths = run(league, boards, kept, choose_runner(league, jobs, cluster), also or [])
    command = f"hsctl train {WINNING} --boards {boards}"
    made = document(training, paths, command)
    if model is not None:
        write_model(model, made)
    if plot is not None:
        save(calibration_figure(training), plot)
    if page is not None:
        write_page(page, training, command, None if plot is None else plot.name)
    if json:
        print_json({name: made[name] for name in ("provenance", "judged")})
    else:
        print_view(training_view(training))


def run(
    league: "League", boards: int, ledger: "Ledger", runner: "Runner", also: list[Path]
) -> "tuple[Training, list[Path]]":
    """Play, learn and judge; if it is stopped, say how to resume it."""
    from hsctl.report.live import bar
    from hsctl.report.safe_console import SafeConsole
    from hsctl.research.winning.rows import rows_of
    from hsctl.research.winning.training import Training, play, read_folder, read_replays

    further = {folder.name: read_folder(folder) for folder in also}
    try:
        with bar(SafeConsole(stderr=True), "games", boards) as update:
            paths = play(league, boards, ledger, runner, lambda games: update(games, ""))
        announce("learning ...")
        training = Training(rows_of(read_replays(paths)))
    except KeyboardInterrupt:
        announce(f"stopped; finished games are kept, this resumes it: {this_command()}")
        raise typer.Exit(INTERRUPTED) from None
    for label, replays in further.items():
        training.judge_also(label, replays)
    return training, paths
