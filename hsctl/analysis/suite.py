"""Suites: tests of a bot, one file each. A test holds all that the bot reads up to a turn, and what its answer must do.

    {"format": "hsctl-suite-entry", "version": 1,
     "why": "died on turn 39 by a bomb of its own",
     "inputs": ["13 11 0", ".............", ...],
     "demands": ["must survive", "within 100 ms"]}

The demands, all of which must hold:

    must survive                          the known bombs can be survived after the answer, the others standing still
    must survive 9                        the bot is asked on, and lives for 9 turns, the others standing still
    must not BOMB 3 4                     the answer does something else than this order
    must play one of MOVE 3 4, BOMB 3 3   the answer does what one of these orders does
    must answer in step                   the line was not printed before its turn
    within 80 ms                          it comes in time

Orders are compared by what they do on the board: `MOVE 12 10` is the first step of its path.

The JSON Schema is docs/reference/schemas/suite.schema.json. After a change of the format, write it again with

    python -m hsctl.analysis.suite > docs/reference/schemas/suite.schema.json
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import msgspec

from engine.board import HEIGHT
from engine.errors import MOST_MS, HsctlError
from engine.game import Game
from engine.notation import NotationError, Order, format_action, parse_header, parse_integers, parse_order
from engine.rules import ACTION_NAMES
from engine.state import MAX_TURNS
from hsctl.match.bots.follower import Follower
from replays.export.text import format_input
from replays.files import read_source, write_bytes
from replays.playback import Playback

if TYPE_CHECKING:
    from hsctl.analysis.review.document import Mistake, Review

FORMAT: Final = "hsctl-suite-entry"
VERSION: Final = 1
SUFFIX = ".json"
WITHIN_MS, FIRST_WITHIN_MS = 100.0, 1000.0  # the arena's clock, where the game had none

# Demands

GRAMMAR = (
    "write `must survive`, `must survive N`, `must not ORDER`, `must play one of ORDER, ...`, `must answer in step` "
    "or `within N ms`"
)
IN_STEP = "must answer in step"
SURVIVE = re.compile(r"must survive(?: (\d{1,3}))?")
AVOID = re.compile(r"must not (.+)")
PLAY = re.compile(r"must play one of (.+)")
WITHIN = re.compile(r"within (\d+(?:\.\d+)?) ms")


@dataclass(frozen=True)
class Survive:
    turns: int | None = None  # to be played on; None: by the known bombs

    def __str__(self) -> str:
        return "must survive" if self.turns is None else f"must survive {self.turns}"


@dataclass(frozen=True)
class Avoid:
    order: Order

    def __str__(self) -> str:
        return f"must not {format_order(self.order)}"


@dataclass(frozen=True)
class Play:
    orders: tuple[Order, ...]

    def __str__(self) -> str:
        return f"must play one of {', '.join(map(format_order, self.orders))}"


@dataclass(frozen=True)
class InStep:
    def __str__(self) -> str:
        return IN_STEP


@dataclass(frozen=True)
class Within:
    ms: float

    def __str__(self) -> str:
        return f"within {self.ms:g} ms"


Demand = Survive | Avoid | Play | InStep | Within


def parse_demand(text: str) -> Demand:
    """Read a demand; raises HsctlError."""
    words = " ".join(text.split())
    if words == IN_STEP:
        return InStep()
    if match := SURVIVE.fullmatch(words):
        return Survive(None if match[1] is None else int(checked(match[1], MAX_TURNS, text)))
    if match := WITHIN.fullmatch(words):
        return Within(checked(match[1], MOST_MS, text))
    if match := AVOID.fullmatch(words):
        return Avoid(plain_order(match[1], text))
    if match := PLAY.fullmatch(words):
        return Play(tuple(plain_order(each, text) for each in match[1].split(",")))
    raise HsctlError(f"demand {text[:80]!r}: {GRAMMAR}")


def checked(digits: str, most: float, text: str) -> float:
    number = float(digits)
    if not 0 < number <= most:
        raise HsctlError(f"demand {text[:80]!r}: write a number above 0, at most {most:g}")
    return number


def plain_order(line: str, text: str) -> Order:
    """An order without a message."""
    try:
        order = parse_order(line.strip())
    except NotationError as error:
        raise HsctlError(f"demand {text[:80]!r}: {error}") from None
    if order.message:
        raise HsctlError(f"demand {text[:80]!r}: drop the message {order.message[:40]!r}")
    return order


def format_order(order: Order) -> str:
    return f"{'BOMB' if order.drops_bomb else 'MOVE'} {order.x} {order.y}"


# Entries


class SuiteEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One test of a bot; its name is that of its file."""

    format: Literal["hsctl-suite-entry"]
    version: Literal[1]
    inputs: list[str]  # the lines that the bot reads, `width height id` first
    demands: Annotated[list[str], msgspec.Meta(min_length=1)]
    turn: Annotated[int, msgspec.Meta(ge=0, lt=MAX_TURNS)] | None = None  # of the last input; None: counted from 0
    why: str = ""  # where it comes from, or what it is about


