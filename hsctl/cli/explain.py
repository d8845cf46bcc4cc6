"""`hsctl explain`: why an agent decided as it did, on a turn of a replay or on a position."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_NODES, HsctlError
from hsctl.cli.options import File, check_ms, refuse_beside, refuse_several
from hsctl.report.console import NO, announce, print_json, print_line, print_view, progress
from hsctl.shell import join_words
from replays.text import shorten

if TYPE_CHECKING:
    from hsctl.analysis.explain.answer import ExplainedDecision
    from hsctl.analysis.explain.findings import Extent
    from hsctl.analysis.explain.question import ExplainRequest, Question
    from hsctl.analysis.explain.tracing.record import RowFilter

EXAMPLES = """
hsctl explain game.json@57 --player 1            # why player 1 did that
hsctl explain game.json@57 --why-not 'BOMB 3 4'  # and not that
hsctl explain --state position.txt --agent mcts  # what mcts would do
hsctl explain game.json@57 --trace nodes.parquet # every node of that search
hsctl explain --check-trace nodes.parquet        # does the trace add up?
"""
LONGEST_SHOWN = 40  # characters of an option, in an error
TOP = 3  # siblings on each layer of a drawing

Player = Annotated[
    str | None,
    typer.Option(metavar="P", help="Seat, name or part of a name. Default: the winner, else the first living agent."),
]
AskedAgent = Annotated[
    str | None, typer.Option(metavar="AGENT", help="Ask this agent. Default: the one that played; beam with --state.")
]
StateFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Explain a position in the arena's text format; - reads stdin.")
]
Nodes = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_NODES, metavar="N", help="Search N nodes. Default: as in the game; 100,000 with --state."
    ),
]
Top = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Show the best N first moves; in a .dot file, N siblings per layer."),
]
WhyNotLine = Annotated[
    str | None,
    typer.Option(
        "--why-not",
        metavar="LINE",
        help="Explain why not LINE: 'BOMB 3 4', or right,right+bomb,up. Default: the played move, if it differs.",
    ),
]
Trace = Annotated[
    str | None,
    typer.Option(
        "--trace",
        metavar="OUT",
        help="Write every node of the search to OUT: .jsonl, .jsonl.gz, .csv, .parquet or .dot; - for stdout.",
    ),
]
TraceDepth = Annotated[
    str | None, typer.Option("--trace-depth", metavar="A..B", help="With --trace: write only nodes at these depths.")
]
FirstMove = Annotated[
    str | None,
    typer.Option(
        "--first-move", metavar="MOVE", help="With --trace: write only nodes below this first move, such as up+bomb."
    ),
]
Kept = Annotated[bool, typer.Option("--kept", help="With --trace: leave out dropped children (beam, chokudai).")]
CheckTrace = Annotated[
    Path | None,
    typer.Option(
        "--check-trace", metavar="OUT", help="Check that a trace's counters add up and that it leads to the plan."
    ),
]
ScoredBoxes = Annotated[str | None, typer.Option(metavar="N,N,...", help="With --state: each player's boxes so far.")]


def explain(
    file: File = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="Explain the decision of turn N.")] = None,
    player: Player = None,
    agent: AskedAgent = None,
    state: StateFile = None,
    boxes: ScoredBoxes = None,
    nodes: Nodes = None,
    time: Annotated[
        float | None, typer.Option(min=1, callback=check_ms, metavar="MS", help="Search for MS milliseconds.")
    ] = None,
    why_not: WhyNotLine = None,
    boards: Annotated[bool, typer.Option("--boards", help="Show the boards along the best line.")] = False,
    depth: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Show only N layers of the search and N turns of the best line."),
    ] = None,
    top: Top = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    trace: Trace = None,
    trace_depth: TraceDepth = None,
    first_move: FirstMove = None,
    kept: Kept = False,
    check_trace: CheckTrace = None,
) -> None:
    """Explain why an agent chose its move.

    hsctl repeats the decision. It shows the move and the reason, then the plan, all first moves, what the search found
    and the best line. If a bot or a person played, it shows their move first. With --trace, hsctl writes every node of
    the search to a file instead.
    """
    from hsctl.analysis.explain.question import ExplainRequest

    if check_trace is not None:
        game_options = {"a replay": file, "--state": state, "--turn": turn, "--player": player, "--agent": agent}
        refuse_beside("--check-trace", {**game_options, "--trace": trace, "--nodes": nodes, "--time": time})
        return show_check(check_trace, json)
    refuse_several({"--nodes": nodes, "--time": time})
    if trace is not None:
        others = {"--why-not": why_not, "--boards": boards, "--json": json, "--depth": depth}
        refuse_beside("--trace", {**others, "--top": None if trace.endswith(".dot") else top})
    wanted = row_filter(trace, trace_depth, first_move, kept)
    request = ExplainRequest(player, agent, time, nodes)
    if state is not None:
        refuse_beside("--state", {"a replay": file})
        game, question = str(state), ask_about_position(state, turn, boxes, request)
    else:
        if boxes is not None:
            raise HsctlError("--boxes needs --state: a replay knows the boxes")
        game, question = ask_about_replay(file, turn, request)
    if trace is not None and wanted is not None:
        return write_trace(question, game, trace, wanted, top or TOP)

    from hsctl.analysis.explain.answer import answer
    from hsctl.analysis.explain.findings import Extent
    from hsctl.match.compiling import compile_for

    compile_for([question.spec.name], announce)
    show_explanation(answer(question, why_not), Extent(depth, top), boards, json)


def ask_about_replay(file: str | None, turn: int | None, request: "ExplainRequest") -> "tuple[str, Question]":
    """What to call the game, and the question."""
    from hsctl.analysis.explain.question import ask_record
    from replays.opening import open_reference

    path, named_turn, record = open_reference(file, announce)
    if named_turn is not None:
        refuse_beside(f"{file}", {"--turn": turn})
    return path.name, ask_record(record, turn if named_turn is None else named_turn, request)


def ask_about_position(path: Path, turn: int | None, boxes: str | None, request: "ExplainRequest") -> "Question":
    from hsctl.analysis.explain.question import ask_position

    source, text = read_state(path)
    return ask_position(text, source, turn, parse_boxes(boxes), request)


def read_state(path: Path) -> tuple[str, str]:
    """What to call the position, and its text."""
    from hsctl.files import STDIN, read_text

    return "stdin" if str(path) == STDIN else str(path), read_text(path, "a file with a position in the arena's text")


def parse_boxes(text: str | None) -> list[int]:
    try:
        return [int(number) for number in text.split(",")] if text else []
    except ValueError:
        raise HsctlError(f"--boxes {text}: write a number for each player, as in 3,5") from None


def show_explanation(answer: "ExplainedDecision", extent: "Extent", boards: bool, as_json: bool) -> None:
    if as_json:
        from hsctl.analysis.explain.document import document_of, encode

        typer.echo(encode(document_of(answer, extent)), nl=False)
    else:
        from hsctl.analysis.explain.view import explanation_view

        print_view(explanation_view(answer, extent, boards))


# Traces


def row_filter(trace: str | None, depths: str | None, first_move: str | None, kept: bool) -> "RowFilter | None":
    """Which rows to write; None: no trace is written."""
    if trace is None:
        if kept or depths is not None or first_move is not None:
            raise HsctlError("--trace-depth, --first-move and --kept reduce a trace: name its file with --trace OUT")
        return None

    from engine.rules import ACTION_NAMES
    from hsctl.analysis.explain.tracing.record import RowFilter

    if first_move is not None and first_move not in ACTION_NAMES:
        raise HsctlError(f"--first-move {first_move}: no such move; write one of {', '.join(ACTION_NAMES)}")
    return RowFilter(
        None if depths is None else parse_depths(depths),
        None if first_move is None else ACTION_NAMES.index(first_move),
        kept,
    )


def parse_depths(text: str) -> tuple[int, int]:
    """`3..8`, `3..`, `..8` or `3`."""
    first, dots, last = text.partition("..")
    if first + last and re.fullmatch(r"\d{0,9}(\.\.\d{0,9})?", text, re.ASCII):
        depths = int(first or 0), int((last if dots else first) or MOST_NODES)
        if depths[0] <= depths[1]:
            return depths
    raise HsctlError(f"--trace-depth {shorten(text, LONGEST_SHOWN)}: write A..B, as in 1..4")


def write_trace(question: "Question", game: str, path: str, wanted: "RowFilter", top: int) -> None:
    from hsctl.analysis.explain.tracing.files import STDOUT, open_trace
    from hsctl.analysis.explain.tracing.record import TraceRun
    from hsctl.match.compiling import compile_for

    file = open_trace(path, top)
    compile_for([question.spec.name], announce)
    with progress("tracing", question.budget.nodes or 0, "rows") as advance:
        run = TraceRun(question, game, file, wanted, advance)
        try:
            end = run.run()
        except (KeyboardInterrupt, SystemExit):
            if run.rows and path != STDOUT:
                announce(f"{path}: cut after {run.rows:,} rows")
            raise
    if path.endswith(".dot"):
        announce(f"{path}: draw it with: dot -Tsvg -O {join_words([path])}")
    elif path != STDOUT:
        announce(f"{path}: {end.rows:,} rows; check them with: hsctl explain --check-trace {join_words([path])}")


def show_check(path: Path, as_json: bool) -> None:
    """What a check found; exit code 1 if anything differs."""
    from dataclasses import asdict

    from hsctl.analysis.explain.tracing.check import check_trace

    found = check_trace(path)
    if as_json:
        print_json({**asdict(found), "is_right": found.is_right})
    else:
        for skipped in found.skipped:
            print_line(f"not compared: {skipped}")
        for difference in found.differences:
            print_line(f"{path}: {difference}")
        if found.is_right:
            agreed = [f"{found.compared:,} counters"] * bool(found.compared) + ["the plan"] * found.has_plan
            said = f"agree with {' and with '.join(agreed)}" if agreed else "agree with each other"
            print_line(f"{path}: {found.rows:,} rows {said}")
    if not found.is_right:
        raise typer.Exit(NO)
