"""`hsctl explain`: why an agent decided as it did, on a turn of a replay or on a position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import MOST_NODES, HsctlError
from hsctl.commands.opening import File, open_file
from hsctl.commands.options import check_ms, refuse_beside, refuse_several
from hsctl.commands.output import announce, print_view

if TYPE_CHECKING:
    from hsctl.explain.answer import Answer
    from hsctl.explain.question import Question, Wish
    from hsctl.explain.trace import Extent

EXAMPLES = """
hsctl explain game.json@57 --player 1            # why player 1 did that
hsctl explain game.json@57 --why-not 'BOMB 3 4'  # and not that
hsctl explain --state position.txt --agent mcts  # what mcts would do
"""

WhyNotLine = Annotated[
    str | None,
    typer.Option(
        "--why-not",
        metavar="LINE",
        help="Say why not 'BOMB 3 4', or right,right+bomb,up (beam only). Default: the played move, if it differs.",
    ),
]


def explain(
    file: File = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="Explain the decision of turn N.")] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="P", help="Seat, name or part of it. Default: the winner, or else the first agent alive."),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="Ask this agent. Default: the one that played; beam with --state."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Explain a position in the arena's text format; - reads stdin."),
    ] = None,
    boxes: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="With --state: boxes scored so far, by player.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_NODES, metavar="N", help="Search N nodes. Default: as in the game; 100,000 with --state."
        ),
    ] = None,
    time: Annotated[
        float | None, typer.Option(min=1, callback=check_ms, metavar="MS", help="Search for MS milliseconds.")
    ] = None,
    why_not: WhyNotLine = None,
    boards: Annotated[bool, typer.Option("--boards", help="Show the boards along the best line.")] = False,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show the first N layers and turns.")] = None,
    top: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show the best N first moves.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Explain why an agent chose its move.

    The decision is made again. The move and the reason come first, then the plan, the first moves, what the search
    found and the best line. Asked about somebody else's move, it begins with what was played.
    """
    from hsctl.explain.question import Wish

    refuse_several({"--nodes": nodes, "--time": time})
    wish = Wish(player, agent, time, nodes)
    if state is not None:
        refuse_beside("--state", {"a replay": file})
        question = ask_about_position(state, turn, boxes, wish)
    else:
        if boxes is not None:
            raise HsctlError("--boxes needs --state: a replay knows the boxes")
        question = ask_about_replay(file, turn, wish)

    from hsctl.explain.answer import answer
    from hsctl.explain.trace import Extent
    from hsctl.league.compiling import compile_for

    compile_for([question.spec.name], announce)
    show(answer(question, why_not), Extent(depth, top), boards, json)


def ask_about_replay(file: str | None, turn: int | None, wish: "Wish") -> "Question":
    from hsctl.explain.question import ask_record

    _, named_turn, record = open_file(file)
    if named_turn is not None:
        refuse_beside(f"{file}", {"--turn": turn})
    return ask_record(record, turn if named_turn is None else named_turn, wish)


def ask_about_position(path: Path, turn: int | None, boxes: str | None, wish: "Wish") -> "Question":
    from hsctl.explain.question import ask_position

    source, text = read_state(path)
    return ask_position(text, source, turn, parse_boxes(boxes), wish)


def read_state(path: Path) -> tuple[str, str]:
    """What to call the position, and its text."""
    from hsctl.files import STDIN, read_text

    return "stdin" if str(path) == STDIN else str(path), read_text(path, "a position in the arena's text")


def parse_boxes(text: str | None) -> list[int]:
    try:
        return [int(number) for number in text.split(",")] if text else []
    except ValueError:
        raise HsctlError(f"--boxes {text}: expected numbers, one per player, as in 3,5") from None


def show(answer: "Answer", extent: "Extent", boards: bool, as_json: bool) -> None:
    if as_json:
        from hsctl.explain.document import document_of, encode

        typer.echo(encode(document_of(answer, extent)), nl=False)
    else:
        from hsctl.explain.show.view import explanation_view

        print_view(explanation_view(answer, extent, boards))
