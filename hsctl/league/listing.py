"""Recorded games in short: players, end, and why a player lost; an index keeps the findings.

To know how a player died, its game is played again. The index, next to the replays in the user's data folder, keeps the
result under a digest of the file's content, so that each content is read and played once, wherever its file is moved.
A file whose size, times and inode are those it had is not read again.

The index is never needed and never trusted: lost, damaged, locked or out of date, it is made again. It is not kept in
the folders that are listed: those may be read-only, or a stranger's, whose index could say anything.
"""

import os
import sqlite3
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Self, get_args
from zlib import crc32

import msgspec

from hsctl import __version__
from hsctl.match.bots.answer import Cause
from hsctl.match.result import CAUSES, ERROR, Fate, fate_of
from replays.files import read_source
from replays.opening import Short, fitting_seats, short_of
from replays.replay import UNFINISHED, ReplayError
from replays.store import data_folder, moment_saved
from replays.text import counted

BOXES = "boxes"  # lost alive, or longest alive, by fewer of them
DEAD = "dead"  # from the start: the record begins after the player's death
CAUSES_OF_LOSS = (*CAUSES, BOXES, DEAD, *get_args(Cause))
WON, DRAWN, LOST = "won", "drawn", "lost"  # or unfinished


@dataclass(frozen=True)
class Filter:
    """Which games are wanted; a player is a name or a part of it, not a seat: seats change from game to game."""

    player: str | None = None
    is_lost: bool = False
    cause: str | None = None  # one of CAUSES_OF_LOSS


class ListedPlayer(msgspec.Struct, frozen=True):
    """How a game ended for a player."""

    seat: int
    player: str
    is_agent: bool
    rank: int
    boxes: int
    result: str  # won, drawn, lost or unfinished
    cause: str | None  # of a loss: one of CAUSES_OF_LOSS
    death_turn: int | None  # None: alive at the end, or dead from the start
    is_listed: bool  # whether the game is listed for this player


class ListedGame(msgspec.Struct, frozen=True):
    """A game of the list, as the terminal and `--json` show it."""

    file: str
    saved: str  # ISO 8601
    seed: int | None
    first_turn: int
    turns: int
    reason: str  # why it ended
    players: list[ListedPlayer]

    @property
    def losers(self) -> list[ListedPlayer]:
        """The players that the game is listed for and that lost it."""
        return [player for player in self.players if player.is_listed and player.result == LOST]


def listed_seats(short: Short, player: str | None) -> list[int]:
    """The seats of the players of that name; without one those of external bots, or all if there are none."""
    if player is not None:
        return [seat for seat in fitting_seats(player, short.names) if not player.isdecimal()]
    return [seat for seat, info in enumerate(short.players) if not info.is_agent] or list(range(len(short.players)))


def list_games(paths: Sequence[Path], wanted: Filter) -> Generator[ListedGame | None, None, None]:
    """In the given order; None for files that hold no game, or none that is wanted."""
    with GameIndex() as index:
        for path in paths:
            yield list_game(path, wanted, index)


def list_game(path: Path, wanted: Filter, index: "GameIndex") -> ListedGame | None:
    short = index.short_of(path)
    if short is None:
        return None
    seats = listed_seats(short, wanted.player)
    if not seats or ((wanted.is_lost or wanted.cause) and not any(map(short.has_lost, seats))):
        return None
    game = summary_of(path, short, seats, index.fates_of(path))
    return game if wanted.cause is None or is_cause(game, wanted.cause) else None


def summary_of(path: Path, short: Short, seats: list[int], fates: dict[int, Fate]) -> ListedGame:
    """A game for the players of these seats; `fates` are of the dead."""
    players = [
        ListedPlayer(
            seat,
            info.spec,
            info.is_agent,
            short.result.ranks[seat],
            short.result.boxes[seat],
            result_of(short, seat),
            cause_of_loss(short, seat, fates.get(seat)),
            fates[seat].turn if seat in fates else None,
            seat in seats,
        )
        for seat, info in enumerate(short.players)
    ]
    saved = moment_saved(path).isoformat(timespec="seconds")
    return ListedGame(str(path), saved, short.seed, short.first_turn, short.turns, short.result.reason, players)


def result_of(short: Short, seat: int) -> str:
    if short.has_lost(seat):
        return LOST
    if not short.result.is_finished:
        return UNFINISHED
    return DRAWN if short.result.ranks.count(1) > 1 else WON


def cause_of_loss(short: Short, seat: int, fate: Fate | None) -> str | None:
    """Why a player lost, in a word; None if it didn't."""
    if not short.has_lost(seat):
        return None
    if fate is None:
        return DEAD if seat in short.dead_from_start else BOXES
    return fate.failure or fate.cause


def describe_none(paths: Sequence[Path], wanted: Filter, where: str) -> str:
    """Why no game is listed."""
    with GameIndex() as index:
        games = [short for path in paths if (short := index.short_of(path))]
    if not games:
        return f"no game {where}" + (f" ({counted(len(paths), 'file')} checked)" if paths else "")
    none = f"none of the games {where} ({len(games)})"
    if wanted.player is not None and not any(listed_seats(short, wanted.player) for short in games):
        return f"{none} has a player called {wanted.player!r}"
    by = "" if wanted.player is None else f" by {wanted.player!r}"
    return f"{none} was lost{by}" + ("" if wanted.cause is None else f" with the cause {wanted.cause}")


