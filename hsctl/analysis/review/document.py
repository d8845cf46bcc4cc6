"""The review of a game as one document: what the terminal, `--json`, the page, the stepper and Python read.

Its JSON Schema is docs/reference/schemas/review.schema.json. After a change of the format, write it again with

    python -m hsctl.analysis.review.document > docs/reference/schemas/review.schema.json
"""

import json
import sys
from typing import Any, Final, Literal

import msgspec

from engine.game import ARENA
from replays.replay import FaultCount

FORMAT: Final = "hsctl-review"
VERSION: Final = 1
DEATH: Final = "death"
FAILED: Final = "error"
VALUE: Final = "value"
FAULT: Final = "fault"


class ChainedBomb(msgspec.Struct):
    """A bomb of a chain."""

    owner: int
    turn: int  # on which it was dropped
    x: int
    y: int


class KillingBomb(msgspec.Struct):
    """A bomb whose blast reached the player."""

    owner: int
    turn: int  # on which it was dropped
    x: int
    y: int
    lit_by: int | None  # whose bomb set it off before its time
    chain: list[ChainedBomb] = []  # the bomb whose time had come, then each that the one before lit


class ReviewedDeath(msgspec.Struct, kw_only=True):
    """A death and what could have been done about it. Actions are names: stay, left, right, up, down, also +bomb."""

    turn: int
    x: int
    y: int
    cause: str  # one of CAUSES in deaths.py
    why: str = ""  # the cause in words, with the bombs
    is_avoidable: bool = False  # the player could know: another move held, or `open_moves` has one
    is_won: bool = False  # the player came first nevertheless
    bombs: list[KillingBomb] = []
    last_turn: int | None = None  # on which the player could be saved, given what the others did; None: never
    played: str | None = None  # on that turn
    safe: list[str] = []  # the actions that would have saved the player on that turn
    held_turn: int | None = None  # the last turn with actions that held against any answer of each single opponent ...
    held_rounds: int  # ... for so many rounds
    held: list[str] = []  # those actions
    held_played: str | None = None  # on that turn
    rival: int | None = None  # the opponent that trapped the player
    trap: list[tuple[int, str]] = []  # the turns and actions of that opponent
    proof: str | None = None  # a replay in which the player lives
    failure: str = ""  # the kind of an error: timeout, crash, ...
    open_moves: list[str] = []  # those of `safe` that survive the known bombs alone, if the played one does not
    line: list[str] = []  # own actions from the first safe one on, until nothing threatens any more
    fault: str = ""  # the silent fault of the answer that made the death certain, as in replays/faults.py


class Chance(msgspec.Struct):
    """How often games that continued from a move were won, with a 95 % interval."""

    wins: float  # a shared first place is half of one
    games: int
    low: float
    high: float
    distinct: int  # games; identical ones count once


class Mistake(msgspec.Struct):
    """A move that cost something."""

    turn: int
    kind: Literal["death", "error", "value", "fault"]
    played: str  # an action by name; after an error, its kind (timeout, crash, ...); the line of a faulty answer
    better: str  # an action by name; after an error or a faulty answer, what should have come
    cost: float | None  # boxes, by the reference search; None: the game, or unknown for a fault
    why: str
    line: list[str] = []  # own actions from the better one on, as far as review searched
    repeats: list[int] = []  # further turns with the same position and the same move
    safe: list[str] = []  # before a death: every action that would have saved the player, `better` first
    chance_played: Chance | None = None
    chance_better: Chance | None = None


class Doubt(msgspec.Struct):
    """A move that looked like a mistake but cost no more than the noise of the search."""

    turn: int
    played: str
    better: str
    cost: float  # boxes


class Habits(msgspec.Struct):
    """What a player wasted, as lists of turns; habits.py computes them."""

    wasted: list[int]  # back on the cell of two turns before, without a bomb or an item in between
    idle_bombs: list[int]  # dropped, and hit neither a box nor a player
    lost_boxes: list[int]  # others destroyed a box that was nearer to the player, two fuses before
    items_left: list[int]  # an item came free nearest to the player, which never took it
    slow: list[int]  # took more than nine tenths of the time


class Review(msgspec.Struct):
    """The review of one player in one game."""

    format: Literal["hsctl-review"]
    version: Literal[1]
    file: str
    seed: int | None
    player: int
    name: str
    names: list[str]
    rank: int
    firsts: int  # players that share the first place
    boxes: list[int]
    turns: int
    verdict: str
    mistakes: list[Mistake]  # worst first
    deaths: list[ReviewedDeath]
    agent: str | None  # None: only deaths were reviewed
    nodes: int
    noise: float  # boxes
    threshold: float  # a mistake costs more than this
    values: list[list[float | None]]  # [seat][turn]: what the position was worth to a player, in boxes, by the agent
    doubtful: list[Doubt]  # the most costly first
    first_turn: int
    death_turns: list[int | None]  # None: alive at the end, or dead from the start
    habits: Habits
    ends: str = ARENA  # survival: boxes didn't rank
    is_finished: bool = True  # False: stopped before its end; ranks and boxes are those of that moment
    is_drawn: bool = False  # first, and so is an opponent
    moves: int = 0  # turns on which the player changed its cell
    bombs: int = 0  # that it dropped
    faults: list[str] = []  # answers that did not do what they say, in words
    is_dead_from_start: bool = False  # the record begins after the player's death
    silent_faults: dict[str, FaultCount] = {}  # the same faults, by name; the worst first
    saved: str | None = None  # when the file was written, ISO 8601


class CauseCount(msgspec.Struct):
    """How many games of a folder went one way, with the 95 % interval of their share."""

    cause: str
    games: int
    interval: list[float]
    worst: list[str]  # FILE@TURN, the worst first


class DeathCount(msgspec.Struct):
    """How often a player died in the games of a folder."""

    all: int
    won: int  # came first nevertheless
    avoidable: int
    faults: int  # avoidable, and cost the first place


class FolderReview(msgspec.Struct):
    """The games of one player in a folder; the most frequent cause of a loss first."""

    player: str
    games: int
    deaths: DeathCount
    causes: list[CauseCount]
    reviews: list[Review]


def encode(document: Review | FolderReview | dict[str, Any]) -> str:
    """The JSON in ASCII: names come from strangers."""
    return json.dumps(msgspec.to_builtins(document), indent=1) + "\n"


if __name__ == "__main__":
    from replays.schema import format_schema

    sys.stdout.buffer.write(format_schema(Review, FORMAT, VERSION))
