"""The games of a folder, or all that were saved for the user: listed by age, each known by its result alone.

What a game led to is read without its turns, so that thousands of files can be looked through.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from replays.opening import open_game
from replays.replay import PlayerInfo, ReplayError, Result
from replays.store import own_replays, saved_at


class ShortStart(msgspec.Struct):
    turn: int = 0
    death_rounds: list[int | None] = []  # empty: all were alive


class Short(msgspec.Struct):
    """A replay without what was done in it."""

    format: Literal["hsctl-replay"]
    seed: int | None
    start: ShortStart
    players: Annotated[list[PlayerInfo], msgspec.Meta(min_length=2, max_length=4)]
    turns: list[msgspec.Raw]
    result: Result

    @property
    def names(self) -> list[str]:
        return [info.spec for info in self.players]

    def has_lost(self, seat: int) -> bool:
        return self.result.has_lost(seat)

    def is_dead_from_start(self, seat: int) -> bool:
        return seat < len(self.start.death_rounds) and self.start.death_rounds[seat] is not None


def read_short(path: Path) -> Short | None:
    """What is known of the game in a file; None if there is none."""
    try:
        short = msgspec.json.decode(path.read_bytes(), type=Short)
        return short if len(short.result.ranks) == len(short.players) else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return read_other(path)
    except OSError:
        return None


def read_other(path: Path) -> Short | None:
    """The same of a game that is no replay: it has to be played."""
    try:
        replay = open_game(path)[0].replay
    except ReplayError:
        return None
    turns = [msgspec.Raw(b"0")] * len(replay.turns)
    start = ShortStart(replay.start.turn, replay.start.death_rounds)
    return Short("hsctl-replay", replay.seed, start, replay.players, turns, replay.result)


def files_in(folder: Path | None) -> list[Path]:
    """Files that may hold games, the newest first; None: what was saved for the user, wherever that is."""
    if folder is None:
        paths = own_replays()
    else:
        try:
            paths = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
        except OSError as error:
            raise ReplayError(f"{folder}: {error.strerror}, expected a folder with games") from None
    return sorted(paths, key=lambda path: (saved_at(path), path.name), reverse=True)


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
