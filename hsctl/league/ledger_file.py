"""The file of a ledger: made whole or not at all, checked before it is used, upgraded if an older hsctl made it.

    game       key        digest of the identity
               identity   seed, seats, budget, options                     (JSON, see identity.py)
               outcome    ranks, boxes, bombs, deaths, thinking, faults    (JSON, StoredOutcome)
               replay     path, if it was kept here
               finished   when, UTC
               checksum   of all that
    tally      the number of games and the sum of their checksums, changed with every game
    claim      games that are being played: by which process, and until when that holds
    version    which hsctl made the file or upgraded it, to which version of this schema, and when

A file may come from a stranger: it must define these tables and nothing else, and rows that no game can have led to
are refused.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.compile.sources import digest_text
from engine.errors import MOST_MS, MOST_NODES, HsctlError
from hsctl import __version__
from hsctl.behaviour import RULES, digest_agent, part_of, stored
from hsctl.match.identity import Identity, SeatIdentity, key_of, version_of_game
from hsctl.match.players import FEWEST, MOST, read_player
from hsctl.match.result import CAUSES, CULPRITS, Fate, GameResult, ThinkingTime
from replays.files import draft_of, remove_drafts
from replays.replay import FaultCount
from search.params import SpecError
from search.spec import AGENTS, is_agent, parse_spec

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
    """SQLite's errors as errors of this ledger; an interruption is Ctrl-C again."""
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
    """A connection to a whole ledger; `is_own`: it is upgraded if need be."""
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


# Rows

COLUMNS = "key, identity, outcome, replay, finished, checksum"
Stored = tuple[str, str, str, str | None, str, int]  # the columns of a row
LONGEST_LINE = 1 << 16  # characters of an answer
MOST_COUNT = 255  # of turns, boxes, bombs in a game: each fits into a byte
LISTS = ("ranks", "boxes", "bombs", "deaths", "thinking")  # by seat


