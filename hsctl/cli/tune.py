"""`hsctl tune`: which values of its parameters make a player strongest?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import STARTUP_MS, TURN_MS, HsctlError
from hsctl.cli.options import (
    AUTO,
    MOST_GAMES,
    PAIRS,
    AsJson,
    BotRunner,
    Clock,
    Cluster,
    Env,
    FirstTurn,
    Jobs,
    Memory,
    Nodes,
    Pause,
    Plot,
    Sandbox,
    Size,
    Startup,
    Time,
    check_seed,
    choose_runner,
    read_bot_limits,
    read_limits,
    refuse_beside,
)
from hsctl.report.console import INTERRUPTED, NO, UNDECIDED, announce, print_json, print_view, this_command

if TYPE_CHECKING:
    from hsctl.research.tune.study import Confirmation, Study
    from hsctl.research.tune.subject import TunedPlayer

TRIALS = 100
GAMES = 20
CONFIRM = 4000
MOST_TRIALS = 100_000

EXAMPLES = """
hsctl tune beam --params width=100..2000,box=1..20 --against mcts
hsctl tune simple --params box=0..3,decay --against hybrid --nodes 500
hsctl tune --template './mybot --w {w}' --params w=0..2 --against beam
"""

Agent = Annotated[str | None, typer.Argument(metavar="[AGENT]", help="The agent to tune, such as beam or beam:paper.")]
Params = Annotated[
    str,
    typer.Option(
        metavar="NAME[=LOW..HIGH],...",
        help="Parameters to tune (see `hsctl agents`). Default range: the parameter's bounds, if it has any.",
    ),
]
Template = Annotated[
    str | None,
    typer.Option(
        metavar="COMMAND",
        help="Tune a bot: its command line with a {NAME} for each parameter ({NAME:d}: whole numbers). "
        "Each needs a range; NAME=LOW..START..HIGH says where to start.",
    ),
]
Against = Annotated[list[str] | None, typer.Option(metavar="PLAYER", help="An opponent. Repeat for more.")]
Games = Annotated[
    int,
    typer.Option(
        min=2,
        max=MOST_GAMES,
        metavar="N",
        help="Games per trial against each opponent; with --players 3 or more, in total.",
    ),
]
Trials = Annotated[int, typer.Option(min=1, max=MOST_TRIALS, metavar="N", help="Try N candidates.")]
Confirm = Annotated[
    int, typer.Option(min=0, max=MOST_GAMES, metavar="N", help="Confirm the best with at most N games; 0: skip.")
]
Seed = Annotated[int | None, typer.Option(metavar="S", help="Seed of the search and of its first board.")]
StudyFile = Annotated[
    Path | None,
    typer.Option("--study", metavar="FILE", help="File that keeps all games. Default: in your data folder."),
]


def tune(
    agent: Agent = None,
    params: Params = "",
    template: Template = None,
    against: Against = None,
    games: Games = GAMES,
    trials: Trials = TRIALS,
    size: Size = PAIRS,
    confirm: Confirm = CONFIRM,
    seed: Seed = None,
    time: Time = f"{TURN_MS:g}",
    first_turn: FirstTurn = None,
    startup: Startup = STARTUP_MS,
    nodes: Nodes = None,
    clock: Clock = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    study: StudyFile = None,
    json: AsJson = False,
    plot: Plot = None,
    memory: Memory = None,
    env: Env = None,
    sandbox: Sandbox = False,
    pause: Pause = False,
    runner: BotRunner = AUTO,
) -> None:
    """Find better values for the parameters of an agent or a bot (needs hsctl[tune]).

    Each candidate plays the opponents on fresh boards. Half of its rating is its mean score, half its score against the
    opponent it does worst against. hsctl then confirms the best candidate on other boards. Exit code: 0 better, 1 not
    better, 3 undecided. hsctl keeps all games, so the same command resumes, even with more --trials.
    """
    from hsctl.league.games import League
    from hsctl.league.ledger import Ledger
    from hsctl.match.players import read_player
    from hsctl.research.tune.study import APART, FIRST_SEED, Study, check_confirmation, plan_boards
    from replays.store import data_folder

    subject = read_subject(agent, template, params)
    if not against:
        raise HsctlError("no opponents: name one with --against PLAYER")
    opponents = [read_player(text) for text in against]
    first = check_seed(FIRST_SEED if seed is None else seed, 2 * APART)
    boards = plan_boards(len(opponents), size, games, first)
    check_confirmation(boards, confirm)
    texts = [read_player(subject.start), *opponents]
    limits = read_limits(time, first_turn, startup, nodes, texts, clock=clock)
    bot_limits = read_bot_limits(memory, env, sandbox, pause, runner)
    pool = League(tuple(opponents), limits, bot_limits=bot_limits)
    if plot is not None:
        from hsctl.report.plots import check_plot

        check_plot(plot)
    with Ledger(study or data_folder() / "tune.sqlite") as ledger:
        entered = Study(subject, pool, boards, ledger, lambda league: choose_runner(league, jobs, cluster))
        announce_plan(entered, trials, confirm, jobs)
        confirmation, is_complete = search_and_confirm(entered, trials, confirm)
        show(entered, confirmation, plot, json)
    leave(entered, confirmation, is_complete)


def read_subject(agent: str | None, template: str | None, params: str) -> "TunedPlayer":
    from hsctl.research.tune.subject import read_agent, read_template

    if not params:
        raise HsctlError("nothing to tune: name parameters with --params, such as --params box=0..3,decay")
    if template is not None:
        refuse_beside("--template", {"AGENT": agent})
        return read_template(template, params)
    if agent is None:
        raise HsctlError("no player to tune: name an AGENT or give a --template")
    return read_agent(agent, params)


def announce_plan(study: "Study", trials: int, most_games: int, jobs: int | None) -> None:
    from hsctl.match.cores import core_count
    from hsctl.research.tune.study import check_trials
    from hsctl.research.tune.view import plan_lines

    check_trials(trials, study.search.generation_size)
    for line in plan_lines(study, trials, most_games, jobs or core_count()):
        announce(line)


def search_and_confirm(study: "Study", trials: int, most_games: int) -> "tuple[Confirmation | None, bool]":
    """Try and confirm, with progress on stderr; false if Ctrl-C came before the end."""
    from time import monotonic

    from hsctl.report.live import live_view
    from hsctl.report.safe_console import SafeConsole
    from hsctl.research.tune.study import confirm_best, new_confirmation
    from hsctl.research.tune.view import confirmation_view, progress_line, study_view

    console, started = SafeConsole(stderr=True), monotonic()
    confirmation = None

    def on_generation() -> None:
        if not console.is_terminal:
            announce(progress_line(study, trials, monotonic() - started))

    try:
        with live_view(console, study.games_of(trials), lambda: study_view(study)) as update:
            study.try_candidates(trials, update, on_generation)
        if most_games and not study.one_sided:
            confirmation = new_confirmation(study)
            with live_view(console, None, lambda: confirmation_view(confirmation)) as update:
                confirm_best(study, confirmation, most_games, update)
    except KeyboardInterrupt:
        return confirmation, False
    return confirmation, True


def show(study: "Study", confirmation: "Confirmation | None", plot: Path | None, as_json: bool) -> None:
    if as_json:
        from hsctl.research.tune.view import study_record

        print_json(study_record(study, confirmation))
    elif study.trials:
        from hsctl.research.tune.view import confirmation_view, study_view

        print_view(study_view(study))
        if confirmation is not None:
            print_view(confirmation_view(confirmation))
    if plot is not None and study.trials:
        from hsctl.report.plots import save
        from hsctl.research.tune.view import study_figure

        save(study_figure(study), plot)


def leave(study: "Study", confirmation: "Confirmation | None", is_complete: bool) -> None:
    """With the exit code that says how it ended."""
    from hsctl.league.comparison import BETTER

    if not is_complete:
        games = study.games + (0 if confirmation is None else confirmation.games)
        announce(f"stopped after {games} games; this resumes it: {this_command()}")
        raise typer.Exit(INTERRUPTED)
    if study.one_sided:
        raise typer.Exit(UNDECIDED)
    if confirmation is not None and confirmation.verdict != BETTER:
        is_open = confirmation.test.verdict is None and not confirmation.is_needless
        raise typer.Exit(UNDECIDED if is_open or not confirmation.delays.is_valid else NO)