class SuiteInputs(NamedTuple):
    """An entry's lines, understood."""

    seat: int  # of the bot
    turns: list[str]  # what it reads on each turn; the first line belongs to the first of them
    game: Game  # on the last of them


def read_suite(folder: Path) -> dict[str, SuiteEntry]:
    """The entries of a folder by name, in the order of their names."""
    if not folder.is_dir():
        raise HsctlError(f"{folder} is not a folder: name one that `hsctl review --write-suite DIR` wrote")
    paths = sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    if not paths:
        raise HsctlError(f"{folder} has no {SUFFIX} files: `hsctl review --write-suite DIR` writes them")
    return {path.stem: read_entry(path) for path in paths}


def read_entry(path: Path) -> SuiteEntry:
    """The entry in a file, its inputs and demands checked; errors name the file."""
    data = read_source(path, "an entry of a suite")
    try:
        entry = msgspec.json.decode(data, type=SuiteEntry)
    except (ValueError, RecursionError) as error:  # msgspec's errors among them
        raise HsctlError(f"{path}: not an entry of a suite: {error}") from None
    try:
        read_inputs(entry)
        for demand in entry.demands:
            parse_demand(demand)
    except HsctlError as error:
        raise HsctlError(f"{path}: {error}") from None
    return entry


def read_inputs(entry: SuiteEntry) -> SuiteInputs:
    """The bot's seat, what it reads on each turn, and the game on the last; errors count lines from 1."""
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
        raise NotationError(f"inputs: player {seat} is not on the board of the last turn")
    return SuiteInputs(seat, turns, game)


def write_entry(folder: Path, name: str, entry: SuiteEntry) -> Path:
    path = folder / f"{name}{SUFFIX}"
    write_bytes(path, msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n")
    return path


# From reviews


def write_suite(playback: Playback, review: "Review", folder: Path, name: str) -> list[Path]:
    """Write an entry for each mistake of a review."""
    return [
        write_entry(folder, f"{name}-turn{mistake.turn}{suffix_of(mistake)}", entry_of(playback, review, mistake))
        for mistake in review.mistakes
    ]


def suffix_of(mistake: "Mistake") -> str:
    """A fault may have the turn of another mistake."""
    return "-fault" if mistake.kind == "fault" else ""


def entry_of(playback: Playback, review: "Review", mistake: "Mistake") -> SuiteEntry:
    turns = range(playback.first_turn, mistake.turn + 1)
    demands = [*demands_of(playback, review, mistake), Within(clock_of(playback, mistake.turn))]
    inputs = format_input(playback, turns, review.player).splitlines()
    return SuiteEntry(FORMAT, VERSION, inputs, list(map(str, demands)), mistake.turn, mistake.why)


def demands_of(playback: Playback, review: "Review", mistake: "Mistake") -> list[Demand]:
    """What the answer must do: stay alive, or not repeat the mistake. After an error it must just come."""
    game, seat = playback.game_at(mistake.turn), review.player
    if mistake.kind == "error":
        return []
    if mistake.kind == "fault":
        move = playback.moves_at(mistake.turn)[seat]
        is_ahead = move is not None and move.ahead
        return [InStep() if is_ahead else Avoid(parse_order(mistake.played)._replace(message=""))]
    played = ACTION_NAMES.index(mistake.played)
    if mistake.kind == "value":
        return [Avoid(order_of(game, seat, mistake.played))]
    after = game.copy()
    after.step([played if at == seat else 0 for at in range(game.seats)])
    is_plain = not after.can_survive(seat)
    return [Survive() if is_plain else Play(tuple(order_of(game, seat, name) for name in mistake.safe))]


def order_of(game: Game, seat: int, name: str) -> Order:
    return parse_order(format_action(game.state, seat, ACTION_NAMES.index(name)))


def clock_of(playback: Playback, turn: int) -> float:
    """The bot's milliseconds for this turn."""
    limits, is_first = playback.replay.limits, turn == playback.first_turn
    limit = limits.first_turn_ms if is_first else limits.turn_ms
    return limit or (FIRST_WITHIN_MS if is_first else WITHIN_MS)


if __name__ == "__main__":
    from replays.schema import format_schema

    sys.stdout.buffer.write(format_schema(SuiteEntry, FORMAT, VERSION))
