"""Ledgers of version 2 and before filed built-in agents under digests of their sources: the rows get today's digests.

`version2.json` has the digests of the last such hsctl, and how its agents behaved. A row keeps its game if its players
are of that hsctl and behave the same today; any other row stays as it is, and its game is played again when it is
needed.
"""

import sqlite3
from functools import cache
from importlib.metadata import version
from pathlib import Path

import msgspec

from engine.compile.sources import digest_text
from hsctl.behaviour import RULES, digest_agent, part_of, stored
from hsctl.league.rows import COLUMNS, decode, encode
from hsctl.match.identity import Identity, Sitting, version_of_game
from hsctl.match.players import read_player
from search.params import SpecError
from search.spec import AGENTS, is_agent, parse_spec

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


def renew_player(seat: Sitting) -> Sitting:
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
