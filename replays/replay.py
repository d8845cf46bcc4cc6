"""The record of a game: what was on the board at the start, what was done, what was thought, how it ended.

States are never stored: playback steps the game again and compares a hash per turn, so every replay is a
regression test and a game of 200 turns stays small.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from engine.errors import MOST_MS, MOST_NODES, MOST_VISION
from replays.files import ReplayError as ReplayError  # replays raise it, and so does reading
from replays.files import write_bytes
from replays.text import is_shown

FORMAT: Final = "hsctl-replay"
UNFINISHED: Final = "unfinished"  # the reason of a game that was stopped before its end
VERSION: Final = 2  # 1 listed the items freed in one round in another order, see the playback
ClockName = Literal["wall", "cpu"]
WALL: Final = "wall"
CPU: Final = "cpu"

MOST_PARENTS: Final = 100  # generations of games played on from each other

Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
# Told in the schema, checked by the playback: there the message can say who couldn't do what, and when.
Action = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": 9})]


# As on the command line. JSON has no NaN, and a number beyond all floats is none.
Milliseconds = Annotated[float, msgspec.Meta(gt=0, le=MOST_MS)]
StartupMs = Annotated[float, msgspec.Meta(ge=0, le=MOST_MS)]
Nodes = Annotated[int, msgspec.Meta(ge=1, le=MOST_NODES)]
Cells = Annotated[int, msgspec.Meta(ge=1, le=MOST_VISION)]


class Start(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The position the game began with, in the arena's text, and what that text doesn't tell."""

    position: str
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    turn: Annotated[int, msgspec.Meta(ge=0)] = 0
    boxes: list[int] = []  # scored before; empty = none
    death_rounds: list[int | None] = []  # of those dead before; empty = nobody is
    idle_rounds: Annotated[int, msgspec.Meta(ge=0, lt=20)] = 0
    last_box_counter: Annotated[int, msgspec.Meta(gt=0, le=20)] = 20
    teams: list[int] = []  # the team of each seat, 0 0 1 1; empty = everybody alone
    ends: Literal["arena", "survival"] = "arena"  # survival: the last one standing wins, boxes don't rank