class StoredOutcome(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a game went, as it is stored; the fields are those of a GameResult."""

    ranks: list[int]
    boxes: list[int]
    bombs: list[int]
    deaths: list[Fate | None]
    thinking: list[ThinkingTime]
    turns: int
    reason: str
    seconds: float
    retries: int = 0
    faithful_turns: list[int | None] = []
    faults: list[dict[str, FaultCount]] = []  # silent ones, by seat; empty: there are none


class Row(NamedTuple):
    """A finished game as it is stored."""

    identity: Identity
    outcome: StoredOutcome
    replay: Path | None
    finished: str  # when, UTC


def new_row(identity: Identity, game: GameResult, replay: Path | None) -> Row:
    """A game that has just been finished."""
    fields = {name: getattr(game, name) for name in StoredOutcome.__struct_fields__}
    fields["deaths"] = [fate and msgspec.structs.replace(fate, owners=()) for fate in game.deaths]
    fields["faults"] = game.faults if any(game.faults) else []
    fields["thinking"] = [msgspec.structs.replace(each, times_ms=()) for each in game.thinking]
    return Row(identity, StoredOutcome(**fields), replay, datetime.now(UTC).isoformat(timespec="milliseconds"))


def encode(row: Row) -> Stored:
    identity = row.identity.encode()
    outcome = msgspec.json.encode(row.outcome).decode()
    replay = None if row.replay is None else str(row.replay)
    fields = (key_of(identity), identity, outcome, replay, row.finished)
    return *fields, checksum_of(*fields)


def decode(stored: Stored) -> Row:
    """The row; a ValueError says why it is none."""
    key, identity, outcome, replay, finished, checksum = stored
    if key != key_of(identity) or checksum != checksum_of(*stored[:-1]):
        raise ValueError("its checksum is wrong")
    path = None if replay is None else Path(replay)
    try:
        read = msgspec.json.decode
        row = Row(read(identity, type=Identity), read(outcome, type=StoredOutcome), path, finished)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    check_row(row)
    return row


def checksum_of(*fields: str | None) -> int:
    return zlib.crc32(msgspec.json.encode(fields))


# What a game can have led to


def check_row(row: Row) -> None:
    """Raise a ValueError where the outcome can't be one of this game."""
    outcome, seats = row.outcome, len(row.identity.seats)
    expect("players", [seats], FEWEST, MOST)
    for name in LISTS:
        if len(getattr(outcome, name)) != seats:
            raise ValueError(f"{len(getattr(outcome, name))} {name} for {seats} players")
    expect("ranks", outcome.ranks, 1, seats)
    expect("boxes", outcome.boxes, 0, MOST_COUNT)
    expect("bombs", outcome.bombs, 0, MOST_COUNT)
    expect("turns", [outcome.turns], 0, MOST_COUNT)
    expect("retries", [outcome.retries], 0, MOST_COUNT)
    expect("seconds", [outcome.seconds], 0, MOST_MS)
    expect_one_of("number of faithful turns", len(outcome.faithful_turns), (0, seats))
    expect("faithful turns", filter(None, outcome.faithful_turns), 0, MOST_COUNT)
    expect_one_of("number of faults", len(outcome.faults), (0, seats))
    for faults in outcome.faults:
        check_faults(faults)
    for fate in filter(None, outcome.deaths):
        check_fate(fate)
    for thinking in outcome.thinking:
        check_thinking(thinking)
    datetime.fromisoformat(row.finished)


def check_fate(fate: Fate) -> None:
    expect("turns of death", [fate.turn], 0, MOST_COUNT)
    expect_one_of("cause of death", fate.cause, CAUSES)
    expect_one_of("culprit", fate.culprit, ("", *CULPRITS))


def check_faults(faults: dict[str, FaultCount]) -> None:
    if not faults:
        return
    from replays.faults import MEANINGS  # which needs the engine

    for name, fault in faults.items():
        expect_one_of("fault", name, MEANINGS)
        expect("faults", [fault.count], 1, MOST_COUNT)
        expect("turns of a fault", [fault.first_turn], 0, MOST_COUNT)
        expect("length of an answer", [len(fault.line)], 0, LONGEST_LINE)


def check_thinking(thinking: ThinkingTime) -> None:
    expect("turns", [thinking.turns, *thinking.late.values()], 0, MOST_COUNT)
    usual_turns, usual_ms = thinking.usual
    expect("later turns", [usual_turns], 0, thinking.turns)
    times_ms = [thinking.total_ms, thinking.worst_ms, thinking.beyond_ms, usual_ms, *thinking.times_ms]
    expect("milliseconds", times_ms, 0, MOST_COUNT * MOST_MS)
    expect("depths", [thinking.depths], 0, MOST_COUNT * MOST_COUNT)
    expect("delayed turns", [thinking.delayed], 0, thinking.turns)
    expect("nodes", [thinking.nodes], 0, MOST_COUNT * MOST_NODES)
    for culprit in thinking.late:
        expect_one_of("culprit", culprit, CULPRITS)


def expect(name: str, values: Iterable[float], least: float, most: float) -> None:
    for value in values:
        if not least <= value <= most:
            raise ValueError(f"{name} {value} is not in {least:.0f} to {most:.0f}")


def expect_one_of(name: str, value: Any, known: Iterable[Any]) -> None:
    if value not in known:
        raise ValueError(f"{name} {value!r} is not one of {', '.join(str(each) for each in known if each != '')}")


# Ledgers of version 2 and before filed built-in agents under digests of their sources: the rows get today's digests.
# `version2.json` has the digests of the last such hsctl, and how its agents behaved. A row keeps its game if its
# players are of that hsctl and behave the same today; any other row stays as it is, and its game is played again when
# it is needed.

LAST_OF_SOURCES = 2  # version of the schema
FILE = Path(__file__).with_name("version2.json")


class Former(msgspec.Struct, frozen=True):
    """The last hsctl that filed agents under their sources."""

    hsctl: str
    sources: dict[str, str]  # agent -> digest
    parts: dict[str, int]  # of its behaviour


@cache
def former() -> Former:
    return msgspec.json.decode(FILE.read_bytes(), type=Former)


def migrate(connection: sqlite3.Connection) -> None:
    """Give all rows today's digests, within the caller's transaction."""
    for row in connection.execute(f"SELECT {COLUMNS} FROM game").fetchall():
        try:
            found = decode(row)
            renewed = encode(found._replace(identity=renew(found.identity)))
        except ValueError:  # a damaged row is refused when it is read
            continue
        if renewed[0] != row[0] and not connection.execute("SELECT 1 FROM game WHERE key = ?", renewed[:1]).fetchone():
            connection.execute("DELETE FROM game WHERE key = ?", row[:1])
            connection.execute(f"INSERT INTO game ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", renewed)
            connection.execute("UPDATE tally SET checksums = checksums + ?", (renewed[5] - row[5],))


def renew(identity: Identity) -> Identity:
    """The same game as it is filed today."""
    seats = tuple(map(renew_player, identity.seats))
    if seats == identity.seats:
        return identity
    try:
        players = [read_player(seat.spec) for seat in seats if is_agent(seat.spec)]
    except SpecError:  # this version can't play the game, so it never looks for the row
        return identity
    is_timed = bool(version_of_game(players, identity.limits))
    return msgspec.structs.replace(identity, seats=seats, hsctl=former().hsctl if is_timed else "")


def renew_player(seat: SeatIdentity) -> SeatIdentity:
    was, now = former().parts, stored().parts
    if not is_agent(seat.spec) or seat.digest != former_digest(seat.spec.partition(":")[0]):
        return seat
    try:
        spec = parse_spec(seat.spec)
        is_same = part_of(spec, was) == part_of(spec, now) and was[RULES] == now[RULES]
    except (KeyError, SpecError):  # a preset or parameter that one of them lacks
        return seat
    return msgspec.structs.replace(seat, digest=digest_agent(spec)) if is_same else seat


def former_digest(agent: str) -> str:
    versions = [f"{package} {version(package)}" for package in ("numba", "numpy")]
    return digest_text([*versions, AGENTS[agent].class_name, former().sources.get(agent, "")])
