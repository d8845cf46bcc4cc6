"""`hsctl conform`: does the user's simulator follow the rules?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hsctl.cli.options import AsJson, Env, check_ms, read_bot_limits, refuse_beside
from hsctl.report.console import NO, announce, print_json, print_line, print_view, progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hsctl.testing.conform.case import Case
    from hsctl.testing.conform.run import ConformReport
    from hsctl.testing.conform.simulator import Simulator

STATES = 2000
MOST_STATES = 10_000_000
ANSWER_MS = 5000
SEED_BITS = 32

EXAMPLES = """
hsctl conform ./mysim                     # all rules, then 2000 states
hsctl conform "python3 mysim.py" --rules  # each rule: pass or fail
hsctl conform ./mysim --save in.txt       # then debug: ./mysim < in.txt
"""


def conform(
    command: Annotated[
        str,
        typer.Argument(
            metavar="COMMAND",
            help="A simulator that speaks the protocol of docs/reference/conform.md, as in './mysim'.",
        ),
    ],
    states: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_STATES,
            metavar="N",
            help=f"Compare N states after those of the rules. Default: {STATES}.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=(1 << SEED_BITS) - 1, metavar="S", help="Seed of the states. Default: 0."),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Use a recorded game instead: a replay or a game of the arena; can be repeated."
        ),
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List each rule with pass or fail.")] = False,
    time: Annotated[
        float, typer.Option(min=1, callback=check_ms, metavar="MS", help="Time limit for an answer.")
    ] = ANSWER_MS,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the input that shows the smallest difference.")
    ] = None,
    env: Env = None,
    json: AsJson = False,
) -> None:
    """Compare your simulator with the rules of the game.

    States and actions go in, the next state comes out. The first difference is shrunk to the smallest board that shows
    it, with the rule in words.

    The exit code is 1 if the simulator differs, 2 if it cannot be run.
    """
    from engine.jit import compiling
    from hsctl.testing.conform.run import ConformReport
    from hsctl.testing.conform.simulator import Simulator

    if game:
        refuse_beside("--game", {"--states": states, "--seed": seed})
    games = open_games(game or [])
    report = ConformReport({})
    bot_limits = read_bot_limits(None, env, False, False)
    with Simulator(command, time / 1000, bot_limits) as simulator, compiling("conform", announce):
        compare(simulator, report, rules, games or stream_of(seed or 0), choose_states(states, bool(games)))
    if save and report.finding:
        write_session(save, report)
    show(report, command, seed or 0, rules, json)
    if not report.is_equal:
        raise typer.Exit(NO)


def open_games(files: "Sequence[str]") -> "list[Case]":
    """The rounds of recorded games."""
    from hsctl.testing.conform.run import recorded_cases
    from replays.opening import open_game

    cases: list[Case] = []
    for file in files:
        playback, notes = open_game(Path(file))
        for note in notes:
            announce(f"{file}: {note}")
        cases += recorded_cases(playback)
    return cases


def choose_states(states: int | None, is_recorded: bool) -> int:
    """How many to compare: all that recorded games have."""
    if is_recorded:
        return MOST_STATES
    return STATES if states is None else states


def stream_of(seed: int) -> "Iterator[Case]":
    from hsctl.testing.conform.run import stream

    return stream(seed)


def compare(
    simulator: "Simulator",
    report: "ConformReport",
    is_whole: bool,
    cases: "Sequence[Case] | Iterator[Case]",
    states: int,
) -> None:
    """Rules, then states, then the shrinking, with progress on stderr."""
    from hsctl.testing.conform.rules import RULES
    from hsctl.testing.conform.run import check_rules, check_stream, shrunk

    with progress("rules", len(RULES)) as on_rule:
        check_rules(simulator, report, is_whole, on_rule)
    if report.finding is None and states:
        total = sum(len(case.rounds) for case in cases) if isinstance(cases, list) else states
        with progress("states", total) as on_rounds:
            check_stream(simulator, report, cases, states, on_rounds)
    if report.finding is not None:
        with progress("shrinking", 1):
            report.finding = shrunk(simulator, report.finding)


def write_session(path: Path, report: "ConformReport") -> None:
    from hsctl.testing.conform.view import session_of
    from replays.files import write_bytes

    assert report.finding
    write_bytes(path, session_of(report.finding.case).encode())


def show(report: "ConformReport", command: str, seed: int, has_rules: bool, as_json: bool) -> None:
    if as_json:
        from hsctl.testing.conform.view import report_record

        print_json(report_record(report, command, seed))
        return
    from hsctl.testing.conform.view import FindingView, rules_view, summary_line

    if has_rules:
        print_view(rules_view(report))
    if report.finding:
        print_view(FindingView(report.finding, command))
    print_line(summary_line(report))
