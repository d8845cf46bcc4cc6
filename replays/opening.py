"""Any text that names games, as games: a file, `-`, `FILE@TURN`, `@TURN`, a folder, a player of a game.

A file is recognised by its content, whatever it is called:

a replay                   played again, every hash compared
a game of the arena        its JSON or its console's text, played again from the seed and all outputs
inputs                     what a bot received, anywhere in a text: actions are inferred

Listing a folder reads results alone and loads no engine, so that it can look through thousands of files.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec

from replays.files import ReplayError, read_source
from replays.replay import FORMAT, Result, decode
from replays.store import digest_of, newest, own_replays, replay_folder, saved_at
from replays.text import clean, counted, shorten

if TYPE_CHECKING:
    from replays.inputs import Inputs
    from replays.playback import Playback

REPLAY = re.compile(rb'\s*\{\s*"format"\s*:')
HEAD = 4096  # bytes in which the format of a replay is found
READABLE = "name a replay, an arena game (JSON or console text) or a bot's inputs"

Tell = Callable[[str], None]  # receives a note for the user


# References


class NamedRecord(NamedTuple):
    """A file that a command was given, opened."""

    path: Path
    turn: int | None  # if the reference has one
    record: "Playback | Inputs"


def open_reference(reference: str | None, tell: Tell) -> NamedRecord:
    """Open `FILE`, `FILE@TURN` or `@TURN`; None is the newest replay. `tell` gets every note about it."""
    path, turn = (newest(), None) if reference is None else parse_reference(reference)
    record, notes = open_record(path)
    for note in notes:
        tell(f"{path}: {note}")
    return NamedRecord(path, turn, record)


def parse_reference(text: str) -> tuple[Path, int | None]:
    """`FILE`, `FILE@42` or `@42` (the newest at turn 42): the file and the turn, if one is named."""
    if os.path.exists(text):  # no error for a name that is too long
        return Path(text), None
    name, at, turn = text.rpartition("@")
    if at and re.fullmatch(r"\d{1,9}", turn, re.ASCII):
        return Path(name) if name else newest(), int(turn)
    if at and os.path.isfile(name):
        raise ReplayError(f"{text}: {turn!r} is not a turn; write {name}@42")
    return Path(text), None


def infer_game(record: "Inputs", path: Path, tell: Tell = lambda note: None) -> "Playback":
    """The part of a game that the inputs in a file show; `tell` gets its extent."""
    from replays.arena.importing import game_of

    try:
        game = game_of(record)
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from None
    tell(f"{path}: inputs of one player; turns {game.first_turn} to {game.end_turn - 1}, actions inferred")
    return game


LONGEST_NAME = 40


def fitting_seats(text: str, specs: Sequence[str]) -> list[int]:
    """The seats of the players that a text may mean: its seat, or those of that name, or of a name with it in it."""
    if text.isdecimal() and text.isascii() and int(text[:9]) < len(specs):
        return [int(text)]
    wanted = text.casefold()
    names = [spec.casefold() for spec in specs]
    exact = [seat for seat, name in enumerate(names) if name == wanted]
    return exact or [seat for seat, name in enumerate(names) if wanted and wanted in name]


def seat_of(text: str, specs: Sequence[str]) -> int:
    """The one seat that a text means."""
    found = fitting_seats(text, specs)
    if len(found) == 1:
        return found[0]
    if found:
        raise ReplayError(f"player {text!r} fits several: name one of the seats {list_seats(found, specs)}")
    everybody = list_seats(range(len(specs)), specs)
    raise ReplayError(f"no player {text!r}: name a seat or a part of a name: {everybody}")


def list_seats(seats: Sequence[int], specs: Sequence[str]) -> str:
    return ", ".join(f"{seat} ({shorten(clean(specs[seat]), LONGEST_NAME)})" for seat in seats)


# One file


class Opened(NamedTuple):
    """The content of a file, and notes about it for the user."""

    record: "Playback | Inputs"
    notes: list[str]


def open_record(path: Path) -> Opened:
    """Whatever there is to step through in a file; errors name it."""
    try:
        return open_bytes(read_source(path))
    except ReplayError as error:
        message = str(error)
        raise ReplayError(message if message.startswith(f"{path}:") else f"{path}: {message}") from None


def open_game(path: Path) -> "tuple[Playback, list[str]]":
    """The game in a file; of inputs the turns that follow from each other by the rules."""
    from replays.playback import Playback

    record, notes = open_record(path)
    return (record if isinstance(record, Playback) else infer_game(record, path)), notes


def open_parent(playback: "Playback", path: Path) -> "tuple[Playback | None, str]":
    """The game that a game in a file was played on from; or None, and why it can't be shown."""
    from replays.playback import Playback

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
    from replays.playback import Playback

    if REPLAY.match(data) or FORMAT.encode() in data[:HEAD]:
        playback = Playback(decode(data))
        playback.digest = digest_of(data)
        return Opened(playback, [])
    from replays.arena.formats import ArenaError, is_console

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
    from replays.arena.formats import ArenaError
    from replays.arena.importing import import_game
    from replays.playback import Playback

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
    from replays.inputs import Inputs, parse_log

    log = parse_log(text)
    if not log.found:
        raise ReplayError(notes[0] if notes else f"no game found: {(log.skipped or [READABLE])[0]}")
    return Opened(Inputs(log), [*notes, *log.skipped])


