"""`hsctl replay`: a recorded game to step through, as boards, pictures, the arena's text or events."""

import sys
from collections.abc import Sequence
from os.path import isdir  # unlike Path's, it takes names of any length
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.cli.options import File, refuse_beside, refuse_several
from hsctl.report.console import announce
from replays.files import write_text
from replays.text import counted, name_turns

if TYPE_CHECKING:
    from replays.inputs import Inputs
    from replays.playback import Playback
    from replays.record import Record

EXAMPLES = """
hsctl replay                             # step through the newest game
hsctl replay game.json@57                # the board of turn 57
hsctl replay game.json --html game.html  # a page to share
hsctl replay --svg game.svg --animate    # an animation for a README
"""


def replay(
    file: File = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", help="Show the board of turn N.")] = None,
    first: Annotated[int | None, typer.Option("--from", metavar="N", help="Show turns from N on.")] = None,
    last: Annotated[int | None, typer.Option("--to", metavar="N", help="Show turns up to N.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show all turns.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a web page to step through the game.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture of the turn chosen by --turn.")
    ] = None,
    animate: Annotated[bool, typer.Option("--animate", help="With --svg: animate the turns.")] = False,
    cast: Annotated[
        Path | None, typer.Option("--cast", metavar="FILE", help="Write a terminal recording for asciinema.")
    ] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="FILE", help="Write an animation of the turns (needs hsctl[plot]).")
    ] = None,
    frames: Annotated[bool, typer.Option("--frames", help="Print positions in the arena's text format.")] = False,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="P", help="With --frames: print exactly what player P read."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print what happened in each turn as JSON.")] = False,
) -> None:
    """Step through a recorded game, print its turns or draw them.

    Without options, hsctl opens the game in the terminal, or prints a summary if there is no terminal. For a folder, it
    lists the games.
    """
    from replays.opening import open_reference

    refuse_several_spans(turn, first, last, every)
    pictures = {"--html": html, "--svg": svg, "--gif": gif, "--cast": cast}
    refuse_several({"--frames": frames, "--json": json, **pictures})
    if animate and svg is None:
        raise HsctlError("--animate needs --svg FILE")
    if player is not None and not frames:
        raise HsctlError("--player needs --frames")
    options = {"--turn": turn, "--from": first, "--to": last, "--all": every, "--frames": frames, "--json": json}
    if list_folder(file, {**options, **pictures}):
        return
    path, named_turn, record = open_reference(file, announce)
    if named_turn is not None:
        refuse_beside(f"{file}", {"--turn": turn, "--from": first, "--to": last, "--all": every})
        turn = named_turn
    turns = select_turns(record, turn, first, last)
    selected = every or not (turn is first is last is None)
    kind, picture = next(((kind, picture) for kind, picture in pictures.items() if picture), ("", None))
    if picture is not None:
        refuse_itself(path, picture)
        return write_picture(record, turns, selected, "--animate" if animate else kind, picture)
    if frames or json:
        print_text(record, turns, frames, player)
    elif selected:
        show_turns(record, turns)
    else:
        show_record(record, str(path))


def refuse_several_spans(turn: int | None, first: int | None, last: int | None, every: bool) -> None:
    refuse_several({"--turn": turn, "--from": first, "--all": every})
    refuse_several({"--turn": turn, "--to": last, "--all": every})


def list_folder(file: str | None, options: dict[str, object]) -> bool:
    """List the games of a folder, if that is what was named."""
    if file is None or not isdir(file):
        return False
    from hsctl.cli.games import MOST_SHOWN, show_games
    from hsctl.league.listing import Filter

    refuse_beside(file, options)
    show_games(Path(file), Filter(), MOST_SHOWN)
    return True


def is_in_terminal() -> bool:
    """Textual reads stdin and draws on stderr; stdout is what a pipe would want."""
    from hsctl.plain import shows_all

    return sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty() and shows_all(sys.stdout)


