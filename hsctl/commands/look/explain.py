"""`hsctl explain`: why an agent decided as it did, on a turn of a replay or on a position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError

if TYPE_CHECKING:
    from hsctl.explain.answer import Answer
    from hsctl.explain.question import Question, Wish
    from hsctl.explain.trace import Extent

EXAMPLES = """
hsctl explain game.json@57 --player 1            # why player 1 did that
hsctl explain game.json@57 --why-not 'BOMB 3 4'  # and not that
hsctl explain --state position.txt --agent mcts  # in a position
"""


def explain(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE[@TURN]]", help="A replay; the newest if none is named.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="The turn to explain.")] = None,
    player: Annotated[
        int | None, typer.Option(metavar="P", help="Whose decision. Default: the winner if it is an agent's.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Ask this agent. Default: who played; with --state beam.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead of a replay: a position in the arena's text; - for stdin."),
    ] = None,
    boxes: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="With --state: boxes scored so far, by player.")
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Think so many nodes.")] = None,
    time: Annotated[float | None, typer.Option(min=1, metavar="MS", help="Think so long.")] = None,
    why_not: Annotated[
        str | None,
        typer.Option("--why-not", metavar="LINE", help="Follow 'BOMB 3 4' or right,right+bomb,up to where it fell."),
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Show the boards along the best line.")] = False,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show so many layers and turns.")] = None,
    top: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show so many first moves.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print everything as one JSON object.")] = False,
) -> None:
    """Show why the search chose: the answer first, then the plan, first moves, layers, the best line."""
    from hsctl.explain.question import Wish

    if nodes is not None and time is not None:
        raise HsctlError("--nodes and --time: expected one of the two")
    wish = Wish(player, agent, time, nodes)
    if state is not None:
        question = ask_about_position(file, state, turn, boxes, wish)
    else:
        if boxes is not None:
            raise HsctlError("--boxes: a replay knows them, expected together with --state")
        question = ask_about_replay(file, turn, wish)

    from hsctl.explain.answer import answer
    from hsctl.explain.trace import Extent

    show(answer(question, why_not, lambda text: typer.echo(text, err=True)), Extent(depth, top), boards, json)


def ask_about_replay(file: str | None, turn: int | None, wish: "Wish") -> "Question":
    from hsctl.explain.question import ask_replay
    from replays.store import newest, parse_reference

    path, named_turn = (newest(), None) if file is None else parse_reference(file)
    if named_turn is not None and turn is not None:
        raise HsctlError(f"{file}: names a turn already, expected no --turn")
    return ask_replay(path, named_turn if turn is None else turn, wish)


def ask_about_position(file: str | None, state: Path, turn: int | None, boxes: str | None, wish: "Wish") -> "Question":
    from hsctl.explain.question import ask_position

    if file is not None:
        raise HsctlError("--state: expected no replay beside it")
    source, text = read_state(state)
    return ask_position(text, source, turn, parse_boxes(boxes), wish)


def read_state(path: Path) -> tuple[str, str]:
    """What to call the position, and its text."""
    if str(path) == "-":
        import sys

        return "stdin", sys.stdin.read()
    from hsctl.files import read_text

    return str(path), read_text(path, "a position in the arena's text")


def parse_boxes(text: str | None) -> list[int]:
    try:
        return [int(number) for number in text.split(",")] if text else []
    except ValueError:
        raise HsctlError(f"--boxes {text}: expected numbers, one per player, as in 3,5") from None


def show(answer: "Answer", extent: "Extent", boards: bool, as_json: bool) -> None:
    if as_json:
        from hsctl.explain.document import document_of, encode

        typer.echo(encode(document_of(answer, extent)), nl=False)
        return
    from rich.console import Console

    from hsctl.explain.show.view import explanation_view

    console = Console(highlight=False)
    for part in explanation_view(answer, extent, boards):
        console.print(part)
