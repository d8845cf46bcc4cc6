"""Standings: what finished games say about each player, each pair, and all of them as ratings."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import TypeVar

import numpy as np

from engine.variants import MATES, TEAMS
from hsctl.league.intervals import Share, share_of, share_of_games
from hsctl.league.rating import Rating, rate
from hsctl.match.result import (
    MACHINE,
    Delays,
    Fate,
    Foresight,
    GameResult,
    Misdrawn,
    SlowStart,
    ThinkingTime,
    delays_of,
)
from replays.replay import FaultCount

WIN, DRAW, LOSS = 0, 1, 2


@dataclass
class PlayerStanding:
    """What one player did; all lists are by game."""

    name: str
    seeds: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)  # players of the game
    ranks: list[int] = field(default_factory=list)
    boxes: list[int] = field(default_factory=list)
    bombs: list[int] = field(default_factory=list)  # dropped
    won: list[bool] = field(default_factory=list)  # first alone, or with the mate
    drawn: list[bool] = field(default_factory=list)  # first with others
    fates: list[Fate | None] = field(default_factory=list)
    faithful_turns: list[int] = field(default_factory=list)  # of a ghost
    thinking: list[ThinkingTime] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)  # silent ones, of all games

    def add(self, game: GameResult, seat: int) -> None:
        is_first = game.ranks[seat] == 1
        self.seeds.append(game.seed)
        self.sizes.append(len(game.seating))
        self.ranks.append(game.ranks[seat])
        self.boxes.append(game.boxes[seat])
        self.bombs.append(game.bombs[seat])
        self.won.append(is_first and not game.is_drawn)
        self.drawn.append(is_first and game.is_drawn)
        self.fates.append(game.deaths[seat])
        faithful = game.faithful_turns[seat] if game.faithful_turns else None
        self.faithful_turns += [] if faithful is None else [faithful]
        self.thinking.append(game.thinking[seat])
        for name, fault in game.faults[seat].items() if game.faults else ():
            self.faults[name] += fault.count

    @property
    def games(self) -> int:
        return len(self.ranks)

    @property
    def last_place(self) -> float:
        """The mean of the last places in the games; 1 without any."""
        return fmean(self.sizes) if self.sizes else 1.0

    @property
    def wins(self) -> int:
        return sum(self.won)

    @property
    def draws(self) -> int:
        return sum(self.drawn)

    @property
    def lost(self) -> list[bool]:
        return [not won and not drawn for won, drawn in zip(self.won, self.drawn, strict=True)]

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws

    @property
    def died(self) -> list[bool]:
        return [fate is not None for fate in self.fates]

    @property
    def deaths(self) -> Counter[str]:
        """By cause."""
        return Counter(fate.cause for fate in self.fates if fate is not None)

    @property
    def errors(self) -> Counter[str]:
        """Deaths by an error, by kind of failure."""
        return Counter(fate.failure for fate in self.fates if fate is not None and fate.failure)

    @property
    def is_hopeless(self) -> bool:
        """Whether every game ended by an error of the player, none of them by the machine's fault."""
        return self.games > 0 and all(fate and fate.failure and fate.culprit != MACHINE for fate in self.fates)

    @property
    def timeouts(self) -> Counter[str]:
        """Deaths by a timeout, by culprit."""
        return Counter(fate.culprit for fate in self.fates if fate is not None and fate.failure == "timeout")

    @property
    def late(self) -> Counter[str]:
        """Turns past the clock, by culprit."""
        return sum((Counter(each.late) for each in self.thinking), Counter())

    @property
    def beyond(self) -> float:
        """CPU time above that of the turns, as a share of it."""
        total_ms = sum(each.total_ms for each in self.thinking)
        return sum(each.beyond_ms for each in self.thinking) / total_ms if total_ms else 0.0

    @property
    def turns(self) -> int:
        """Turns that the player answered."""
        return sum(each.turns for each in self.thinking)

    @property
    def bombs_a_turn(self) -> float | None:
        return sum(self.bombs) / self.turns if self.turns else None

    @property
    def mean_depth(self) -> float | None:
        """How deep searches got; None if no turn of the games tells."""
        depths = sum(each.depths for each in self.thinking)
        return depths / self.turns if depths else None

    @property
    def mean_ms(self) -> float | None:
        """Of the turns that `worst_ms` is the longest of: the first turn of a game has a clock of its own."""
        turns = sum(each.usual[0] for each in self.thinking)
        return sum(each.usual[1] for each in self.thinking) / turns if turns else None

    @property
    def nodes_a_ms(self) -> float | None:
        """How fast searches were, by the clock of the games; None of a player that searched nothing."""
        nodes, ms = sum(each.nodes for each in self.thinking), sum(each.total_ms for each in self.thinking)
        return nodes / ms if nodes and ms else None

    @property
    def worst_ms(self) -> float | None:
        return max(each.worst_ms for each in self.thinking) if self.turns else None

    @property
    def times_ms(self) -> list[float]:
        """Of the same turns, of those games that have them: games from a ledger don't."""
        return [ms for each in self.thinking for ms in each.usual_times_ms]

    def share(self, happened: Sequence[bool]) -> Share | None:
        """How often something happened in the games; None without games."""
        return share_of_games(happened, self.seeds)

    def share_of_place(self, size: int, place: int) -> Share | None:
        """How often the player took this place in games of this many players; None without such games."""
        played = [at for at, found in enumerate(self.sizes) if found == size]
        return share_of_games([self.ranks[at] == place for at in played], [self.seeds[at] for at in played])