def select_turns(record: "Record", turn: int | None, first: int | None, last: int | None) -> Sequence[int]:
    """The turns asked for, by default all of them; the last one is the end."""
    if turn is not None:
        first = last = turn
    known = range(record.first_turn, record.end_turn + 1)
    first = known[0] if first is None else first
    last = known[-1] if last is None else last
    for asked in (first, last):
        if asked not in known:
            raise HsctlError(f"turn {asked}: this game has {name_turns(known[0], known[-1])}")
    if first > last:
        raise HsctlError(f"--from {first} --to {last}: --from must not be larger")
    return range(first, last + 1)


def refuse_itself(source: Path, picture: Path) -> None:
    """A picture must not replace the game that it shows."""
    if source.exists() and picture.exists() and source.samefile(picture):
        raise HsctlError(f"{picture} is the game itself: name another file for its picture")


def write_picture(record: "Record", turns: Sequence[int], selected: bool, kind: str, picture: Path) -> None:
    """A page of the whole game, a picture of one turn, or an animation of several."""
    if kind == "--html":
        if selected:
            raise HsctlError("--html cannot be combined with --turn, --from, --to or --all: a page holds every turn")
        from replays.export.page import format_page

        write_text(picture, format_page(record))
    elif kind == "--svg":
        if len(turns) != 1:
            raise HsctlError("--svg draws one turn: add --turn N, or --animate for all")
        from replays.export.svg import format_turn

        write_text(picture, format_turn(record, turns[0]))
    elif kind == "--animate":
        from replays.export.animation import format_animation

        write_text(picture, format_animation(record, turns))
    elif kind == "--gif":
        from replays.export.gif import write_gif

        write_gif(record, turns, picture)
    else:
        write_cast(record, turns, picture)
    how = "; open it in a browser" if kind == "--html" else ""
    announce(f"{picture}: {counted(len(turns), 'position')}{how}")


def write_cast(record: "Record", turns: Sequence[int], picture: Path) -> None:
    from io import StringIO

    from hsctl.report.safe_console import SafeConsole
    from replays.export.cast import WIDTH, format_cast

    console = SafeConsole(
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        width=WIDTH,
        legacy_windows=False,
        no_color=False,
    )
    write_text(picture, format_cast(record, turns, console))


def print_text(record: "Playback | Inputs", turns: Sequence[int], frames: bool, player: str | None) -> None:
    """The arena's text or the events of turns; inputs are printed as they came."""
    from replays.export.text import format_events, format_frames, format_input
    from replays.opening import seat_of
    from replays.playback import Playback

    if frames and player is None:
        text = format_frames(record, turns)
    elif isinstance(record, Playback):
        text = format_input(record, turns, seat_of(player, record.specs)) if player else format_events(record, turns)
    else:
        raise HsctlError(f"{'--player' if frames else '--json'} needs a whole game, these are inputs of one player")
    typer.echo(text, nl=False)


def show_turns(record: "Record", turns: Sequence[int]) -> None:
    from rich.text import Text

    from hsctl.report.safe_console import SafeConsole
    from replays.render.board import LEGEND
    from replays.render.overlays import drawings
    from replays.render.turn import turn_view

    console = SafeConsole()
    for turn in turns:
        drawn = drawings(record.game_at(turn), record.moves_at(turn))
        console.print(turn_view(record, turn, drawn.marks))
        console.print(Text(f"{drawn.legend}\n" if drawn.legend else ""))
    console.print(Text(LEGEND, "dim"))


def games_beside(path: Path) -> list[Path]:
    """The files of the folder in which a game stands, the newest first."""
    from replays.files import STDIN
    from replays.opening import files_in

    return [] if str(path) == STDIN else files_in(path.absolute().parent)


def show_record(record: "Playback | Inputs", path: str) -> None:
    """What happens without options: the stepper opens, or where there is no terminal, a summary and the final board."""
    if is_in_terminal():
        from hsctl.cli.adviser import StepperAdviser
        from replays.viewer.app import open_stepper

        open_stepper(record, path=Path(path), games=games_beside(Path(path)), adviser=StepperAdviser())
        return
    from rich.text import Text

    from hsctl.report.safe_console import SafeConsole
    from replays.playback import Playback
    from replays.render.turn import inputs_view, summary_view

    console = SafeConsole()
    console.print(Text(path), soft_wrap=True)
    console.print(summary_view(record) if isinstance(record, Playback) else inputs_view(record))
    show_turns(record, [record.end_turn])
