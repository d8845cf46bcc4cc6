"""A finished game: who sat where, how it went for each of them, where its replay is.

The one type between playing and showing: a match makes it, a ledger stores it, standings count it, views show it.

    play_game ──▶ FinishedGame ──▶ Ledger (if there is one) ──▶ Standings ──▶ views
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # a ledger is read without the engine
    from engine.around.events import Death

OWN, OTHERS, BOTH, ERROR = "own", "others", "both", "error"  # whose bombs killed a player, or an error of its own
CAUSES = (OWN, OTHERS, BOTH, ERROR)
BOT, MACHINE, UNCLEAR = CULPRITS = ("bot", "machine", "unclear")  # of a late turn


class Fate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a player died; the cause is one of CAUSES."""

    turn: int
    cause: str
    failure: str = ""  # as in the replay
    detail: str = ""
    owners: tuple[int, ...] = ()  # the seats whose bombs it was; a ledger doesn't keep them
    culprit: str = ""  # of a timeout: bot, machine or unclear


class Thinking(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a player took for its turns of a game."""

    turns: int
    total_ms: float
    worst_ms: float  # the first turn left out, which has a clock of its own
    times_ms: Sequence[float] = ()  # of every turn; a ledger doesn't keep them
    late: dict[str, int] = {}  # turns past the clock, by culprit
    beyond_ms: float = 0.0  # CPU time of a bot above the time of its turns, the first left out
    depths: int = 0  # how deep the searches of all turns got, added up


@dataclass(frozen=True)
class FaultCount:
    """How often a player's answers had a silent fault."""

    count: int
    first_turn: int
    line: str  # the first


@dataclass(frozen=True)
class Foresight:
    """What a bot predicted on stderr."""

    checked: int
    wrong: int  # and those that can't be read
    first: str  # of the wrong ones, in words


@dataclass(frozen=True)
class Misdrawn:
    """Lines on stderr with which a bot meant to draw, and that can't be read."""

    count: int
    first: str  # in words


@dataclass(frozen=True)
class SlowStart:
    """A bot's first answer that came in time only because its start is granted more than the arena grants."""

    ms: float
    allowed_ms: float  # the start included
    is_sure: bool  # that it was not the machine's fault


@dataclass(frozen=True)
class FinishedGame:
    """How a game went; all lists are in order of seats. `seating` holds the numbers of the players."""

    seed: int
    seating: tuple[int, ...]
    ranks: list[int]
    boxes: list[int]
    bombs: list[int]  # dropped
    deaths: list[Fate | None]
    thinking: list[Thinking]
    turns: int
    reason: str  # why it ended
    seconds: float  # from the first question to the end, the runner's own work included
    team_size: int = 1  # players that win together
    replay: Path | None = None
    block_number: int = 0  # its place in a league: which block, and which rotation of the seats
    rotation: int = 0
    is_new: bool = True  # not from a ledger
    faithful_turns: list[int | None] = field(default_factory=list)  # of ghosts; empty: there is none
    foresight: list[Foresight | None] = field(default_factory=list)  # of bots that predict; a ledger doesn't keep it
    misdrawn: list[Misdrawn | None] = field(default_factory=list)  # of bots that draw; a ledger doesn't keep it
    faults: list[dict[str, FaultCount]] = field(default_factory=list)  # by name; a ledger doesn't keep them
    slow_starts: list[SlowStart | None] = field(default_factory=list)  # of bots; a ledger doesn't keep them
    first_turn: int = 0  # from which it was played, or recorded
    retries: int = 0  # how often it was begun again because the machine made a player late

    @property
    def found(self) -> tuple[Sequence[object], ...]:
        """The lists that are empty if there is nothing to tell of anybody."""
        return self.faithful_turns, self.foresight, self.misdrawn, self.faults, self.slow_starts

    @property
    def is_stolen(self) -> bool:
        """Whether the machine made a player late."""
        return any(each.late.get(MACHINE) for each in self.thinking)

    @property
    def is_drawn(self) -> bool:
        """Whether more than one player, or team, came first."""
        return self.ranks.count(1) > self.team_size


def fate_of(turn: int, death: "Death", culprit: str = "") -> Fate:
    return Fate(turn, cause_of(death), death.failure, death.detail, death.owners, culprit)


def cause_of(death: "Death") -> str:
    if death.failure:
        return ERROR
    if death.player not in death.owners:
        return OTHERS
    return OWN if death.owners == (death.player,) else BOTH


def thinking_of(
    times_ms: Sequence[float],
    late: Mapping[str, int] = {},
    beyond_ms: float = 0.0,
    has_first: bool = True,
    depths: int = 0,
) -> Thinking:
    """`has_first`: the first of the times is that of the first turn."""
    counted = times_ms[1:] if has_first and len(times_ms) > 1 else times_ms
    worst = round(max(counted, default=0.0), 3)
    total, beyond = round(sum(times_ms), 3), max(0.0, round(beyond_ms, 1))
    return Thinking(len(times_ms), total, worst, times_ms, dict(late), beyond, depths)
