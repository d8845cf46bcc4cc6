"""The games of a folder, or all that were saved for the user: listed by age, each known by its result alone.

What a game led to is read without its turns, so that thousands of files can be looked through.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from replays.files import read_source
from replays.replay import ReplayError, Result
from replays.store import own_replays, saved_at


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
    from replays.opening import open_game  # the engine, which no replay needs here

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
        raise ReplayError(f"{folder}: {error.strerror}, expected a folder with games") from None
    return [folder / name for _, name in sorted(found, reverse=True)]


def age_of(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_mtime_ns
    except OSError:
        return 0  # removed since it was listed


class Shelf:
    """Games beside each other, the newest first, and which of them is open."""

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
