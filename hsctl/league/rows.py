"""A finished game as a ledger stores it: a row of text, with a checksum; what no game can have led to is refused."""

import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.errors import MOST_MS, MOST_NODES
from hsctl.match.identity import Identity, key_of
from hsctl.match.players import FEWEST, MOST
from hsctl.match.result import CAUSES, CULPRITS, Fate, GameResult, ThinkingTime

COLUMNS = "key, identity, outcome, replay, finished, checksum"
Stored = tuple[str, str, str, str | None, str, int]  # the columns of a row
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
    check(row)
    return row


def checksum_of(*fields: str | None) -> int:
    return zlib.crc32(msgspec.json.encode(fields))


# What a game can have led to


def check(row: Row) -> None:
    """Raise a ValueError where the outcome can't be one of this game."""
    outcome, seats = row.outcome, len(row.identity.seats)
    expect("players", [seats], FEWEST, MOST)
    for name in LISTS:
        if len(getattr(outcome, name)) != seats:
            raise ValueError(f"{len(getattr(outcome, name))} {name}, expected {seats}")
    expect("ranks", outcome.ranks, 1, seats)
    expect("boxes", outcome.boxes, 0, MOST_COUNT)
    expect("bombs", outcome.bombs, 0, MOST_COUNT)
    expect("turns", [outcome.turns], 0, MOST_COUNT)
    expect("retries", [outcome.retries], 0, MOST_COUNT)
    expect("seconds", [outcome.seconds], 0, MOST_MS)
    expect_one_of("number of faithful turns", len(outcome.faithful_turns), (0, seats))
    expect("faithful turns", filter(None, outcome.faithful_turns), 0, MOST_COUNT)
    for fate in filter(None, outcome.deaths):
        check_fate(fate)
    for thinking in outcome.thinking:
        check_thinking(thinking)
    datetime.fromisoformat(row.finished)


def check_fate(fate: Fate) -> None:
    expect("turns of death", [fate.turn], 0, MOST_COUNT)
    expect_one_of("cause of death", fate.cause, CAUSES)
    expect_one_of("culprit", fate.culprit, ("", *CULPRITS))


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
            raise ValueError(f"{name} {value}, expected {least:.0f} to {most:.0f}")


def expect_one_of(name: str, value: Any, known: Iterable[Any]) -> None:
    if value not in known:
        raise ValueError(f"{name} {value!r}, expected one of {', '.join(str(each) for each in known if each != '')}")
