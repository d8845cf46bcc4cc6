"""The FILE of a command: the newest replay, or whatever game or inputs a named file holds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hsctl.report.console import announce

if TYPE_CHECKING:
    from replays.inputs import Inputs
    from replays.playback import Playback

File = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE[@TURN]]",
        help="A replay, a game of the arena (JSON or console text) or inputs; - for stdin. Default: the newest replay.",
    ),
]


class Named(NamedTuple):
    """What a command was given."""

    path: Path
    turn: int | None  # if the name has one
    record: "Playback | Inputs"


def open_inferred(record: "Inputs", path: Path) -> "Playback":
    """The game that inputs tell, for what needs one; how much of it that is goes to stderr."""
    from engine.errors import HsctlError
    from replays.arena.importing import game_of

    try:
        game = game_of(record)
    except HsctlError as error:
        raise HsctlError(f"{path}: {error}") from None
    announce(f"{path}: inputs of one player; turns {game.first_turn} to {game.end_turn - 1}, actions inferred")
    return game


def open_file(file: str | None) -> Named:
    """Open what `FILE`, `FILE@TURN`, `@TURN` or nothing names; what must be said about it goes to stderr."""
    from replays.opening import open_record
    from replays.store import newest, parse_reference

    path, turn = (newest(), None) if file is None else parse_reference(file)
    record, notes = open_record(path)
    for note in notes:
        announce(f"{path}: {note}")
    return Named(path, turn, record)
