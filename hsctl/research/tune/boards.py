"""On which boards candidates meet their opponents.

    the study          generation g of it: as many boards as a trial has, each board only once
    the confirmation   boards of its own, far above

All candidates of a generation play on the same boards, against the same opponents, from the same seats: then luck with
boards doesn't tell them apart. With two players a board is played against every opponent. With more, opponents come
in turn, those first who were met least.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from engine.errors import HsctlError
from hsctl.league.lineups import Block, read_sizes
from hsctl.match.players import FEWEST

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
        raise HsctlError(f"--games {games}: too few to meet each of {opponents} opponents, expected more")
    return Boards(opponents, sizes, boards, total, seed)


def check_confirmation(boards: Boards, most_games: int) -> None:
    """Refuse a confirmation that would not meet every opponent."""
    lap = next(boards.laps())
    needed = len(PAIR) * sum(games_of(groups) for _, groups in lap)
    if 0 < most_games < needed:
        what = "a board takes" if len(lap) == 1 else "to meet every opponent takes"
        raise HsctlError(f"--confirm {most_games}: {what} {needed} games, expected that many or more, or 0")


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