class Limits(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """How long a turn may take (milliseconds, or nodes), by which clock, how far players see. None = no limit."""

    first_turn_ms: Milliseconds | None = None
    turn_ms: Milliseconds | None = None
    startup_ms: StartupMs | None = None
    nodes: Nodes | None = None
    vision: Cells | None = None  # the larger of the x and y distance
    clock: ClockName = WALL  # of built-in agents; cpu: time of the thread that thinks. Others are on the wall clock

    def __post_init__(self) -> None:
        """msgspec leaves a default text out only if it is the very object, which it isn't after a trip to a worker."""
        self.clock = sys.intern(self.clock)  # type: ignore[assignment]


class PlayerInfo(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Who sat in a seat."""

    spec: str  # as it was written: `beam:paper,width=1000` or a command line
    is_agent: bool
    params: dict[str, Any] = {}  # all parameters of a built-in agent
    faithful_turns: int | None = None  # of a ghost: how many turns it repeated from its record
    is_own: bool = False  # of a game of the arena: the code in the editor
    is_foreign: bool = False  # taken over from a file that hsctl didn't save: its command doesn't run by itself


class Thought(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What a built-in agent reports about one decision."""

    nodes: int = 0
    depth: int = 0
    value: float | None = None
    plan: list[Action] = []  # own actions from this turn on
    stages: dict[str, int] = {}  # nodes by stage
    carried: list[Action] = []  # the plan brought along from the turn before


class Failure(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Why a player was eliminated for an error, with evidence."""

    cause: str  # timeout, crash, closed, invalid, flood, memory, processes, forged, start
    detail: str = ""  # one sentence


class Late(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An answer after its time, or none: what of the time the player had, and who took the rest."""

    culprit: Literal["bot", "machine", "unclear"]
    wall_ms: float  # from the input to the answer, or to the end of the waiting
    cpu_ms: float | None = None  # of it: running
    delay_ms: float | None = None  # of it: ready to run, but without a core


class Move(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What one living player did in one turn."""

    action: Action | None = None  # None: eliminated by a failure
    line: str = ""  # raw output of an external bot
    message: str = ""
    time_ms: float | None = None
    cpu_ms: float | None = None
    thought: Thought | None = None
    stderr: str = ""
    failure: Failure | None = None
    late: Late | None = None
    ahead: bool = False  # the line was printed before its turn


class Turn(msgspec.Struct, forbid_unknown_fields=True):
    """One round: the hash of the state that was sent, and what each seat did (None = dead)."""

    hash: Hash
    moves: list[Move | None]


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """The end of a game, or the state when it was stopped; then the reason is "unfinished"."""

    reason: str
    ranks: list[int]
    boxes: list[int]
    death_rounds: list[int | None]
    hash: Hash  # of the final state

    @property
    def is_finished(self) -> bool:
        return self.reason != UNFINISHED

    def has_lost(self, seat: int) -> bool:
        """Whether a player came after another; in an unfinished game only the dead have lost."""
        return self.ranks[seat] > 1 and (self.is_finished or self.death_rounds[seat] is not None)


@dataclass(frozen=True)
class FaultCount:
    """How often a player's answers had a silent fault (faults.py); kept in ledgers, not in replays."""

    count: int
    first_turn: int
    line: str  # the first


class Parent(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The game that another was played on from: all before `turn` is the same in both."""

    file: str  # where it was read from
    digest: Hash  # of that file's bytes
    turn: Annotated[int, msgspec.Meta(ge=0)]  # the first that was played anew
    players: list[PlayerInfo]  # who sat there until then
    moves: list[str] = []  # orders given to players on that turn in place of their own, by seat; "" = none
    number: Annotated[int, msgspec.Meta(ge=0)] = 0  # among several games: added to the seed
    spread: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0  # from that turn on: a decision has up to this share of
    # its nodes more or fewer, by the seed
    parent: "Parent | None" = None  # that game's own


class Replay(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A whole game. Without a clock (nodes only) two runs of the same game give the same bytes."""

    format: Literal["hsctl-replay"]
    version: Literal[1, 2]
    hsctl: str
    seed: int | None  # of the board and of all decisions
    start: Start
    players: list[PlayerInfo]
    limits: Limits
    turns: list[Turn]
    result: Result
    parent: Parent | None = None  # if it was played on from another game

    @property
    def course(self) -> str:
        """A digest of all positions: games with the same are the same game."""
        return blake2b(
            "".join([turn.hash for turn in self.turns] + [self.result.hash]).encode(), digest_size=8
        ).hexdigest()


class Header(msgspec.Struct):
    """What must be known of a file before its fields mean anything."""

    format: Any = None
    version: Any = None


def encode(replay: Replay) -> bytes:
    """The bytes of a file: JSON with one line per player and turn, so that a person and `diff` can read it."""
    fields = {name: getattr(replay, name) for name in replay.__struct_fields__}
    if replay.parent is None:
        del fields["parent"]
    return format_document(fields, rows=("players", "turns")).encode()


def format_document(fields: Mapping[str, Any], rows: Sequence[str]) -> str:
    """A JSON object with one line per field; those named in `rows` are lists with one line per entry."""
    return "{\n" + format_fields(fields, rows, format_json) + "\n}\n"


def format_fields(fields: Mapping[str, Any], rows: Sequence[str], format_value: Callable[[Any], str]) -> str:
    """The lines between the braces of such an object."""
    lines = []
    for name, value in fields.items():
        entries = ",\n".join(format_value(entry) for entry in value) if name in rows else ""
        lines.append(f'"{name}": [\n{entries}\n]' if name in rows else f'"{name}": {format_value(value)}')
    return ",\n".join(lines)


def format_json(value: Any) -> str:
    """JSON on one line, with spaces; what isn't seen, and could steer a terminal, is escaped."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
    return text if text.isprintable() else "".join(one if is_shown(one) else dumps(one)[1:-1] for one in text)


def decode(data: bytes) -> Replay:
    """A replay from the bytes of a file. Checks every field; whether the game plays again, the playback checks."""
    try:
        check_header(msgspec.json.decode(data, type=Header))
        replay = msgspec.json.decode(data, type=Replay)
    except msgspec.ValidationError as error:
        raise ReplayError(describe_misfit(str(error))) from None
    except (ValueError, RecursionError) as error:
        raise ReplayError(describe_bad_json(str(error), len(data))) from None
    if sum(1 for _ in parents_of(replay)) > MOST_PARENTS:
        raise ReplayError(f"parent: more than {MOST_PARENTS} games, each played on from the next")
    return replay


def parents_of(replay: Replay) -> Iterator[Parent]:
    """The games that this one was played on from, the last first."""
    parent = replay.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def check_header(header: Header) -> None:
    if header.format != FORMAT:
        found = "no format" if header.format is None else f"format {str(header.format)[:40]!r}"
        raise ReplayError(f"not a replay: it has {found} instead of {FORMAT!r}")
    if header.version not in range(1, VERSION + 1):
        raise ReplayError(
            f"replay of format version {str(header.version)[:40]}; this hsctl reads versions 1 to {VERSION}"
        )


def describe_misfit(message: str) -> str:
    """msgspec's "Expected `int`, got `str` - at `$.turns[3].moves[0].action`", the place first."""
    what, _, where = message.partition(" - at `$")
    place = where.strip("`.").replace("[...]", "")
    return f"{place}: {what[0].lower()}{what[1:]}" if place else f"not a replay: {what[0].lower()}{what[1:]}"


def describe_bad_json(message: str, size: int) -> str:
    if "truncated" in message or f"(byte {size})" in message:
        return f"truncated: the file ends after {size} bytes, in the middle of its JSON"
    return f"not JSON: {message.removeprefix('JSON is malformed: ')}; name a replay"


def write(path: Path, replay: Replay) -> None:
    write_bytes(path, encode(replay))
