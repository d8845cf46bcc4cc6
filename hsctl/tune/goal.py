"""The goal of a candidate: half its mean score against all opponents, half its score against the worst of them.

    score   of the games with an opponent: a win 1, a draw 1/2; with more than two players, ranked above or level
    goal    = 1/2 · mean of the scores + 1/2 · the lowest of them,  so = Σ weight · score

The interval is that of blocks (stats/intervals.py): each board gives one value, what it says of the weighted sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hsctl.stats.intervals import Interval, block_interval
from hsctl.stats.standings import Standings

WORTH = np.array([1.0, 0.5, 0.0])  # of a win, a draw, a loss


@dataclass(frozen=True)
class Goal:
    """What games said of a player."""

    scores: list[float]  # against each opponent
    value: float
    interval: Interval
    games: int

    @property
    def worst(self) -> int:
        """The number of the opponent with the lowest score."""
        return int(np.argmin(self.scores))

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores))


def weights_of(opponents: int, worst: int) -> np.ndarray:
    """How much the score against each opponent counts."""
    weights = np.full(opponents, 0.5 / opponents)
    weights[worst] += 0.5
    return weights


def goal_of(standings: Standings, player: int, opponents: Sequence[int]) -> Goal:
    """Of a player who met each of these opponents at least once."""
    results = np.array([standings.results(player, other) for other in opponents])  # [opponent, board, win draw loss]
    points, games = results @ WORTH, results.sum(axis=2)  # [opponent, board]
    is_played = games.sum(axis=0) > 0
    points, games = points[:, is_played], games[:, is_played]
    totals = games.sum(axis=1)
    scores = points.sum(axis=1) / totals
    weights = weights_of(len(opponents), int(np.argmin(scores)))
    value = float(weights @ scores)
    boards = points.shape[1]
    surplus = weights @ ((points - scores[:, None] * games) / totals[:, None])  # [board]
    interval = block_interval((value + boards * surplus).tolist(), [1] * boards)
    return Goal(scores.tolist(), value, interval, standings.players[player].games)