# Many files


def open_games(
    paths: Iterable[Path], tell: Tell, on_file: Callable[[], None] = lambda: None
) -> "Iterator[tuple[Path, Playback]]":
    """The games among many files; `tell` gets notes about them, and the name of each file without a game."""
    for path in paths:
        try:
            playback, notes = open_game(path)
        except ReplayError as error:
            tell(f"skipped: {error}")
        else:
            for note in notes:
                tell(f"{path}: {note}")
            yield path, playback
        on_file()


def expand_folders(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named, by name; without any, the newest replay."""
    if not paths:
        yield newest()
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
        elif path.exists():
            yield path
        else:
            raise ReplayError(f"{path}: No such file or directory; name replays or folders of them")


class ShortPlayer(msgspec.Struct):
    """Who sat in a seat."""

    spec: str
    is_agent: bool


class Short(msgspec.Struct):
    """A game without what was done in it."""

    seed: int | None
    first_turn: int
    turns: int
    players: list[ShortPlayer]
    result: Result
    dead_from_start: list[int] = []  # seats

    @property
    def names(self) -> list[str]:
        return [info.spec for info in self.players]

    def has_lost(self, seat: int) -> bool:
        return self.result.has_lost(seat)


class ShortStart(msgspec.Struct):
    turn: int = 0
    death_rounds: list[int | None] = []  # empty: all were alive


class Unread(msgspec.Struct):
    """A replay whose turns are only counted."""

    format: Literal["hsctl-replay"]
    seed: int | None
    start: ShortStart
    players: Annotated[list[ShortPlayer], msgspec.Meta(min_length=2, max_length=4)]
    turns: list[msgspec.Raw]
    result: Result


def read_short(path: Path) -> Short | None:
    """What is known of the game in a file; None if there is none."""
    try:
        return short_of(path, read_source(path))
    except ReplayError:
        return None


def short_of(path: Path, data: bytes) -> Short | None:
    """The same of a file that was read; a game that is no replay has to be played."""
    try:
        replay = msgspec.json.decode(data, type=Unread)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return short_of_other(path)
    if not is_by_seat(replay.result, len(replay.players)):
        return None
    return shorten_game(replay.seed, replay.start, replay.players, len(replay.turns), replay.result)


def is_by_seat(result: Result, seats: int) -> bool:
    return len(result.ranks) == len(result.boxes) == len(result.death_rounds) == seats


def short_of_other(path: Path) -> Short | None:
    try:
        replay = open_game(path)[0].replay
    except ReplayError:
        return None
    players = [ShortPlayer(info.spec, info.is_agent) for info in replay.players]
    start = ShortStart(replay.start.turn, replay.start.death_rounds)
    return shorten_game(replay.seed, start, players, len(replay.turns), replay.result)


def shorten_game(seed: int | None, start: ShortStart, players: list[ShortPlayer], turns: int, result: Result) -> Short:
    dead = [seat for seat, died in enumerate(start.death_rounds) if died is not None]
    return Short(seed, start.turn, turns, players, result, dead)


def files_in(folder: Path | None) -> list[Path]:
    """Files that may hold games, the newest first; None: what was saved for the user, wherever that is."""
    if folder is None:
        return sorted(own_replays(), key=lambda path: (saved_at(path), path.name), reverse=True)
    try:
        with os.scandir(folder) as entries:
            found = [(age_of(each), each.name) for each in entries if each.is_file() and not each.name.startswith(".")]
    except OSError as error:
        raise ReplayError(f"{folder}: {error.strerror}; name a folder with games") from None
    return [folder / name for _, name in sorted(found, reverse=True)]


def age_of(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_mtime_ns
    except OSError:
        return 0  # removed since it was listed


class Shelf:
    """The games of a folder, the newest first, and the one that is open."""

    def __init__(self, paths: Sequence[Path], path: Path | None) -> None:
        self.paths = paths
        self.at = next((at for at, each in enumerate(paths) if path and each.absolute() == path.absolute()), -1)

    def others(self, direction: int, is_wanted: Callable[[Short], bool]) -> Iterator[tuple[int, Path]]:
        """Games after (direction 1, older) or before this one that are wanted, the nearest first."""
        places = range(self.at + 1, len(self.paths)) if direction > 0 else range(self.at - 1, -1, -1)
        for at in places:
            short = read_short(self.paths[at])
            if short is not None and is_wanted(short):
                yield at, self.paths[at]