def is_cause(game: ListedGame, cause: str) -> bool:
    """Whether a loser lost by this; `error` is any failure."""
    return any(
        player.cause == cause or (cause == ERROR and player.cause not in (*CAUSES, BOXES, DEAD))
        for player in game.losers
    )


# The index

INDEX = "games.sqlite"
FORMAT = 1
EDITION = crc32(f"{FORMAT} {__version__}".encode()) & 0x7FFFFFFF  # another one may find out something else
TABLES = """
CREATE TABLE game (path BLOB PRIMARY KEY, stamp TEXT NOT NULL, digest BLOB NOT NULL, known BLOB NOT NULL) STRICT;
CREATE INDEX digests ON game (digest);
"""
PUT = "INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?)"
MOST_KNOWN = 200_000  # files; the oldest are forgotten
AT_ONCE = 200  # files that are written together
WAIT_S = 5.0  # for another process that writes
SETTLED_NS = 2_000_000_000  # a file written within it may be written again and look the same
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Known(msgspec.Struct, array_like=True):
    """What a file's content led to."""

    short: Short | None  # None: it holds no game
    fates: dict[int, Fate] | None = None  # of the dead, by seat; None: not asked for yet


class GameIndex:
    """What is known of files. Several processes may use one index at once."""

    def __init__(self) -> None:
        self._file = data_folder() / INDEX
        self._connection = self._open()
        self._rows: dict[bytes, tuple[str, bytes, Known]] = {}  # to be written, by path
        self._last: tuple[Path, str, bytes, Known] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()
        self._connection.close()

    def short_of(self, path: Path) -> Short | None:
        """The game in a file; None if there is none."""
        return self._look_up(path).short

    def fates_of(self, path: Path) -> dict[int, Fate]:
        """How players died; a game that doesn't play again as recorded tells nothing."""
        known = self._look_up(path)
        if known.short is None:
            return {}
        if known.fates is None:
            known.fates = find_fates(path, known.short)
            assert self._last is not None
            self._keep(*self._last)
        return known.fates

    def _look_up(self, path: Path) -> Known:
        if self._last is not None and self._last[0] == path:
            return self._last[3]
        key, stamp = os.fsencode(path.absolute()), stamp_of(path)
        found = self._select("path", key)
        if found is not None and stamp and found[0] == stamp:
            self._last = path, *found
            return found[2]
        try:
            data = read_source(path)
        except ReplayError:
            return Known(None)
        digest = blake2b(data, digest_size=16).digest()
        same = found if found is not None and found[1] == digest else self._select("digest", digest)
        known = Known(short_of(path, data)) if same is None else same[2]
        self._last = path, stamp, digest, known
        self._keep(*self._last)
        return known

    def _keep(self, path: Path, stamp: str, digest: bytes, known: Known) -> None:
        self._rows[os.fsencode(path.absolute())] = stamp, digest, known
        if len(self._rows) >= AT_ONCE:
            self._write()

    def _select(self, column: str, key: bytes) -> tuple[str, bytes, Known] | None:
        try:
            found = self._connection.execute(f"SELECT stamp, digest, known FROM game WHERE {column} = ?", (key,))
            row = found.fetchone()
            return None if row is None else (row[0], row[1], msgspec.msgpack.decode(row[2], type=Known))
        except sqlite3.Error as error:
            self._give_up(error)
        except (msgspec.MsgspecError, ValueError):
            pass  # damaged: it is found out again
        return None

    def _write(self) -> None:
        rows = [
            (key, stamp, digest, msgspec.msgpack.encode(known)) for key, (stamp, digest, known) in self._rows.items()
        ]
        self._rows.clear()
        try:
            if rows:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(PUT, rows)
                self._connection.execute(
                    "DELETE FROM game WHERE rowid <= (SELECT max(rowid) FROM game) - ?", (MOST_KNOWN,)
                )
                self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)

    def _open(self) -> sqlite3.Connection:
        """The file, made anew if it is damaged or of another edition; where there can't be one, memory."""
        for _ in range(2):
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(self._file, timeout=WAIT_S, isolation_level=None)
                set_up_index(connection)
                return connection
            except sqlite3.Error as error:
                if not is_damage(error):
                    break
                self._remove()
            except OSError:
                break
        return index_in_memory()

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the file: it is locked, read-only, damaged, or the disk is full."""
        with suppress(sqlite3.Error):
            self._connection.close()
        if is_damage(error):
            self._remove()
        self._connection = index_in_memory()

    def _remove(self) -> None:
        for end in ("-journal", ""):  # the journal first: it must not be played into a new file
            with suppress(OSError):
                self._file.with_name(f"{self._file.name}{end}").unlink(missing_ok=True)


def set_up_index(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA synchronous = NORMAL")
    if connection.execute("PRAGMA user_version").fetchone()[0] == EDITION:
        return
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] != EDITION:
        connection.execute("DROP TABLE IF EXISTS game")
        for statement in filter(str.strip, TABLES.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {EDITION}")
    connection.execute("COMMIT")


def index_in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    set_up_index(connection)
    return connection


def is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def stamp_of(path: Path) -> str:
    """A stamp that changes whenever the file does; empty if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ""
    age = time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns)
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}" if age > SETTLED_NS else ""


def find_fates(path: Path, short: Short) -> dict[int, Fate]:
    """How players died, found by playing the game again; without the engine if all survived."""
    if not any(died is not None for died in short.result.death_rounds):
        return {}
    from replays.opening import open_game

    try:
        playback, _ = open_game(path)
    except ReplayError:
        return {}
    return {seat: fate_of(turn, death) for seat, (turn, death) in playback.deaths().items()}
