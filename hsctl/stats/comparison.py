"""A comparison of two players: the score of the first, block by block, and what the sequential test makes of it."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.league.runner import LeagueGame
from hsctl.stats.intervals import block_interval
from hsctl.stats.sequential import SequentialTest

POINTS = {-1: 1.0, 0: 0.5, 1: 0.0}  # by whether the first's rank is below, equal or above the second's
GAMES_A_BLOCK = 2
BAR_WIDTH = 32


class Comparison:
    """All blocks so far."""

    def __init__(self, names: Sequence[str], test: SequentialTest, most_blocks: int) -> None:
        self.first, self.second = names
        self.test = test
        self.most_blocks = most_blocks
        self.points: list[float] = []  # of the first player, by game
        self.scores: list[float] = []  # the same by block, 0 to 1

    def add(self, block: Sequence[LeagueGame]) -> None:
        points = [points_of(game) for game in block]
        self.points += points
        self.scores.append(fmean(points))
        self.test.add(self.scores[-1])

    @property
    def games(self) -> int:
        return len(self.points)

    def view(self) -> RenderableType:
        return Group(*map(Text, [self.describe_score(), self.describe_test(), self.describe_verdict()]))

    def describe_score(self) -> str:
        won, drawn, lost = (self.points.count(points) for points in POINTS.values())
        line = f"{self.first} against {self.second}: {won} won, {drawn} drawn, {lost} lost"
        if not self.scores:
            return line
        low, high = self.interval()
        return f"{line}; score {100 * fmean(self.scores):.1f} % ({100 * low:.1f}–{100 * high:.1f})"

    def interval(self) -> tuple[float, float]:
        return block_interval(self.scores, [1] * len(self.scores))

    def describe_test(self) -> str:
        """`not better -2.94 ────┼──●─ +2.94 better`, the dot where the log likelihood ratio stands."""
        test = self.test
        place = (min(max(test.llr, test.lower), test.upper) - test.lower) / (test.upper - test.lower)
        bar = ["─"] * BAR_WIDTH
        bar[round(-test.lower / (test.upper - test.lower) * (BAR_WIDTH - 1))] = "┼"
        bar[round(place * (BAR_WIDTH - 1))] = "●"
        return f"not better {test.lower:+.2f} {''.join(bar)} {test.upper:+.2f} better, llr {test.llr:+.2f}"

    def describe_verdict(self) -> str:
        if self.test.verdict is not None:
            return f"{self.first} is {self.test.verdict} than {self.second}"
        left = self.test.forecast()
        if len(self.scores) >= self.most_blocks:
            return f"undecided after {self.games} games" + (
                "" if left is None else f"; about {games_of(left)} more would tell"
            )
        return "too few games for a forecast" if left is None else f"undecided yet; about {games_of(left)} games left"

    def record(self) -> dict[str, Any]:
        test, left = self.test, self.test.forecast()
        return {
            "first": self.first,
            "second": self.second,
            "verdict": test.verdict or "undecided",
            "games": self.games,
            "wins": self.points.count(1.0),
            "draws": self.points.count(0.5),
            "losses": self.points.count(0.0),
            "score": round(fmean(self.scores), 4) if self.scores else None,
            "interval": [round(end, 4) for end in self.interval()] if self.scores else None,
            "llr": round(test.llr, 4),
            "lower": round(test.lower, 4),
            "upper": round(test.upper, 4),
            "games_left": None if left is None else games_of(left),
        }


def games_of(blocks: int) -> int:
    return GAMES_A_BLOCK * blocks


def points_of(game: LeagueGame) -> float:
    """Of player 0 against player 1."""
    ranks = game.row.outcome.ranks
    mine, theirs = ranks[game.seating.index(0)], ranks[game.seating.index(1)]
    return POINTS[(mine > theirs) - (mine < theirs)]
