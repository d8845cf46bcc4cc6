"""The standings of a league: what its games say of each player, of each pair, and of all together as ratings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hsctl.league.runner import LeagueGame
from hsctl.stats.intervals import Share, share_of
from hsctl.stats.rating import Rating, rate

WIN, DRAW, LOSS = 0, 1, 2


@dataclass
class PlayerStanding:
    """What one player did in all his games."""

    name: str
    seeds: list[int] = field(default_factory=list)  # of each game, as ranks and boxes
    ranks: list[int] = field(default_factory=list)
    wins: int = 0  # first alone
    draws: int = 0  # first with others
    places: dict[int, dict[int, Counter[int]]] = field(default_factory=dict)  # number of players -> seed -> place
    boxes: list[int] = field(default_factory=list)
    bombs: int = 0
    turns: int = 0  # answered
    deaths: Counter[str] = field(default_factory=Counter)  # by cause
    errors: Counter[str] = field(default_factory=Counter)  # by kind of failure
    total_ms: float = 0.0
    worst_ms: float = 0.0

    @property
    def games(self) -> int:
        return len(self.ranks)

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws

    @property
    def bombs_a_turn(self) -> float | None:
        return self.bombs / self.turns if self.turns else None

    @property
    def mean_ms(self) -> float | None:
        return self.total_ms / self.turns if self.turns else None

    def share_of_place(self, size: int, place: int) -> Share | None:
        """How often he took this place in games of so many players; None if he played none."""
        blocks = list(self.places.get(size, {}).values())
        return share_of([block[place] for block in blocks], [block.total() for block in blocks])

    def add(self, game: LeagueGame, seat: int) -> None:
        outcome = game.row.outcome
        rank = outcome.ranks[seat]
        self.seeds.append(game.block.seed)
        self.ranks.append(rank)
        self.wins += rank == 1 and outcome.ranks.count(1) == 1
        self.draws += rank == 1 and outcome.ranks.count(1) > 1
        self.places.setdefault(len(outcome.ranks), {}).setdefault(game.block.seed, Counter())[rank] += 1
        self.boxes.append(outcome.boxes[seat])
        self.bombs += outcome.bombs[seat]
        thinking, fate = outcome.thinking[seat], outcome.deaths[seat]
        self.turns += thinking.turns
        self.total_ms += thinking.total_ms
        self.worst_ms = max(self.worst_ms, thinking.worst_ms)
        if fate is not None:
            self.deaths[fate.cause] += 1
            if fate.failure:
                self.errors[fate.failure] += 1


@dataclass(frozen=True)
class Meetings:
    """How often one player was ranked above another, level and below, over all games of both."""

    wins: int
    draws: int
    losses: int
    share: Share  # of wins


class Standings:
    """All players of a league. A player's number is his place in `names`."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.players = [PlayerStanding(name) for name in names]
        self.games: list[LeagueGame] = []
        self._seeds: dict[int, np.ndarray] = {}  # seed -> [row, column, win or draw or loss] of games

    def add(self, game: LeagueGame) -> None:
        self.games.append(game)
        count = len(self.names)
        results = self._seeds.setdefault(game.block.seed, np.zeros((count, count, 3), np.int64))
        ranks = game.row.outcome.ranks
        for seat, player in enumerate(game.seating):
            self.players[player].add(game, seat)
            for other_seat, other in enumerate(game.seating):
                if other != player:
                    result = int(np.sign(ranks[seat] - ranks[other_seat])) + 1
                    results[player, other, result] += 1

    def in_order(self) -> list[LeagueGame]:
        """The games block by block, whichever finished first."""
        return sorted(self.games, key=lambda game: (game.number, game.rotation))

    def meetings(self, row: int, column: int) -> Meetings | None:
        """None if the two never met."""
        share = self.share(row, column, (1, 0, 0))
        if share is None:
            return None
        wins, draws, losses = self._results(row, column).sum(axis=0).tolist()
        return Meetings(wins, draws, losses, share)

    def share(self, row: int, column: int, worth: tuple[float, float, float]) -> Share | None:
        """The row's share against the column, a win, a draw, a loss counting so much; None if they never met."""
        blocks = self._results(row, column)
        return share_of((blocks @ worth).tolist(), blocks.sum(axis=1).tolist())

    def _results(self, row: int, column: int) -> np.ndarray:
        """Of each seed on which the two met: wins, draws, losses."""
        blocks = np.array([results[row, column] for results in self._seeds.values()]).reshape(-1, 3)
        return blocks[blocks.sum(axis=1) > 0]

    def ratings(self) -> list[Rating]:
        """By seed: games on one board are not independent, whoever played them."""
        points = [results[:, :, WIN] + results[:, :, DRAW] / 2 for results in self._seeds.values()]
        return rate(self.names, points)

    @property
    def sizes(self) -> list[int]:
        """The numbers of players that games had."""
        return sorted({size for player in self.players for size in player.places})
