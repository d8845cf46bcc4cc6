"""The ledger: every finished game is a row in SQLite, found again by its identity, never lost, never counted twice.

    game     key        digest of the identity
             identity   seed, seats, budget, options             (JSON, see identity.py)
             outcome    ranks, boxes, bombs, deaths, thinking    (JSON)
             replay     path, if it was kept
             finished   when, UTC
             checksum   of all that
    tally    the number of games and the sum of their checksums, changed with every game

A game is one transaction of a write-ahead log, synced to disk: kill -9 at any moment leaves the whole game or none of
it. The tally exposes a file put together from two moments, such as one whose log was cut off. A new ledger is made
under another name and moved into place, so a file that is empty or incomplete was damaged.
"""

import os
import secrets
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from engine.errors import HsctlError
from hsctl.arena.finished import Fate, FinishedGame, Thinking
from hsctl.league.identity import Identity, key_of
from replays.store import data_folder

APPLICATION = 0x68734C67  # "hsLg" in the head of the file
VERSION = 1
SMALLEST_PAGE = 512  # of SQLite
WAIT_S = 60.0  # for another process that writes
SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
PRAGMA journal_mode = WAL;
CREATE TABLE game (
    key TEXT PRIMARY KEY, identity TEXT NOT NULL, outcome TEXT NOT NULL, replay TEXT, finished TEXT NOT NULL,
    checksum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE tally (games INTEGER NOT NULL, checksums INTEGER NOT NULL) STRICT;
INSERT INTO tally VALUES (0, 0);
"""
COLUMNS = "key, identity, outcome, replay, finished, checksum"
ADD = f"INSERT INTO game ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
COUNT = "UPDATE tally SET games = games + ?, checksums = checksums + ?"
SUMS = "SELECT count(*), coalesce(sum(checksum), 0) FROM game"
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

Stored = tuple[str, str, str, str | None, str, int]


class LedgerError(HsctlError):
    """A file that is not a ledger, is damaged, or can't be used."""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a game went, as it is stored; the fields are those of a FinishedGame."""

    ranks: list[int]
    boxes: list[int]
    bombs: list[int]
    deaths: list[Fate | None]
    thinking: list[Thinking]
    turns: int
    reason: str
    seconds: float
    retries: int = 0
    faithful_turns: list[int | None] = []


class Row(NamedTuple):
    """A finished game as it is stored."""

    identity: Identity
    outcome: Outcome
    replay: Path | None
    finished: str  # when, UTC


def new_row(identity: Identity, game: FinishedGame, replay: Path | None) -> Row:
    """A game that has just been finished."""
    fields = {name: getattr(game, name) for name in Outcome.__struct_fields__}
    fields["deaths"] = [fate and msgspec.structs.replace(fate, owners=()) for fate in game.deaths]
    fields["thinking"] = [msgspec.structs.replace(each, times_ms=()) for each in game.thinking]
    return Row(identity, Outcome(**fields), replay, datetime.now(UTC).isoformat(timespec="milliseconds"))


def default_ledger() -> Path:
    return data_folder() / "ledger.sqlite"


class Ledger:
    """An open ledger. Several processes may use one file at once."""

    def __init__(self, path: Path) -> None:
        """Open a ledger, or make one if it doesn't exist; a damaged one is refused."""
        self.path = path
        if not path.exists():
            self._make()
        self._connection = self._open()
        try:
            with self._named():
                self._check()
        except LedgerError:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        with self._named():
            (games,) = self._connection.execute("SELECT games FROM tally").fetchone()
        return int(games)

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, self._stored())

    def _stored(self) -> Iterator[Stored]:
        with self._named():
            yield from self._connection.execute(f"SELECT {COLUMNS} FROM game ORDER BY key")

    def close(self) -> None:
        self._connection.close()

    def find(self, identity: Identity) -> Row | None:
        """The game, if it has been played."""
        stored = self._find(identity.key)
        return None if stored is None else self._row(stored)

    def add(self, row: Row) -> Row:
        """File a finished game, and return what the ledger then has: another process's result if that came first."""
        stored = encode(row)
        with self._named(), self._transaction():
            found = self._find(stored[0])
            if found is None:
                self._insert(stored)
        return row if found is None else self._row(found)

    def replace(self, row: Row) -> Row:
        """File a game in place of the one that is filed under its identity."""
        stored = encode(row)
        with self._named(), self._transaction():
            if (found := self._find(stored[0])) is not None:
                self._connection.execute("DELETE FROM game WHERE key = ?", found[:1])
                self._connection.execute(COUNT, (-1, -found[5]))
            self._insert(stored)
        return row

    def merge(self, other: Path, refuse: Callable[[str], None]) -> int:
        """Take in the games of another ledger; how many were new. Where both have a game, the one here stays.

        `refuse` is told of rows that are damaged or say what no game can have led to; they are left out.
        """
        if not other.exists():
            raise LedgerError(f"{other}: No such file or directory, expected a ledger to merge")
        with Ledger(other) as source, self._named(), self._transaction():
            return sum(self._merge_row(source, stored, refuse) for stored in source._stored())

    def _merge_row(self, source: "Ledger", stored: Stored, refuse: Callable[[str], None]) -> bool:
        try:
            row = source._row(stored)
            check_row(row)
        except (LedgerError, ValueError) as error:
            refuse(f"{source.path}: game {stored[0]} is left out: {error}")
            return False
        if self._find(stored[0]) is not None:
            return False
        self._insert(encode(row))
        return True

    def _insert(self, stored: Stored) -> None:
        self._connection.execute(ADD, stored)
        self._connection.execute(COUNT, (1, stored[5]))

    def _find(self, key: str) -> Stored | None:
        with self._named():
            found: Stored | None = self._connection.execute(
                f"SELECT {COLUMNS} FROM game WHERE key = ?", (key,)
            ).fetchone()
        return found

    def _row(self, stored: Stored) -> Row:
        key, identity, outcome, replay, finished, checksum = stored
        try:
            if key != key_of(identity) or checksum != checksum_of(*stored[:-1]):
                raise ValueError("its checksum is wrong")
            decode = msgspec.json.decode
            path = None if replay is None else Path(replay)
            return Row(decode(identity, type=Identity), decode(outcome, type=Outcome), path, finished)
        except ValueError as error:  # msgspec's errors among them
            raise self._damage(f"game {key}: {error}") from None

    # The file

    def _make(self) -> None:
        """Make an empty ledger, completely or not at all; another process may come first."""
        log = self.path.with_name(f"{self.path.name}-wal")
        if log.exists():
            raise LedgerError(f"{self.path}: missing, but its log {log.name} is there: restore it or move the log away")
        draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(draft)) as connection:
                connection.executescript(SCHEMA)
            try:
                os.link(draft, self.path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise LedgerError(f"{self.path}: {reason}, expected a place for a ledger") from None

    def _open(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise LedgerError(f"{self.path}: is not a file, expected a ledger")
        size = self.path.stat().st_size
        if size < SMALLEST_PAGE:  # SQLite would take it for a new file
            raise self._damage(f"it has {size} bytes")
        with self._named():
            uri = f"{self.path.resolve().as_uri()}?mode=rw"
            return sqlite3.connect(uri, uri=True, timeout=WAIT_S, isolation_level=None)

    def _check(self) -> None:
        """Refuse a file that is not a ledger, or not a complete one."""
        execute = self._connection.execute
        found = (execute("PRAGMA application_id").fetchone()[0], execute("PRAGMA user_version").fetchone()[0])
        if found != (APPLICATION, VERSION):
            raise LedgerError(f"{self.path}: is not a ledger of this version of hsctl")
        execute("PRAGMA trusted_schema = OFF")
        if tables_of(self._connection) != TABLES:
            raise LedgerError(f"{self.path}: has other tables, views or triggers than a ledger, expected none")
        execute("PRAGMA synchronous = FULL")
        execute("BEGIN")
        (verdict,) = execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise self._damage(verdict)
        counted, noted = execute(SUMS).fetchone(), execute("SELECT * FROM tally").fetchall()
        if [counted] != noted:
            raise self._damage(f"it has {counted[0]} games, not those that it counted")
        execute("COMMIT")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _named(self) -> Iterator[None]:
        """SQLite's errors as errors of this ledger."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in DAMAGED:
                raise self._damage(str(error)) from None
            if code == sqlite3.SQLITE_FULL:
                raise LedgerError(f"{self.path}: disk full; all games filed so far are kept, start again") from None
            raise LedgerError(f"{self.path}: {error}, expected a ledger that can be read and written") from None

    def _damage(self, what: str) -> LedgerError:
        return LedgerError(
            f"{self.path}: the ledger is corrupt ({what}); restore a copy, or move it away to start afresh"
        )


def tables_of(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Everything that the file defines: a view or a trigger of a stranger would run with our queries."""
    return connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY name").fetchall()


def expected_tables() -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return tables_of(connection)


TABLES = expected_tables()


def check_row(row: Row) -> None:
    """Raise a ValueError where the outcome can't be one of this game."""
    seats = len(row.identity.seats)
    for name in ("ranks", "boxes", "bombs", "deaths", "thinking"):
        if len(getattr(row.outcome, name)) != seats:
            raise ValueError(f"{len(getattr(row.outcome, name))} {name}, expected {seats}")
    datetime.fromisoformat(row.finished)


def encode(row: Row) -> Stored:
    identity = row.identity.encode()
    outcome = msgspec.json.encode(row.outcome).decode()
    replay = None if row.replay is None else str(row.replay)
    fields = (key_of(identity), identity, outcome, replay, row.finished)
    return *fields, checksum_of(*fields)


def checksum_of(*fields: str | None) -> int:
    return zlib.crc32(msgspec.json.encode(fields))