@dataclass(frozen=True)
class Meetings:
    """How often one player was ranked above another, level and below, over all games of both."""

    wins: int
    draws: int
    losses: int
    share: Share  # of wins


class Standings:
    """All players of a league. A player's number is its place in `names`; `clock` is None if no player has one."""

    def __init__(self, names: Sequence[str], clock: str | None = None) -> None:
        self.names = list(names)
        self.clock = clock
        self.players = [PlayerStanding(name) for name in names]
        self.games: list[GameResult] = []
        self._seeds: dict[int, np.ndarray] = {}  # seed -> [row, column, win or draw or loss] of games

    def add(self, game: GameResult) -> None:
        assert all(len(found) in (0, len(game.seating)) for found in game.found), "a list that is not by seat"
        self.games.append(game)
        count = len(self.names)
        results = self._seeds.setdefault(game.seed, np.zeros((count, count, 3), np.int64))
        for seat, player in enumerate(game.seating):
            self.players[player].add(game, seat)
            for other_seat, other in enumerate(game.seating):
                if other != player:
                    result = int(np.sign(game.ranks[seat] - game.ranks[other_seat])) + 1
                    results[player, other, result] += 1

    @property
    def delays(self) -> Delays:
        return delays_of(self.games)

    def in_order(self) -> list[GameResult]:
        """The games block by block, whichever finished first."""
        return sorted(self.games, key=lambda game: (game.block_number, game.rotation))

    def meetings(self, row: int, column: int) -> Meetings | None:
        """None if the two never met."""
        share = self.share(row, column, (1, 0, 0))
        if share is None:
            return None
        wins, draws, losses = self.results(row, column).sum(axis=0).tolist()
        return Meetings(wins, draws, losses, share)

    def share(self, row: int, column: int, worth: tuple[float, float, float]) -> Share | None:
        """The row's share against the column; `worth` is what a win, a draw, a loss count. None if they never met."""
        blocks = self.results(row, column)
        blocks = blocks[blocks.sum(axis=1) > 0]
        return share_of((blocks @ worth).tolist(), blocks.sum(axis=1).tolist())

    def results(self, row: int, column: int) -> np.ndarray:
        """Of every seed: the row's wins, draws and losses against the column; none where the two didn't meet."""
        return np.array([results[row, column] for results in self._seeds.values()]).reshape(-1, 3)

    def ratings(self) -> list[Rating]:
        """By seed: games on one board are not independent."""
        points = [results[:, :, WIN] + results[:, :, DRAW] / 2 for results in self._seeds.values()]
        return rate(self.names, points)

    @property
    def sizes(self) -> list[int]:
        """How many players games had."""
        return sorted({len(game.seating) for game in self.games})


