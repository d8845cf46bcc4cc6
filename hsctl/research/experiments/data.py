"""Games behind the pages, kept as data: docs/papers/data/NAME.jsonl.gz, one finished game a line.

    ["<identity>", {"ranks": [1, 2], "boxes": [...], "deaths": [...], "thinking": [...], ...}]

An identity has the seed, the players in order of seats with digests of how they play, and the limits. `hsctl paper`
reads these games like those of its ledger and plays only what is missing, so a series grows from day to day and from
machine to machine. A game is valid as long as its players play as they did: others are never found, and are left out
when a file is written again.
"""

import gzip
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from engine.compile.sources import ROOT
from engine.errors import HsctlError
from hsctl.behaviour import digest_agent
from hsctl.league.ledger import Ledger
from hsctl.league.ledger_file import Row, StoredOutcome
from hsctl.match.identity import Identity
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask
from replays.files import read_source, write_bytes
from search.params import SpecError
from search.spec import parse_spec

FOLDER = ROOT / "docs" / "papers" / "data"  # of a checkout
SUFFIX = ".jsonl.gz"


class PapersLedger(Ledger):
    """A ledger that also finds games kept as data, and remembers which games were asked for."""

    def __init__(self, path: Path, kept: Mapping[str, Row]) -> None:
        super().__init__(path)
        self.kept = kept  # by key
        self.asked: dict[str, Identity] = {}

    def find(self, identity: Identity) -> Row | None:
        self.asked[identity.key] = identity
        return super().find(identity) or self.kept.get(identity.key)

    def rows(self) -> list[Row]:
        """All games that were asked for and finished."""
        found = [self.find(identity) for identity in list(self.asked.values())]
        return [row for row in found if row is not None]


def read_rows(name: str, folder: Path | None = None) -> dict[str, Row]:
    """The games of one experiment, by key; none if they are not kept."""
    path = (folder or FOLDER) / f"{name}{SUFFIX}"
    if not path.exists():
        return {}
    try:
        lines = gzip.decompress(read_source(path, "games kept as data")).splitlines()
        rows = [decode_row(line) for line in lines]
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise HsctlError(f"{path}: {error}; restore it from the repository") from None
    return {row.identity.key: row for row in rows}


def decode_row(line: bytes) -> Row:
    identity, outcome = msgspec.json.decode(line, type=tuple[str, StoredOutcome])
    return Row(msgspec.json.decode(identity, type=Identity), outcome, None, "")


def write_rows(name: str, rows: Iterable[Row]) -> int:
    """Add games to those kept; returns how many there are now."""
    kept = {**read_rows(name), **{row.identity.key: row for row in rows}}
    valid = [row for _, row in sorted(kept.items()) if is_valid(row)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    text = b"".join(encode_row(row) for row in valid)
    write_bytes(FOLDER / f"{name}{SUFFIX}", gzip.compress(text, mtime=0))  # the same games make the same file
    return len(valid)


def encode_row(row: Row) -> bytes:
    return msgspec.json.encode((row.identity.encode(), row.outcome)) + b"\n"


def is_valid(row: Row) -> bool:
    """Whether all players still play as they did."""
    try:
        return all(seat.digest == digest_agent(parse_spec(seat.spec)) for seat in row.identity.seats)
    except SpecError:
        return False


def refuse_to_play(blocks: Iterator[list[GameTask]]) -> Generator[GameResult]:
    """The runner of a check, which plays nothing."""
    raise HsctlError("games are missing, or their players play differently today")
