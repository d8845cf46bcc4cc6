"""Where a game begins if not on the board of its seed: a turn of a replay, a position, the arena's options."""

from collections.abc import Sequence
from pathlib import Path

from engine.errors import EngineError, HsctlError
from engine.game import Game
from engine.maps import parse_options
from engine.notation import parse_position
from engine.state import MAX_PLAYERS
from hsctl.files import read_text
from replays.playback import start_of
from replays.record import Record
from replays.replay import Start


def start_from_record(record: Record, turn: int | None, seats: int) -> Start:
    """A position of a game or of inputs; without a turn the first."""
    start = start_of(record.game_at(record.first_turn if turn is None else turn))
    if start.seats != seats:
        raise HsctlError(f"{seats} players: that game has {start.seats} (the dead keep their seats)")
    return start


def start_from_options(text: str, seats: int) -> tuple[Start | None, int]:
    """The board of the arena's options `seed=N boxes=N`, None if it is that of the seed alone; and the seed."""
    try:
        options = parse_options(text)
    except EngineError as error:
        raise HsctlError(f"--map: {error}") from None
    if options.boxes is None:
        return None, options.seed
    return start_of(Game.start(options.seed, seats, options.boxes)), options.seed


def game_from_text(text: str, turn: int = 0, boxes: Sequence[int] = (), seats: int | None = None) -> Game:
    """A position in the arena's text, which doesn't tell how many seats there are: the dead keep theirs. If `seats`
    doesn't either, there are as many as `boxes` has numbers, or as players and bombs need, if these are more."""
    fewest = parse_position(text, turn, seats=seats).seats
    return parse_position(text, turn, boxes, seats or max(fewest, min(len(boxes), MAX_PLAYERS)))


def start_from_file(path: Path, seats: int) -> Start:
    """The position in a file, as turn 0."""
    text = read_text(path, "a file with a position in the arena's text")
    try:
        game = parse_position(text, seats=seats)
    except EngineError as error:
        raise HsctlError(f"{path}: {error}") from None
    if len(game.living) < 2:
        raise HsctlError(f"{path}: {len(game.living)} of {seats} players live; a game needs 2")
    return start_of(game)