# Games of a league of teams as games between two: what a team did is what its players did together.

Found = TypeVar("Found")


def as_teams(game: GameResult) -> GameResult:
    """The game with teams for players; team t has the players 2 t and 2 t + 1. A team dies with its last player."""
    ranks = [game.ranks[team[0]] for team in TEAMS]
    return replace(
        game,
        seating=tuple(game.seating[team[0]] // MATES for team in TEAMS),
        ranks=[1 + sum(better < rank for better in ranks) for rank in ranks],
        boxes=[sum(game.boxes[seat] for seat in team) for team in TEAMS],
        bombs=[sum(game.bombs[seat] for seat in team) for team in TEAMS],
        deaths=[last_death([game.deaths[seat] for seat in team]) for team in TEAMS],
        thinking=[join_thinking([game.thinking[seat] for seat in team]) for team in TEAMS],
        faithful_turns=by_team(game.faithful_turns, min),
        foresight=by_team(game.foresight, join_foresight),
        misdrawn=by_team(game.misdrawn, join_misdrawn),
        slow_starts=by_team(game.slow_starts, slowest),
        faults=[join_faults([game.faults[seat] for seat in team]) for team in TEAMS] if game.faults else [],
        team_size=1,
    )


def by_team(found: Sequence[Found | None], join: Callable[[list[Found]], Found]) -> list[Found | None]:
    """What was found of players, joined where it was found of both mates; empty if there was nothing to find."""
    pairs = [[one for seat in team if (one := found[seat]) is not None] for team in TEAMS] if found else []
    return [join(known) if known else None for known in pairs]


def last_death(deaths: Sequence[Fate | None]) -> Fate | None:
    known = [death for death in deaths if death is not None]
    return max(known, key=lambda death: death.turn) if len(known) == len(deaths) else None


def join_thinking(thinking: Sequence[ThinkingTime]) -> ThinkingTime:
    later = [each.later for each in thinking]
    known = [each for each in later if each is not None]
    return ThinkingTime(
        sum(each.turns for each in thinking),
        round(sum(each.total_ms for each in thinking), 3),
        max(each.worst_ms for each in thinking),
        late=dict(sum((Counter(each.late) for each in thinking), Counter())),
        beyond_ms=sum(each.beyond_ms for each in thinking),
        depths=sum(each.depths for each in thinking),
        nodes=sum(each.nodes for each in thinking),
        delayed=sum(each.delayed for each in thinking),
        later=None if None in later else (sum(each[0] for each in known), round(sum(each[1] for each in known), 3)),
    )


def join_foresight(found: list[Foresight]) -> Foresight:
    first = next((each.first for each in found if each.first), "")
    return Foresight(sum(each.checked for each in found), sum(each.wrong for each in found), first)


def join_misdrawn(found: list[Misdrawn]) -> Misdrawn:
    return replace(found[0], count=sum(each.count for each in found))


def slowest(found: list[SlowStart]) -> SlowStart:
    return max(found, key=lambda slow: slow.ms)


def join_faults(found: Sequence[dict[str, FaultCount]]) -> dict[str, FaultCount]:
    """By name; the first is that of the earliest turn."""
    joined: dict[str, FaultCount] = {}
    for name in dict.fromkeys(name for faults in found for name in faults):
        same = [faults[name] for faults in found if name in faults]
        first = min(same, key=lambda fault: fault.first_turn)
        joined[name] = replace(first, count=sum(fault.count for fault in same))
    return joined
