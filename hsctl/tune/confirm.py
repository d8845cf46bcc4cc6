"""Is the best better than the player as it was? The sequential test of `compare`, on boards that the study never saw.

Both play every board against the same opponents from the same seats. A board counts (1 + gain) / 2, where the gain is
that of the new player's scores over the old one's, weighted as in the goal; the worst opponent is that of the study,
named before. Like in `compare`, 1/2 is `not better`, and 10 Elo above it, a gain of 2.9 points, surely `better`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from hsctl.arena.finished import FinishedGame
from hsctl.arena.players import read_player
from hsctl.league.games import League
from hsctl.league.lineups import Block
from hsctl.league.runner import run_blocks, whole_blocks
from hsctl.stats.sequential import BETTER, SequentialTest
from hsctl.stats.standings import Standings
from hsctl.tune.boards import blocks_of
from hsctl.tune.goal import WORTH, Goal, goal_of, weights_of
from hsctl.tune.study import OnGame, Study

ELO0, ELO1 = 0.0, 10.0
NEW, OLD = PAIR = (0, 1)  # their numbers; then come the opponents
NOT_SHOWN = "not shown to be better"


@dataclass
class Confirmation:
    """All boards so far."""

    league: League  # the new player, the old one, the opponents
    worst: int  # the opponent that counts most
    most_games: int

    def __post_init__(self) -> None:
        self.test = SequentialTest(ELO0, ELO1)
        self.standings = Standings(self.league.names)
        self.gains: list[float] = []  # by board

    @property
    def new(self) -> str:
        return self.league.players[NEW].text

    @property
    def old(self) -> str:
        return self.league.players[OLD].text

    @property
    def games(self) -> int:
        return len(self.standings.games)

    @property
    def verdict(self) -> str:
        return BETTER if self.test.verdict == BETTER else NOT_SHOWN

    def goal(self, player: int) -> Goal:
        return goal_of(self.standings, player, self.opponents)

    @property
    def opponents(self) -> range:
        return range(len(PAIR), len(self.league.players))

    def add(self, games: Sequence[FinishedGame]) -> None:
        """All games on one board."""
        on_board = Standings(self.league.names)
        for game in games:
            on_board.add(game)
            self.standings.add(game)
        weights = weights_of(len(self.opponents), self.worst)
        met = [at for at, opponent in enumerate(self.opponents) if on_board.results(NEW, opponent).any()]
        gains = [score_of(on_board, NEW, met_at) - score_of(on_board, OLD, met_at) for met_at in map(self.number, met)]
        self.gains.append(float(weights[met] @ gains / weights[met].sum()))
        self.test.add((1 + self.gains[-1]) / 2)

    def number(self, opponent: int) -> int:
        return self.opponents[opponent]


def score_of(standings: Standings, player: int, other: int) -> float:
    results = standings.results(player, other).sum(axis=0)
    return float(results @ WORTH / results.sum())


def new_confirmation(study: Study, most_games: int) -> Confirmation:
    """Of the best of a study; the opponent against which its last generation was worst counts most."""
    last = [trial.goal.scores for trial in study.trials if trial.generation == study.trials[-1].generation]
    means = [sum(scores) for scores in zip(*last, strict=True)]
    pair = (read_player(study.best), read_player(study.subject.start))
    league = replace(study.pool, players=(*pair, *study.pool.players))
    return Confirmation(league, means.index(min(means)), most_games)


def confirm(study: Study, confirmation: Confirmation, on_game: OnGame) -> None:
    """Play until the test is sure, or there were too many games; nothing if both players are the same."""
    if confirmation.new == confirmation.old:
        return
    boards = [blocks_of([board], len(PAIR)) for board in take_boards(study, confirmation.most_games)]
    blocks = [block for board in boards for block in board]
    league, ledger = confirmation.league, study.ledger
    results = run_blocks(league, blocks, ledger, study.runner_of(league))
    try:
        played = whole_blocks(counted(results, study, on_game))
        for board in boards:
            confirmation.add([game for block in islice(played, len(board)) for game in block])
            if confirmation.test.verdict is not None:
                return
    finally:
        results.close()


def take_boards(study: Study, most_games: int) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Boards for so many games at most."""
    games = 0
    for board in study.boards.of_confirmation():
        games += games_of(blocks_of([board], len(PAIR)))
        if games > most_games:
            return
        yield board


def games_of(blocks: Sequence[Block]) -> int:
    return sum(len(block.lineup) for block in blocks)


def counted(results: Iterator[FinishedGame], study: Study, on_game: OnGame) -> Iterator[FinishedGame]:
    for game in results:
        study.games += 1
        study.played_now += game.is_new
        on_game(study.games)
        yield game
