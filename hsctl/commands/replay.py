"""`hsctl replay`: a recorded game as boards, as the arena's text or as events."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError

if TYPE_CHECKING:
    from pathlib import Path

    from replays.playback import Playback


def replay(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE[@TURN]]", help="A replay; the newest if none is named.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="Show the board of turn N.")] = None,
    first: Annotated[int | None, typer.Option("--from", metavar="N", help="Show turns from N on.")] = None,
    last: Annotated[int | None, typer.Option("--to", metavar="N", help="Show turns up to N.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show all turns.")] = False,
    frames: Annotated[bool, typer.Option("--frames", help="Print positions in the arena's text.")] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", help="With --frames: exactly the stdin that this bot had.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print what happened in each turn as JSON.")] = False,
) -> None:
    """Show a recorded game; every position is played again and checked on the way."""
    check_options(turn, first, last, every, frames, seat, json)
    path, named_turn = find_replay(file)
    if named_turn is not None:
        if turn is not None or first is not None or last is not None or every:
            raise HsctlError(f"{file}: names a turn already, expected no --turn, --from, --to or --all")
        turn = named_turn

    from replays.playback import load

    playback = load(path)
    turns = select_turns(playback, turn, first, last)
    if json:
        from replays.export import format_events

        typer.echo(format_events(playback, turns), nl=False)
    elif frames:
        from replays.export import format_frames, format_input

        text = format_frames(playback, turns) if seat is None else format_input(playback, turns, seat)
        typer.echo(text, nl=False)
    elif every or not (turn is first is last is None):
        show_turns(playback, turns)
    else:
        show_game(playback, str(path))


def check_options(
    turn: int | None,
    first: int | None,
    last: int | None,
    every: bool,
    frames: bool,
    seat: int | None,
    json: bool,
) -> None:
    ways = [turn is not None, first is not None or last is not None, every]
    if sum(ways) > 1:
        raise HsctlError("--turn, --from/--to and --all: expected one of the three")
    if frames and json:
        raise HsctlError("--frames and --json: expected one of the two")
    if seat is not None and not frames:
        raise HsctlError("--seat: expected together with --frames")


def find_replay(file: str | None) -> "tuple[Path, int | None]":
    from replays.store import newest, parse_reference

    return (newest(), None) if file is None else parse_reference(file)


def select_turns(playback: "Playback", turn: int | None, first: int | None, last: int | None) -> Sequence[int]:
    """The turns asked for, all of them if none is; the last one is the end."""
    if turn is not None:
        first = last = turn
    known = range(playback.first_turn, playback.end_turn + 1)
    first = known[0] if first is None else first
    last = known[-1] if last is None else last
    for asked in (first, last):
        if asked not in known:
            raise HsctlError(f"turn {asked}: this game has turns {known[0]} to {known[-1]} ({known[-1]} is its end)")
    if first > last:
        raise HsctlError(f"--from {first} --to {last}: expected --from to be the smaller one")
    return range(first, last + 1)


def show_turns(playback: "Playback", turns: Sequence[int]) -> None:
    from rich.console import Console
    from rich.text import Text

    from replays.board_view import LEGEND
    from replays.turn_view import turn_view

    console = Console(highlight=False)
    for turn in turns:
        console.print(turn_view(playback, turn))
        console.print()
    console.print(Text(LEGEND, "dim"))


def show_game(playback: "Playback", path: str) -> None:
    """What a replay shows when nothing special is asked for: a summary and the end."""
    from rich.console import Console
    from rich.text import Text

    from replays.summary_view import summary_view

    console = Console(highlight=False)
    console.print(Text(path), soft_wrap=True)
    console.print(summary_view(playback))
    show_turns(playback, [playback.end_turn])
