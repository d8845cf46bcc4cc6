"""A FILE with a game, recognised by its content wherever one is accepted; `-` is stdin.

a replay                   played again, every hash compared
a game of the arena        its JSON or its console's text, played again from the seed and everybody's outputs
inputs                     what a bot received, anywhere in a text: actions are inferred
"""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from replays.arena.formats import ArenaError, is_console
from replays.arena.importing import game_of, import_game
from replays.files import read_source
from replays.inputs import Inputs
from replays.log import parse_log
from replays.playback import Playback
from replays.replay import FORMAT, ReplayError, decode
from replays.store import digest_of, replay_folder
from replays.text import clean, counted

REPLAY = re.compile(rb'\s*\{\s*"format"\s*:')
HEAD = 4096  # bytes in which a replay's format stands
EXPECTED = "expected a replay, a game of the arena (JSON or console text) or inputs in the arena's text"


class Opened(NamedTuple):
    """What a file holds, and what must be said about it."""

    record: Playback | Inputs
    notes: list[str]


def open_record(path: Path) -> Opened:
    """Whatever there is to step through in a file; errors name it."""
    try:
        return open_bytes(read_source(path))
    except ReplayError as error:
        message = str(error)
        raise ReplayError(message if message.startswith(f"{path}:") else f"{path}: {message}") from None


def open_game(path: Path) -> tuple[Playback, list[str]]:
    """The game in a file; of inputs the turns that follow from each other by the rules."""
    record, notes = open_record(path)
    if isinstance(record, Inputs):
        try:
            return game_of(record), notes
        except ReplayError as error:
            raise ReplayError(f"{path}: {error}") from None
    return record, notes


def open_games(
    paths: Iterable[Path], tell: Callable[[str], None], on_file: Callable[[], None]
) -> Iterator[tuple[Path, Playback]]:
    """The games among many files; `tell` is told of those that hold none, and what must be said about the others."""
    for path in paths:
        try:
            playback, notes = open_game(path)
        except ReplayError as error:
            tell(f"passed over: {error}")
        else:
            for note in notes:
                tell(f"{path}: {note}")
            yield path, playback
        on_file()


def open_parent(playback: Playback, path: Path) -> tuple[Playback | None, str]:
    """The game that another, in a file, was played on from; or None, and why not."""
    parent = playback.replay.parent
    if parent is None:
        return None, "this game was not played on from another"
    recorded = Path(parent.file)
    for place in (recorded, path.parent / recorded.name, replay_folder() / recorded.name):
        try:
            data = read_source(place) if place.is_file() else b""
            if blake2b(data, digest_size=8).hexdigest() == parent.digest:
                record = open_bytes(data).record
                return (record, "") if isinstance(record, Playback) else (None, f"{place} is no whole game")
        except (ReplayError, OSError, ValueError):  # a name may be anything
            continue
    return None, f"the game it was played on from is not there any more, or changed: {clean(parent.file)}"


def open_bytes(data: bytes) -> Opened:
    if REPLAY.match(data) or FORMAT.encode() in data[:HEAD]:
        playback = Playback(decode(data))
        playback.digest = digest_of(data)
        return Opened(playback, [])
    text = data.decode("utf-8-sig", "replace")
    if text.lstrip()[:1] in ("{", "["):
        return open_arena(data)
    if is_console(text):
        try:
            return open_arena(data)
        except ArenaError as error:
            return open_inputs(text, [f"{error}; its inputs alone are shown"])
    return open_inputs(text, [])


def open_arena(data: bytes) -> Opened:
    """A game of the arena, as far as the rules play it to an end."""
    imported = import_game(data, None)
    difference = f"MISMATCH {imported.difference.describe()}" if imported.difference else ""
    if imported.replay is None:
        raise ArenaError(difference)
    cut = (
        ""
        if imported.replay.result.is_finished
        else f"the text ends after {counted(imported.turns, 'turn')}, before the game does"
    )
    return Opened(Playback(imported.replay), [*filter(None, [difference, cut])])


def open_inputs(text: str, notes: list[str]) -> Opened:
    """The inputs in a text, with what had to be skipped."""
    log = parse_log(text)
    if not log.found:
        reason = (notes or log.skipped or [EXPECTED])[0]
        raise ReplayError(reason if notes else f"no game found: {reason}")
    return Opened(Inputs(log), [*notes, *log.skipped])
