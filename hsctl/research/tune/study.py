"""A study: generations of candidates play, then the best is confirmed on boards that the search never saw.

    Study(...).try_candidates(trials, on_game)    plays what the study file lacks; `trials` and `best` grow meanwhile
    confirm_best(study, confirmation, ...)        the sequential test of `compare`, between the best and the start

The unchanged player is trial 0, on the boards of the first generation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from random import Random
from typing import Any

import numpy as np

from engine.errors import HsctlError
from hsctl.budget import clock_of
from hsctl.league.comparison import BETTER, SequentialTest
from hsctl.league.games import Block, League, read_sizes
from hsctl.league.intervals import Interval, block_interval
from hsctl.league.ledger import Ledger
from hsctl.league.runner import Runner, run_blocks, whole_blocks
from hsctl.league.standings import Standings
from hsctl.match.players import FEWEST, read_player
from hsctl.match.result import Delays, GameResult
from hsctl.research.tune.subject import TunedParameter, TunedPlayer, Value

# Boards: where candidates meet their opponents.
#
#     the study          generation g of it: as many boards as a trial has, each board only once
#     the confirmation   other boards, far above
#
# All candidates of a generation play on the same boards, against the same opponents, from the same seats, so that luck
# with boards does not separate them. With two players a board is played against every opponent. With more, opponents
# take turns, those met least first.


FIRST_SEED = 1_000_000  # not where leagues and comparisons begin, so that those are played on other boards
APART = 1_000_000_000  # from the boards of a study to those of its confirmation

PAIR = (0, 1)  # the numbers of the new player and the old one in a confirmation

Groups = list[tuple[int, ...]]  # the opponents of the games on one board, by number


@dataclass(frozen=True)
class Boards:
    """Where a study plays: the boards of a trial are as many as its games need."""

    opponents: int
    sizes: tuple[int, ...]  # of a game, in turn
    trial_boards: int
    trial_games: int
    seed: int

    def of_generation(self, generation: int) -> list[tuple[int, Groups]]:
        """Seeds and opponents of each trial in it."""
        first = self.seed + generation * self.trial_boards
        return list(islice(self.endless(first), self.trial_boards))

    def of_confirmation(self, most_games: int) -> Iterator[tuple[int, Groups]]:
        """As many whole laps as there are games for: both players play each board."""
        games = 0
        for lap in self.laps():
            games += len(PAIR) * sum(games_of(groups) for _, groups in lap)
            if games > most_games:
                return
            yield from lap

    def laps(self) -> Iterator[list[tuple[int, Groups]]]:
        """The boards of the confirmation, without end; each list of them ends as soon as it met every opponent."""
        lap: list[tuple[int, Groups]] = []
        for board in self.endless(self.seed + APART):
            lap.append(board)
            if len({opponent for _, groups in lap for group in groups for opponent in group}) == self.opponents:
                yield lap
                lap = []

    def endless(self, first: int) -> Iterator[tuple[int, Groups]]:
        groups = groups_in_turn(self.opponents, self.sizes, first)
        return ((first + number, each) for number, each in enumerate(groups))


def check_trials(trials: int, generation_size: int) -> None:
    """Refuse fewer trials than the search learns from."""
    if trials < generation_size:
        raise HsctlError(f"--trials {trials}: too few, one generation of this search has {generation_size}")


def plan_boards(opponents: int, size: str, games: int, seed: int) -> Boards:
    """As many boards as `games` need: against each opponent, or in all if more than two sit in a game."""
    sizes = tuple(read_sizes(size, opponents + 1))
    met: set[int] = set()
    boards = played = total = 0
    for groups in groups_in_turn(opponents, sizes, seed):
        if played >= games:
            break
        boards += 1
        total += games_of(groups)
        played += FEWEST if sizes == (FEWEST,) else total - played
        met.update(opponent for group in groups for opponent in group)
    if len(met) < opponents:
        raise HsctlError(f"--games {games}: too few to meet each of {opponents} opponents: give more")
    return Boards(opponents, sizes, boards, total, seed)


def check_confirmation(boards: Boards, most_games: int) -> None:
    """Refuse a confirmation that would not meet every opponent."""
    lap = next(boards.laps())
    needed = len(PAIR) * sum(games_of(groups) for _, groups in lap)
    if 0 < most_games < needed:
        what = "a board takes" if len(lap) == 1 else "to meet every opponent takes"
        raise HsctlError(f"--confirm {most_games}: {what} {needed} games: give that many or more, or 0")


def games_of(groups: Groups) -> int:
    """Of one player on a board: from every seat."""
    return sum(len(group) + 1 for group in groups)


def groups_in_turn(opponents: int, sizes: Sequence[int], seed: int) -> Iterator[Groups]:
    """The opponents on one board after the other, without end."""
    if tuple(sizes) == (FEWEST,):
        yield from cycle([[(opponent,) for opponent in range(opponents)]])
    random = Random(seed)
    met = [0] * opponents
    for size in cycle(sizes):
        in_turn = sorted(range(opponents), key=lambda opponent: (met[opponent], random.random()))
        group = tuple(in_turn[: size - 1])
        for opponent in group:
            met[opponent] += 1
        yield [group]


def blocks_of(boards: Sequence[tuple[int, Groups]], candidates: int) -> list[Block]:
    """Every candidate on every board; candidates are numbered first, then the opponents."""
    return [
        Block(seed, (candidate, *(candidates + opponent for opponent in group)))
        for seed, groups in boards
        for group in groups
        for candidate in range(candidates)
    ]


# The goal of a candidate: half its mean score against all opponents, half its score against the worst of them.
#
#     score   of the games with an opponent: a win 1, a draw 1/2; with more than two players, ranked above or level
#     goal    = 1/2 · mean of the scores + 1/2 · the lowest of them,  so = Σ weight · score
#
# The interval is that of blocks (stats/intervals.py): each board gives one value, what it says of the weighted sum.


WORTH = np.array([1.0, 0.5, 0.0])  # of a win, a draw, a loss


@dataclass(frozen=True)
class TrialGoal:
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


def goal_of(standings: Standings, player: int, opponents: Sequence[int]) -> TrialGoal:
    """Of a player that met each of these opponents at least once."""
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
    return TrialGoal(scores.tolist(), value, interval, standings.players[player].games)


# The search for better values: CMA-ES, a cloud of candidates that moves to where the better half of them lies.
#
#     ask    a generation of candidates around the centre
#     tell   their goals; only their order counts, so noise does little harm while it is fair to all of them
#
# Generations are twice as large as usual for CMA-ES, which helps against noise. The answer is the centre of the cloud,
# not the luckiest candidate: docs/lab/evidence.md has the comparison behind both. Switches and small ranges of
# whole numbers keep a margin, so that the cloud never loses one of them by chance. The same seed and goals lead to the
# same candidates.


LARGER = 2  # than the usual size of a generation
SEED_BITS = 32  # of numpy's
FEWEST_AXES = 2  # of CMA-ES
IDLE = (-5.0, 5.0)  # ends of an axis that means nothing


class Search:
    """A search in a space, maximising."""

    def __init__(self, space: Sequence[TunedParameter], seed: int) -> None:
        self.space = space
        idle = max(0, FEWEST_AXES - len(space))
        ends = [*(each.ends for each in space), *[IDLE] * idle]
        grid = [*(each.grid for each in space), *[0.0] * idle]
        self._cloud = new_cloud(np.array(ends), np.array(grid), seed % (1 << SEED_BITS))
        self._asked: list[Any] = []  # the last generation, in the form that the cloud takes

    @property
    def generation_size(self) -> int:
        return int(self._cloud.population_size)

    @property
    def is_finished(self) -> bool:
        """Whether the cloud has shrunk to a point."""
        return bool(self._cloud.should_stop())

    def ask(self) -> list[dict[str, Value]]:
        """The values of the next generation."""
        points = [self._cloud.ask() for _ in range(self.generation_size)]
        self._asked = [raw for _, raw in points]
        return [self._values(shown) for shown, _ in points]

    def tell(self, goals: Sequence[float]) -> None:
        """The goals of the last generation, in its order."""
        self._cloud.tell([(raw, -goal) for raw, goal in zip(self._asked, goals, strict=True)])

    @property
    def centre(self) -> dict[str, Value]:
        """What the search holds for the best by now."""
        return self._values(self._cloud.mean)

    def _values(self, point: Sequence[float]) -> dict[str, Value]:
        return {each.name: each.value(float(at)) for each, at in zip(self.space, point, strict=False)}


def new_cloud(ends: np.ndarray, grid: np.ndarray, seed: int) -> Any:
    """Around 0, its first step 1 along every axis."""
    try:
        from cmaes import CMAwM
    except ImportError:
        raise HsctlError("tune needs cmaes: pip install 'hsctl[tune]'") from None
    axes = len(ends)
    size = LARGER * (4 + int(3 * np.log(axes)))
    return CMAwM(np.zeros(axes), 1.0, ends, grid, seed=seed, population_size=size)


OnGame = Callable[[int], None]  # called with the number of finished games
WON, LOST = "won", "lost"


@dataclass(frozen=True)
class Trial:
    """A player that was tried."""

    number: int
    generation: int
    text: str
    values: dict[str, Value]  # empty for the player as it was
    goal: TrialGoal


class Study:
    """What was tried so far. The players of `pool` are the opponents."""

    def __init__(
        self, subject: TunedPlayer, pool: League, boards: Boards, ledger: Ledger, runner_of: Callable[[League], Runner]
    ) -> None:
        self.subject = subject
        self.pool = pool
        self.boards = boards
        self.ledger = ledger
        self.runner_of = runner_of
        self.search = Search(subject.space, boards.seed)
        self.trials: list[Trial] = []
        self.games = 0  # of trials
        self.delays = Delays()  # in them
        self.played_now = 0  # those that were not in the study file, of the confirmation too

    @property
    def clock(self) -> str | None:
        """By which players think; None if nodes limit all of them."""
        return clock_of(
            [read_player(self.subject.start).spec, *(one.spec for one in self.pool.players)], self.pool.limits
        )

    @property
    def start(self) -> Trial:
        return self.trials[0]

    @property
    def ranked(self) -> list[Trial]:
        return sorted(self.trials, key=lambda trial: -trial.goal.value)

    @property
    def best(self) -> str:
        """What the search holds for the best player: the centre of its cloud, whether it was tried or not."""
        return self.subject.write(self.search.centre)

    @property
    def one_sided(self) -> str:
        """WON or LOST if every candidate won, or lost, every game: then nothing tells them apart. Else empty."""
        goals = {trial.goal.value for trial in self.trials}
        return WON if goals == {1.0} else LOST if goals == {0.0} else ""

    def games_of(self, trials: int) -> int:
        """How many games they take, at most: candidates that are equal play only once."""
        return (1 + trials) * self.boards.trial_games

    def try_candidates(self, trials: int, on_game: OnGame, on_generation: Callable[[], None] = lambda: None) -> None:
        """Try so many candidates; fewer if the search has shrunk to a point, or if one opponent is hopeless.

        The last generation is cut to the number of trials. The search learns only from whole ones.
        """
        for generation, first in enumerate(range(0, trials, self.search.generation_size)):
            if self.search.is_finished or self.one_sided:
                return
            whole = self.search.ask()
            asked = whole[: trials - first]
            tried = [(self.subject.write(values), values) for values in asked]
            if generation == 0:
                tried.insert(0, (self.subject.start, {}))
            goals = self.measure(generation, [text for text, _ in tried], on_game)
            for (text, values), goal in zip(tried, goals, strict=True):
                self.trials.append(Trial(len(self.trials), generation, text, values, goal))
            if len(asked) == len(whole):
                self.search.tell([goal.value for goal in goals[-len(asked) :]])
            on_generation()

    def measure(self, generation: int, texts: Sequence[str], on_game: OnGame) -> list[TrialGoal]:
        """Play a generation; equal candidates share their games."""
        unique = list(dict.fromkeys(texts))
        candidates = tuple(read_player(text) for text in unique)
        # Games that it has stand, or a study that is resumed would become another one.
        league = replace(self.pool, players=(*candidates, *self.pool.players), replaces_delayed=False)
        blocks = blocks_of(self.boards.of_generation(generation), len(unique))
        standings = Standings(league.names)
        results = run_blocks(league, blocks, self.ledger, self.runner_of(league))
        try:
            for game in results:
                standings.add(game)
                self.games += 1
                self.played_now += game.is_new
                on_game(self.games)
        finally:
            results.close()
        self.delays += standings.delays
        opponents = range(len(unique), len(league.players))
        goals = {text: goal_of(standings, number, opponents) for number, text in enumerate(unique)}
        return [goals[text] for text in texts]


# Confirmation: is the best better than the unchanged player? The sequential test of `compare`.
#
# Both play every board against the same opponents from the same seats. A lap, the boards until every opponent was met,
# counts (1 + gain) / 2. The gain is that of the new player's scores over the old one's, weighted as in the goal; the
# worst opponent is that of the study, fixed beforehand. With two players every board is a lap. As in `compare`, 1/2 is
# `not better`, and 10 Elo above it, a gain of 2.9 points, is surely `better`.


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

    def goal(self, player: int) -> TrialGoal | None:
        """None until every opponent was met."""
        return goal_of(self.standings, player, self.opponents) if self.test.blocks else None

    def add(self, games: Sequence[GameResult]) -> None:
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


def confirm_best(study: Study, confirmation: Confirmation, most_games: int, on_game: OnGame) -> None:
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


def counted(results: Iterator[GameResult], study: Study, on_game: OnGame) -> Iterator[GameResult]:
    for number, game in enumerate(results, 1):
        study.played_now += game.is_new
        on_game(number)
        yield game
