"""A study: generations of candidates, each with its games, until enough were tried.

    Study(...).run(trials, on_game)     plays what the study file lacks; `trials` and `best` grow meanwhile

The player as it was is trial 0, on the boards of the first generation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hsctl.arena.players import read_player
from hsctl.league.games import League
from hsctl.league.ledger import Ledger
from hsctl.league.runner import Runner, run_blocks
from hsctl.stats.standings import Standings
from hsctl.tune.boards import Boards, blocks_of
from hsctl.tune.goal import Goal, goal_of
from hsctl.tune.search import Search
from hsctl.tune.space import Value
from hsctl.tune.subject import Subject

OnGame = Callable[[int], None]  # told how many games are finished


@dataclass(frozen=True)
class Trial:
    """A player that was tried."""

    number: int
    generation: int
    text: str
    values: dict[str, Value]  # empty for the player as it was
    goal: Goal


class Study:
    """What was tried so far. The players of `pool` are the opponents."""

    def __init__(
        self, subject: Subject, pool: League, boards: Boards, ledger: Ledger, runner_of: Callable[[League], Runner]
    ) -> None:
        self.subject = subject
        self.pool = pool
        self.boards = boards
        self.ledger = ledger
        self.runner_of = runner_of
        self.search = Search(subject.space, boards.seed)
        self.trials: list[Trial] = []
        self.games = 0  # of trials
        self.played_now = 0  # those that were not in the study file, of the confirmation too

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

    def generations(self, trials: int) -> int:
        """How many generations have at least so many trials."""
        return -(-trials // self.search.generation_size)

    def games_of(self, trials: int) -> int:
        """How many games they take, at most: candidates that are equal play only once."""
        return (1 + self.generations(trials) * self.search.generation_size) * self.boards.trial_games

    def run(self, trials: int, on_game: OnGame) -> None:
        """Try at least so many candidates, fewer only if the search has shrunk to a point before."""
        for generation in range(self.generations(trials)):
            if self.search.is_finished:
                return
            asked = self.search.ask()
            tried = [(self.subject.write(values), values) for values in asked]
            if generation == 0:
                tried.insert(0, (self.subject.start, {}))
            goals = self.measure(generation, [text for text, _ in tried], on_game)
            for (text, values), goal in zip(tried, goals, strict=True):
                self.trials.append(Trial(len(self.trials), generation, text, values, goal))
            self.search.tell([goal.value for goal in goals[-len(asked) :]])

    def measure(self, generation: int, texts: Sequence[str], on_game: OnGame) -> list[Goal]:
        """Play a generation; equal candidates share their games."""
        unique = list(dict.fromkeys(texts))
        candidates = tuple(read_player(text) for text in unique)
        league = replace(self.pool, players=(*candidates, *self.pool.players))
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
        opponents = range(len(unique), len(league.players))
        goals = {text: goal_of(standings, number, opponents) for number, text in enumerate(unique)}
        return [goals[text] for text in texts]
