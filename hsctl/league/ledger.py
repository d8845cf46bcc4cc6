"""The ledger: every finished game is a row in SQLite, found again by its identity, never lost, never counted twice.

A game is one transaction of a write-ahead log, synced to disk: kill -9 at any moment leaves the whole game or none of
it. The tally exposes a file put together from two moments, such as one whose log was cut off. A new ledger is made
under another name and moved into place, so a file that is empty or incomplete was damaged.

Several processes may play the games of one ledger: each claims a game before it plays it. A claim holds while its
process is seen to live, or for LEASE_S where that can't be seen, as on another machine.
"""

import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from hsctl.league.ledger_file import (
    COLUMNS,
    LedgerError,
    Row,
    Stored,
    damage,
    decode,
    encode,
    make,
    named,
    new_row,
    open_file,
    renew,
)
from hsctl.match.identity import Identity
from replays.store import data_folder

__all__ = ["Ledger", "LedgerError", "Row", "default_ledger", "new_row"]

ADD = f"INSERT INTO game ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
COUNT = "UPDATE tally SET games = games + ?, checksums = checksums + ?"
CLAIM = "INSERT OR REPLACE INTO claim VALUES (?, ?, ?)"
LEASE_S = 600.0  # renewed whenever its holder claims or files a game
PROCESS = re.compile(r"[1-9]\d{0,9}", re.ASCII)
MOST_NAMED = 10  # rows that are left out, and reported one by one


def default_ledger() -> Path:
    return data_folder() / "ledger.sqlite"


def this_process() -> str:
    """As a claim names it: the machine, the process, and when that began, because numbers of processes come again."""
    return f"{platform.node()} {os.getpid()} {start_of(os.getpid())}"


def start_of(process: int) -> str:
    """When a process began, by a clock of the machine's own; empty if it is dead or that can't be known."""
    try:
        state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in "ZX" else fields[18]


def is_dead(holder: str) -> bool:
    """Whether the holder of a claim is surely gone, which can be known of processes of this machine."""
    machine, number, start = [*holder.rsplit(" ", 2), "", ""][:3]
    if machine != platform.node() or not PROCESS.fullmatch(number) or os.name != "posix":
        return False
    if start:
        return start_of(int(number)) != start
    try:
        os.kill(int(number), 0)  # which only asks
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


class Ledger:
    """An open ledger. Several processes may use one file at once."""

    def __init__(self, path: Path, is_own: bool = True, clock: Callable[[], float] = time.time) -> None:
        """Open a ledger, or make one if it doesn't exist; a damaged one is refused. `is_own`: it is upgraded."""
        self.path = path
        self.clock = clock
        self.holder = this_process()
        if is_own and not path.exists():
            make(path)
        self._connection = open_file(path, is_own)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        with named(self.path):
            (games,) = self._connection.execute("SELECT games FROM tally").fetchone()
        return int(games)

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, self._stored())

    def _stored(self) -> Iterator[Stored]:
        with named(self.path):
            found = self._connection.execute(f"SELECT {COLUMNS} FROM game ORDER BY key")
            for stored in found:  # noqa: UP028 (`yield from` would close it at the end, maybe after the ledger)
                yield stored

    def close(self) -> None:
        self._connection.close()

    def find(self, identity: Identity) -> Row | None:
        """The game, if it has been played."""
        stored = self._find(identity.key)
        return None if stored is None else self._row(stored)

    def add(self, row: Row) -> Row:
        """File a finished game, and return what the ledger then has: another process's result if that came first."""
        return self.file(row.identity, lambda: row)

    def file(self, identity: Identity, make: Callable[[], Row], keeps: Callable[[Row], bool] = lambda _: True) -> Row:
        """The game if the ledger has it, else the row that `make` makes of it, filed.

        No other process writes in the meantime: whatever else `make` writes belongs to the row. A row that `keeps`
        refuses is taken out before, for good: if this process is killed then, the game is one to be played.
        """
        with named(self.path), self._transaction():
            found = self._find(identity.key)
            if found is not None and not keeps(self._row(found)):
                self._connection.execute("DELETE FROM game WHERE key = ?", found[:1])
                self._connection.execute(COUNT, (-1, -found[5]))
        with named(self.path), self._transaction():
            self._connection.execute("DELETE FROM claim WHERE key = ?", (identity.key,))
            self._renew()
            found = self._find(identity.key)
            if found is not None:
                return self._row(found)
            row = make()
            self._insert(encode(row))
        return row

    def claim(self, keys: Sequence[str]) -> set[str]:
        """Which of these games this process may play, because no other plays them: claimed from now on."""
        free = set(filter(self._is_free, keys))  # asked first: to write takes longer
        if not free:
            return free
        with named(self.path), self._transaction():
            free = set(filter(self._is_free, keys))
            self._connection.executemany(CLAIM, [(key, self.holder, 0.0) for key in free])
            self._renew()
        return free

    def release(self) -> None:
        """Give up the claims of this process."""
        with named(self.path), self._transaction():
            self._connection.execute("DELETE FROM claim WHERE holder = ?", (self.holder,))

    def _renew(self) -> None:
        self._connection.execute("UPDATE claim SET until = ? WHERE holder = ?", (self.clock() + LEASE_S, self.holder))

    def _is_free(self, key: str) -> bool:
        """A claim that reaches beyond a lease was made by a clock that was wrong."""
        with named(self.path):
            found = self._connection.execute("SELECT holder, until FROM claim WHERE key = ?", (key,)).fetchone()
        if found is None or found[0] == self.holder or is_dead(found[0]):
            return True
        return not 0 <= found[1] - self.clock() <= LEASE_S

    def merge(self, other: Path, refuse: Callable[[str], None]) -> int:
        """Take in the games of another ledger; how many were new. Where both have a game, the one here stays.

        Paths of replays are left behind: they may name anything on this machine.
        `refuse` is called for rows that are damaged or impossible; they are left out.
        """
        if not other.exists():
            raise LedgerError(f"{other}: No such file or directory; name a ledger to merge")
        new = bad = 0
        with Ledger(other, is_own=False) as source, named(self.path), self._transaction():
            for stored in source._stored():
                try:
                    row = decode(stored)
                except ValueError as error:
                    bad += 1
                    if bad <= MOST_NAMED:
                        refuse(f"{other}: game {stored[0]} is left out: {error}")
                else:
                    new += self._take(row._replace(identity=renew(row.identity), replay=None))
        if bad > MOST_NAMED:
            refuse(f"{other}: {bad - MOST_NAMED} more games are left out")
        return new

    def _take(self, row: Row) -> bool:
        """Insert a row unless its game is here."""
        stored = encode(row)
        if self._find(stored[0]) is not None:
            return False
        self._insert(stored)
        return True

    def _insert(self, stored: Stored) -> None:
        self._connection.execute(ADD, stored)
        self._connection.execute(COUNT, (1, stored[5]))

    def _find(self, key: str) -> Stored | None:
        with named(self.path):
            found: Stored | None = self._connection.execute(
                f"SELECT {COLUMNS} FROM game WHERE key = ?", (key,)
            ).fetchone()
        return found

    def _row(self, stored: Stored) -> Row:
        try:
            return decode(stored)
        except ValueError as error:  # msgspec's errors among them
            raise damage(self.path, f"game {stored[0]}: {error}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # SQLite ends some by itself
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")
