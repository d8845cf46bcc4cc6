"""An entry of a suite: all that a bot reads up to a turn, for bots that remember, and what its answer must be.

    {"format": "hsctl-suite-entry", "version": 1,
     "why": "died on turn 39 by a bomb of its own",
     "inputs": ["13 11 0", ".............", ...],
     "demands": ["must survive", "within 100 ms"]}

Its JSON Schema is docs/reference/schemas/suite.schema.json; after a change of the format, write it again with

    python -m hsctl.analysis.suite.entry > docs/reference/schemas/suite.schema.json
"""

import sys
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from engine.board import HEIGHT
from engine.errors import HsctlError
from engine.game import Game
from engine.notation import NotationError, parse_header, parse_integers
from engine.state import MAX_TURNS
from hsctl.analysis.suite.demands import parse_demand
from hsctl.match.bots.follower import Follower
from replays.files import read_source, write_bytes
from replays.schema import format_schema

FORMAT: Final = "hsctl-suite-entry"
VERSION: Final = 1
SUFFIX = ".json"
EXPECTED = "an entry of a suite"


class SuiteEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One test of a bot; its name is that of its file."""

    format: Literal["hsctl-suite-entry"]
    version: Literal[1]
    inputs: list[str]  # the lines that the bot reads, `width height id` first
    demands: Annotated[list[str], msgspec.Meta(min_length=1)]  # as in demands.py; all must hold
    turn: Annotated[int, msgspec.Meta(ge=0, lt=MAX_TURNS)] | None = None  # of the last input; None: counted from 0
    why: str = ""  # where it comes from, or what it is about


class SuiteInputs(NamedTuple):
    """An entry's lines, understood."""

    seat: int  # of the bot
    turns: list[str]  # what it reads on each turn; the first line belongs to the first of them
    game: Game  # as it stands on the last


def read_suite(folder: Path) -> dict[str, SuiteEntry]:
    """The entries of a folder by name, in the order of their names."""
    if not folder.is_dir():
        raise HsctlError(f"{folder}: expected a folder with entries of a suite")
    paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    if not paths:
        raise HsctlError(f"{folder}: no entry, expected files {SUFFIX} as `hsctl review --write-suite DIR` writes them")
    return {path.stem: read_entry(path) for path in paths}


def read_entry(path: Path) -> SuiteEntry:
    """The entry in a file, its inputs and demands checked; errors name the file."""
    data = read_source(path, EXPECTED)
    try:
        entry = msgspec.json.decode(data, type=SuiteEntry)
    except (ValueError, RecursionError) as error:  # msgspec's errors among them
        raise HsctlError(f"{path}: not {EXPECTED}: {error}") from None
    try:
        read_inputs(entry)
        for demand in entry.demands:
            parse_demand(demand)
    except HsctlError as error:
        raise HsctlError(f"{path}: {error}") from None
    return entry


def read_inputs(entry: SuiteEntry) -> SuiteInputs:
    """Who the bot is, what it reads on each turn, and the game on the last; errors count lines from 1."""
    lines, follower = entry.inputs, Follower()
    turns: list[str] = []
    seat = parse_header(lines[0] if lines else "", 1)
    at = 1
    while at < len(lines) or not turns:
        count_at = at + HEIGHT
        if count_at >= len(lines):
            raise NotationError(f"inputs, line {len(lines) + 1}: expected {HEIGHT} rows and the number of entities")
        (entities,) = parse_integers(lines[count_at], count_at + 1, "number of entities", 1)
        text = "".join(f"{line}\n" for line in lines[at : count_at + 1 + max(0, entities)])
        game = follower.follow(text, at + 1)
        turns.append(text if turns else f"{lines[0]}\n{text}")
        at = count_at + 1 + max(0, entities)
    if entry.turn is not None:
        game.state.turn = entry.turn
    if seat not in game.living:
        raise NotationError(f"inputs: player {seat} is not on the board of the last turn, expected them to be alive")
    return SuiteInputs(seat, turns, game)


def write_entry(folder: Path, name: str, entry: SuiteEntry) -> Path:
    path = folder / f"{name}{SUFFIX}"
    write_bytes(path, msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n")
    return path


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema(SuiteEntry, FORMAT, VERSION))
