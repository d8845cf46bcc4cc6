"""The file of a ledger: made whole or not at all, checked before it is used, upgraded if an older hsctl made it.

    game       key        digest of the identity
               identity   seed, seats, budget, options             (JSON, see identity.py)
               outcome    ranks, boxes, bombs, deaths, thinking    (JSON, see rows.py)
               replay     path, if it was kept here
               finished   when, UTC
               checksum   of all that
    tally      the number of games and the sum of their checksums, changed with every game
    claim      games that are being played: by which process, and until when that holds
    version    which hsctl made the file or upgraded it, to which version of this schema, and when

A file may come from a stranger: it must define these tables and nothing else.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import HsctlError
from hsctl import __version__
from replays.files import draft_of, remove_drafts

APPLICATION = 0x68734C67  # "hsLg" in the head of the file
SMALLEST_PAGE = 512  # of SQLite
WAIT_S = 60.0  # for another process that writes
LONGEST_VALUE = 1 << 20  # bytes of one field
STEPS = 100_000  # of SQLite's machine between two moments at which Ctrl-C is heard: some milliseconds
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

GAMES = """
CREATE TABLE game (
    key TEXT PRIMARY KEY, identity TEXT NOT NULL, outcome TEXT NOT NULL, replay TEXT, finished TEXT NOT NULL,
    checksum INTEGER NOT NULL
) WITHOUT ROWID, STRICT"""
TALLY = "CREATE TABLE tally (games INTEGER NOT NULL, checksums INTEGER NOT NULL) STRICT"
VERSIONS = "CREATE TABLE version (version INTEGER NOT NULL, hsctl TEXT NOT NULL, since TEXT NOT NULL) STRICT"
CLAIMS = """
CREATE TABLE claim (key TEXT PRIMARY KEY, holder TEXT NOT NULL, until REAL NOT NULL) WITHOUT ROWID, STRICT"""
# What leads from each version to the next; a new file goes all the way.
UPGRADES: list[tuple[str, ...]] = [
    (GAMES, TALLY, "INSERT INTO tally VALUES (0, 0)"),
    (VERSIONS,),
    (CLAIMS,),
]
VERSION = len(UPGRADES)
SUMS = "SELECT count(*), coalesce(sum(checksum), 0) FROM game"


class LedgerError(HsctlError):
    """A file that is not a ledger, is damaged, or can't be used."""


def damage(path: Path, what: str) -> LedgerError:
    return LedgerError(f"{path}: the ledger is corrupt ({what}); restore a copy, or move it away to start afresh")


@contextmanager
def named(path: Path) -> Iterator[None]:
    """SQLite's errors as errors of this ledger; what was interrupted is Ctrl-C again."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from None
        if code in DAMAGED:
            raise damage(path, str(error)) from None
        if code == sqlite3.SQLITE_FULL:
            raise LedgerError(f"{path}: disk full; all games filed so far are kept, start again") from None
        raise LedgerError(f"{path}: {error}; name a ledger that can be read and written") from None
    except UnicodeDecodeError:  # in SQLite's own message, which names what a damaged schema says
        raise damage(path, "its schema is not text") from None


# Making


def make(path: Path) -> None:
    """Make an empty ledger, completely or not at all; another process may come first."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        raise LedgerError(f"{path}: missing, but its log {log.name} is there: restore it or move the log away")
    draft = draft_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute("PRAGMA journal_mode = WAL")
            upgrade(connection)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LedgerError(f"{path}: {reason}; name another place for the ledger") from None


def upgrade(connection: sqlite3.Connection) -> None:
    """Lead a file to today's version, in one transaction; another process may do so at the same time."""
    from hsctl.league.migration import LAST_OF_SOURCES, migrate

    connection.execute("BEGIN IMMEDIATE")
    before = version_of(connection)
    for statement in (each for step in UPGRADES[before:] for each in step):
        connection.execute(statement)
    if 0 < before <= LAST_OF_SOURCES:
        migrate(connection)
    if before < VERSION:
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        connection.execute("INSERT INTO version VALUES (?, ?, ?)", (VERSION, __version__, moment))
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


# Opening


def open_file(path: Path, is_own: bool) -> sqlite3.Connection:
    """A connection to a whole ledger; only one's own is upgraded."""
    if is_own:
        remove_drafts(path.parent.absolute())
    if not path.is_file():
        raise LedgerError(f"{path}: is not a file; name a ledger")
    size = path.stat().st_size
    if size < SMALLEST_PAGE:  # SQLite would take it for a new file
        raise damage(path, f"it has {size} bytes")
    with named(path):
        uri = f"{path.resolve().as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=WAIT_S, isolation_level=None)
    try:
        with named(path):
            set_up(connection)
            check(connection, path)
            if is_own and version_of(connection) < VERSION:
                upgrade(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def set_up(connection: sqlite3.Connection) -> None:
    connection.set_progress_handler(lambda: 0, STEPS)  # Python looks at signals when it is called
    connection.text_factory = lambda data: data.decode(errors="replace")  # then a checksum is wrong
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA synchronous = FULL")


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not a ledger, or not a complete one."""
    execute = connection.execute
    version = version_of(connection)
    if execute("PRAGMA application_id").fetchone()[0] != APPLICATION or version < 1:
        raise LedgerError(f"{path}: is not a ledger")
    if version > VERSION:
        raise LedgerError(
            f"{path}: a ledger of version {version}; this hsctl reads 1 to {VERSION}, so install a newer one"
        )
    if tables_of(connection) != TABLES[version]:
        raise LedgerError(f"{path}: is not a ledger: it has other tables, views or triggers")
    execute("BEGIN")
    (verdict,) = execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise damage(path, verdict)
    counted, noted = execute(SUMS).fetchone(), execute("SELECT * FROM tally").fetchall()
    if [counted] != noted:
        raise damage(path, f"it has {counted[0]} games, not those that it counted")
    execute("COMMIT")


def tables_of(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Everything that the file defines: a view or a trigger of a stranger would run with our queries."""
    return connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY name").fetchall()


def expected_tables() -> list[list[tuple[str, str, str]]]:
    """By version."""
    expected = []
    with closing(sqlite3.connect(":memory:")) as connection:
        for step in ((), *UPGRADES):
            for statement in step:
                connection.execute(statement)
            expected.append(tables_of(connection))
    return expected


TABLES = expected_tables()
