"""Is the best better than the player as it was? The sequential test of `compare`, on boards that the study never saw.

Both play every board against the same opponents from the same seats. A lap, the boards until every opponent was met,
counts (1 + gain) / 2, where the gain is that of the new player's scores over the old one's, weighted as in the goal;
the worst opponent is that of the study, named before. With two players every board is a lap. Like in `compare`, 1/2 is
`not better`, and 10 Elo above it, a gain of 2.9 points, surely `better`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from hsctl.league.games import League
from hsctl.league.runner import run_blocks, whole_blocks
from hsctl.league.sequential import BETTER, SequentialTest
from hsctl.league.standings import Standings
from hsctl.match.finished import Delays, FinishedGame
from hsctl.match.players import read_player
from hsctl.research.tune.boards import PAIR, blocks_of
from hsctl.research.tune.study import WORTH, Goal, OnGame, Study, goal_of, weights_of

ELO0, ELO1 = 0.0, 10.0
NEW, OLD = PAIR
NOT_SHOWN = "not shown to be better"
UNDECIDED = "undecided"  # for the machine delayed too much


class Confirmation:
    """All boards so far. The players of the league are the new one, the old one, the opponents."""

    def __init__(self, league: League, worst: int) -> None:
        self.league = league
        self.new, self.old = (player.text for player in league.players[: len(PAIR)])
        self.opponents = range(len(PAIR), len(league.players))
        self.weights = weights_of(len(self.opponents), worst)
        self.test = SequentialTest(ELO0, ELO1)
        self.standings = Standings(league.names)
        self.lap = Standings(league.names)  # what the test has not counted yet
        self.boards = 0

    @property
    def is_needless(self) -> bool:
        """Whether the search ended where it began."""
        return self.new == self.old

    @property
    def delays(self) -> Delays:
        return self.standings.delays

    @property
    def verdict(self) -> str:
        if not self.delays.is_valid:
            return UNDECIDED
        return BETTER if self.test.verdict == BETTER else NOT_SHOWN

    @property
    def games(self) -> int:
        return len(self.standings.games)

    def goal(self, player: int) -> Goal | None:
        """None until every opponent was met."""
        return goal_of(self.standings, player, self.opponents) if self.test.blocks else None

    def add(self, games: Sequence[FinishedGame]) -> None:
        """All games on one board. Weights belong to all opponents, so the test waits until each was met."""
        for game in games:
            self.lap.add(game)
            self.standings.add(game)
        self.boards += 1
        results = np.array(
            [[self.lap.results(player, other).sum(axis=0) for other in self.opponents] for player in PAIR]
        )  # [player, opponent, win draw loss]
        games_with = results.sum(axis=2)  # [player, opponent]
        if not games_with.all():
            return
        scores = results @ WORTH / games_with
        gain = self.weights @ (scores[NEW] - scores[OLD])
        self.test.add(float(np.clip((1 + gain) / 2, 0, 1)))  # weights add up to 1 but for rounding
        self.lap = Standings(self.league.names)


def new_confirmation(study: Study) -> Confirmation:
    """Of the best of a study; the opponent against whom its last generation was worst counts most."""
    last = [trial.goal.scores for trial in study.trials if trial.generation == study.trials[-1].generation]
    pair = (read_player(study.best), read_player(study.subject.start))
    league = replace(study.pool, players=(*pair, *study.pool.players))
    return Confirmation(league, int(np.argmin(np.mean(last, axis=0))))


def confirm(study: Study, confirmation: Confirmation, most_games: int, on_game: OnGame) -> None:
    """Play until the test is sure, or another lap would be too many games; nothing if both players are the same."""
    if confirmation.is_needless:
        return
    boards = [blocks_of([board], len(PAIR)) for board in study.boards.of_confirmation(most_games)]
    league = confirmation.league
    results = run_blocks(league, [each for board in boards for each in board], study.ledger, study.runner_of(league))
    try:
        played = whole_blocks(counted(results, study, on_game))
        for board in boards:
            confirmation.add([game for block in islice(played, len(board)) for game in block])
            if confirmation.test.verdict is not None:
                return
    finally:
        results.close()


def counted(results: Iterator[FinishedGame], study: Study, on_game: OnGame) -> Iterator[FinishedGame]:
    for number, game in enumerate(results, 1):
        study.played_now += game.is_new
        on_game(number)
        yield game
