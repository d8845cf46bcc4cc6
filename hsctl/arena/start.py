"""Where a game begins if not on the board of its seed: a turn of a replay, or a position in the arena's text."""

from pathlib import Path

from engine.errors import EngineError, HsctlError
from engine.notation import parse_position
from hsctl.files import read_text
from replays.playback import load, start_of
from replays.replay import Start
from replays.store import parse_reference


def start_from_replay(reference: str, seats: int) -> tuple[Start, int | None]:
    """The position that `FILE@TURN` names (without a turn: the first), and the seed of its game."""
    path, turn = parse_reference(reference)
    playback = load(path)
    start = start_of(playback.game_at(playback.first_turn if turn is None else turn))
    if start.seats != seats:
        raise HsctlError(f"{seats} players: the game in {path} has {start.seats} (the dead keep their seats)")
    return start, playback.replay.seed


def start_from_file(path: Path, seats: int) -> Start:
    """The position in a file, as turn 0."""
    text = read_text(path, "a position in the arena's text")
    try:
        game = parse_position(text, seats=seats)
    except EngineError as error:
        raise HsctlError(f"{path}: {error}") from None
    if len(game.living) < 2:
        raise HsctlError(f"{path}: {len(game.living)} of {seats} players live, expected 2 or more")
    return start_of(game)
