"""The result of a game: seats, ranks, deaths, thinking times, and where the replay is.

GameTask ── play ──▶ GameResult ──▶ Ledger (if there is one) ──▶ Standings ──▶ tables, JSON, pages
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from replays.replay import FaultCount

if TYPE_CHECKING:  # a ledger is read without the engine
    from engine.events import Death
    from hsctl.match.past import Fork, Stray
    from hsctl.match.runner import GameTask

OWN, OTHERS, BOTH, ERROR = "own", "others", "both", "error"  # whose bombs killed a player, or an error of its own
CAUSES = (OWN, OTHERS, BOTH, ERROR)
BOT, MACHINE, UNCLEAR = CULPRITS = ("bot", "machine", "unclear")  # of a late turn
MOST_DELAYED = 0.02  # of the turns of a game or a series: with more of them delayed, the result says little


class Fate(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a player died; the cause is one of CAUSES."""

    turn: int
    cause: str
    failure: str = ""  # as in the replay
    detail: str = ""
    owners: tuple[int, ...] = ()  # the seats whose bombs it was; a ledger doesn't keep them
    culprit: str = ""  # of a timeout: bot, machine or unclear


class ThinkingTime(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a player took for its turns of a game, by its clock."""

    turns: int
    total_ms: float
    worst_ms: float  # the first turn left out, which has a clock of its own
    times_ms: Sequence[float] = ()  # of every turn; a ledger doesn't keep them
    late: dict[str, int] = {}  # turns past the clock, by culprit
    beyond_ms: float = 0.0  # CPU time of a bot above the time of its turns, the first left out
    depths: int = 0  # how deep the searches of all turns got, added up
    later: tuple[int, float] | None = None  # the turns that worst_ms looks at, and their time; None: not kept
    nodes: int = 0  # of all turns
    delayed: int = 0  # turns in which the machine kept the player from a core for long, late or not

    @property
    def usual(self) -> tuple[int, float]:
        """The turns that have the usual clock, and their time. Where those are not known, all; a ledger of an older
        hsctl doesn't tell, but their mean is never above the worst of them."""
        return self.later or (self.turns, min(self.total_ms, self.worst_ms * self.turns))

    @property
    def usual_times_ms(self) -> Sequence[float]:
        return self.times_ms[self.turns - self.usual[0] :]


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
class GameResult:
    """How a game went; all lists are in order of seats. `seating` holds the numbers of the players."""

    seed: int
    seating: tuple[int, ...]
    ranks: list[int]
    boxes: list[int]
    bombs: list[int]  # dropped
    deaths: list[Fate | None]
    thinking: list[ThinkingTime]
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
    faults: list[dict[str, FaultCount]] = field(default_factory=list)  # silent ones, by name
    slow_starts: list[SlowStart | None] = field(default_factory=list)  # of bots; a ledger doesn't keep them
    first_turn: int = 0  # from which it was played, or recorded
    retries: int = 0  # how often it was played again because the machine delayed it
    course: str = ""  # a digest of all its positions
    strays: list["Stray"] = field(default_factory=list)  # bots that answered recorded turns differently
    fork: "Fork | None" = None  # where a game played on leaves the recorded one; None: nowhere
    task: "GameTask | None" = field(default=None, repr=False)  # whose result this is, if it was played now
    encoded: bytes | None = field(default=None, repr=False)  # the replay, on its way to a file

    @property
    def found(self) -> tuple[Sequence[object], ...]:
        """The lists that are empty if there is nothing to report."""
        return self.faithful_turns, self.foresight, self.misdrawn, self.faults, self.slow_starts

    @property
    def delays(self) -> "Delays":
        turns, delayed = sum(each.turns for each in self.thinking), sum(each.delayed for each in self.thinking)
        return Delays(turns, delayed, self.retries)

    @property
    def eliminated_by_machine(self) -> int:
        """Players that were eliminated for an answer that the machine delayed."""
        return sum(fate is not None and fate.culprit == MACHINE for fate in self.deaths)

    @property
    def is_delayed(self) -> bool:
        """Whether the machine delayed so much that the game should be played again."""
        return self.eliminated_by_machine > 0 or not self.delays.is_valid

    def is_less_delayed_than(self, other: "GameResult") -> bool:
        return (self.eliminated_by_machine, self.delays.share) < (other.eliminated_by_machine, other.delays.share)

    @property
    def is_drawn(self) -> bool:
        """Whether more than one player, or team, came first."""
        return is_shared(self.ranks, self.team_size)

    def points(self, seat: int) -> float:
        return points_of(self.ranks, seat, self.team_size)

    def points_of_player(self, player: int) -> float:
        return self.points(self.seating.index(player))


def is_shared(ranks: Sequence[int], team_size: int) -> bool:
    return ranks.count(1) > team_size


def points_of(ranks: Sequence[int], seat: int, team_size: int = 1) -> float:
    """1 for the first place, 1/2 if it is shared with another player, or team."""
    return 0.0 if ranks[seat] != 1 else 0.5 if is_shared(ranks, team_size) else 1.0


@dataclass(frozen=True)
class Delays:
    """How often the machine delayed the players of a game or a series."""

    turns: int = 0  # of all players
    delayed: int = 0  # of them
    retries: int = 0  # games that were played again for that

    def __add__(self, other: "Delays") -> "Delays":
        return Delays(self.turns + other.turns, self.delayed + other.delayed, self.retries + other.retries)

    @property
    def share(self) -> float:
        return self.delayed / self.turns if self.turns else 0.0

    @property
    def is_valid(self) -> bool:
        """Whether the result says something about the players, rather than about the machine."""
        return self.share <= MOST_DELAYED


def delays_of(games: Iterable[GameResult]) -> Delays:
    return sum((game.delays for game in games), Delays())


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
    nodes: int = 0,
    delayed: int = 0,
) -> ThinkingTime:
    """`has_first`: the first of the times is that of the first turn."""
    counted = times_ms[1:] if has_first and len(times_ms) > 1 else times_ms
    worst = round(max(counted, default=0.0), 3)
    total, beyond = round(sum(times_ms), 3), max(0.0, round(beyond_ms, 1))
    later = (len(counted), round(sum(counted), 3))
    return ThinkingTime(len(times_ms), total, worst, times_ms, dict(late), beyond, depths, later, nodes, delayed)
