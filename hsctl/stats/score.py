"""The score of a series: what its games say of each player, counted game by game."""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from hsctl.league.series import GameResult
from replays.events import Death

OWN, OTHERS, BOTH, ERROR = "own", "others", "both", "error"  # whose bombs killed him, or his own error did
CAUSES = (OWN, OTHERS, BOTH, ERROR)


def cause_of(death: Death) -> str:
    if death.failure:
        return ERROR
    if death.player not in death.owners:
        return OTHERS
    return OWN if death.owners == (death.player,) else BOTH


@dataclass
class PlayerScore:
    """What one player did in all his games."""

    name: str
    seeds: list[int] = field(default_factory=list)  # of each game, as all lists here
    ranks: list[int] = field(default_factory=list)
    boxes: list[int] = field(default_factory=list)
    bombs: list[int] = field(default_factory=list)
    won: list[bool] = field(default_factory=list)  # first alone, or with the mate
    drawn: list[bool] = field(default_factory=list)  # first with others
    died: list[bool] = field(default_factory=list)
    deaths: Counter[str] = field(default_factory=Counter)  # by cause
    errors: Counter[str] = field(default_factory=Counter)  # by kind of failure
    times_ms: array = field(default_factory=lambda: array("f"))

    @property
    def games(self) -> int:
        return len(self.ranks)

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
        return sum(self.lost)

    def add(self, result: GameResult, seat: int) -> None:
        rank = result.ranks[seat]
        self.seeds.append(result.seed)
        self.ranks.append(rank)
        self.boxes.append(result.boxes[seat])
        self.bombs.append(result.bombs[seat])
        self.won.append(rank == 1 and not result.is_drawn)
        self.drawn.append(rank == 1 and result.is_drawn)
        self.died.append(seat in result.deaths)
        self.times_ms.extend(result.times_ms[seat])
        if seat in result.deaths:
            _, death = result.deaths[seat]
            self.deaths[cause_of(death)] += 1
            if death.failure:
                self.errors[death.failure] += 1


class Score:
    """All players of a series."""

    def __init__(self, names: Sequence[str]) -> None:
        self.players = [PlayerScore(name) for name in names]
        self.games: list[GameResult] = []

    def add(self, result: GameResult) -> None:
        self.games.append(result)
        for seat, player in enumerate(result.seating):
            self.players[player].add(result, seat)

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    def in_order(self) -> list[GameResult]:
        """The games as they were numbered, whichever finished first."""
        return sorted(self.games, key=lambda result: result.number)
