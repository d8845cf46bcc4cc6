"""A comparison of two players: the score of the new one, block by block, and the sequential test that it feeds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from hsctl.league.intervals import Interval, block_interval
from hsctl.league.sequential import SequentialTest
from hsctl.match.result import Delays, GameResult, SlowStart, delays_of

WIN, DRAW, LOSS = 1.0, 0.5, 0.0  # points
GAMES_A_BLOCK = 2


class LostGame(NamedTuple):
    """A game that a player lost."""

    seed: int
    seating: tuple[int, ...]


def games_lost(games: Iterable[GameResult], player: int) -> list[LostGame]:
    """The games in which a player was not first, in their order."""
    return [
        LostGame(game.seed, game.seating)
        for game in games
        if player in game.seating and game.ranks[game.seating.index(player)] > 1
    ]


class Comparison:
    """All blocks so far. `clock` is None if nobody has one."""

    def __init__(self, names: Sequence[str], test: SequentialTest, most_blocks: int, clock: str | None = None) -> None:
        self.new, self.old = names
        self.clock = clock
        self.test = test
        self.most_blocks = most_blocks
        self.points: list[float] = []  # of the new player, by game
        self.scores: list[float] = []  # the same by block, 0 to 1
        self.delays = Delays()
        self.without_replay = 0  # games
        self.slow_starts: list[list[SlowStart]] = [[], []]  # of each player that is a bot, in games played now
        self.played_now = 0  # games that are not from a ledger
        self.faithful: list[list[int]] = [[], []]  # turns of each player that is a ghost, by game
        self.lost: list[LostGame] = []  # by the new player
        self.faulty: list[GameResult] = []  # games with silent faults

    def add(self, block: Sequence[GameResult]) -> None:
        points = [game.points_of_player(0) for game in block]
        self.points += points
        self.delays += delays_of(block)
        self.without_replay += sum(game.replay is None for game in block)
        self.played_now += sum(game.is_new for game in block)
        self.lost += games_lost(block, 0)
        self.faulty += [game for game in block if any(game.faults)]
        for game in block:
            for player, slow in zip(game.seating, game.slow_starts, strict=False):
                self.slow_starts[player] += [] if slow is None else [slow]
            for player, turns in zip(game.seating, game.faithful_turns, strict=False):
                self.faithful[player] += [] if turns is None else [turns]
        self.scores.append(fmean(points))
        self.test.add(self.scores[-1])

    @property
    def verdict(self) -> str | None:
        """Of the test; None while it is undecided, and if the machine delayed too much for a verdict."""
        return self.test.verdict if self.delays.is_valid else None

    @property
    def games(self) -> int:
        return len(self.points)

    @property
    def wins(self) -> int:
        return self.points.count(WIN)

    @property
    def draws(self) -> int:
        return self.points.count(DRAW)

    @property
    def losses(self) -> int:
        return self.points.count(LOSS)

    @property
    def score(self) -> float | None:
        """The mean of all blocks, 0 to 1; None without any."""
        return fmean(self.scores) if self.scores else None

    @property
    def interval(self) -> Interval | None:
        return block_interval(self.scores, [1] * len(self.scores)) if self.scores else None

    @property
    def faithful_turns(self) -> dict[str, float]:
        """Of those that are ghosts, for how many turns they repeated their record on average."""
        turns = zip((self.new, self.old), self.faithful, strict=True)
        return {name: fmean(each) for name, each in turns if each}

    @property
    def faults(self) -> dict[str, dict[str, int]]:
        """How often each player's answers had which silent fault."""
        counts: dict[str, Counter[str]] = {self.new: Counter(), self.old: Counter()}
        for game in self.faulty:
            for player, faults in zip(game.seating, game.faults, strict=True):
                counts[(self.new, self.old)[player]].update({name: fault.count for name, fault in faults.items()})
        return {name: dict(found) for name, found in counts.items() if found}

    @property
    def is_full(self) -> bool:
        """Whether no more blocks will be played, decided or not."""
        return len(self.scores) >= self.most_blocks


def games_of(blocks: int) -> int:
    return GAMES_A_BLOCK * blocks
