"""The games of a league: who meets whom on which board, and who sits where.

A block is one seed, one line-up, all seat rotations: game r of a block of k players is rotated by r.

    k = 3    rotation 0    A B C           player j of the line-up sits in seat (j + rotation) % k
             rotation 1    C A B
             rotation 2    B C A

Teams A+B and C+D swap seats among themselves and with each other: A B C D, C D A B, B A D C, D C B A.

    two players          every pair plays the same seeds, so adding a player adds only that player's games
    three, four          a line-up per seed, drawn so that every pair meets equally often
    mixed                the same with two, three and four players in turn
    gauntlet             of all these, the line-ups with the first player in them

Drawn line-ups go round by round: a round has every line-up once, in an order that depends on the first seed and keeps
the meetings of all pairs as equal as it can on the way. At the end of a round they are equal.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, count, cycle, islice
from pathlib import Path
from random import Random

import numpy as np

from engine.errors import HsctlError
from engine.game import ARENA
from engine.variants import MATES
from hsctl.budget import clock_of
from hsctl.files import read_text
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.identity import SeatIdentity, seat_identities_of
from hsctl.match.players import FEWEST, MOST, PlayerText, names_of, read_player, read_teams, team_names
from hsctl.match.runner import GameTask, agents_among
from replays.replay import ClockName, Limits, Start

TEAM_SEATINGS = ((0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0))  # [rotation, seat]
SEED = 1  # of a league's first board; fixed, so that the same command means the same games
SEED_BITS = 63
MIXED = "mixed"
SIZES = [*(str(size) for size in range(FEWEST, MOST + 1)), MIXED]


@dataclass(frozen=True)
class League:
    """The players, and what all games have in common."""

    players: tuple[PlayerText, ...]
    limits: Limits
    folder: Path | None = None  # for the replays; None: they are not saved
    bot_limits: BotLimits = ORDINARY  # of external bots
    is_teamed: bool = False  # players 0 and 1 are a team, 2 and 3, ...
    start: Start | None = None  # None: the board of each seed
    ends: str = ARENA  # when games end and what they rank by
    retries_delayed: bool = True  # games that the machine delayed are played again
    replaces_delayed: bool = True  # even those that a ledger has
    is_rotated: bool = True  # every board is played from all seats, not only as the line-up says

    @property
    def agents(self) -> list[str]:
        """Those among the players, by name."""
        return agents_among(self.players)

    @property
    def clock(self) -> ClockName | None:
        """By which players think: wall or cpu; None if nodes limit all of them."""
        return clock_of([player.spec for player in self.players], self.limits)

    @property
    def team_size(self) -> int:
        return MATES if self.is_teamed else 1

    @cached_property
    def seat_identities(self) -> list[SeatIdentity]:
        return seat_identities_of(self.players, self.team_size, self.bot_limits)

    @property
    def names(self) -> list[str]:
        """Of those that are rated: players, or teams."""
        return team_names(self.players) if self.is_teamed else names_of(self.players)


@dataclass(frozen=True)
class Block:
    """One seed; `lineup` holds the numbers of the players, the first in seat 0 of the first rotation."""

    seed: int
    lineup: tuple[int, ...]


def read_league(texts: Sequence[str], is_teamed: bool = False) -> list[PlayerText]:
    """Check all players, or teams, before anything starts; there may be more than fit in one game."""
    if len(texts) < FEWEST:
        what = "team" if is_teamed else "player"
        raise HsctlError(f"{len(texts)} {what if len(texts) == 1 else f'{what}s'}: name {FEWEST} or more")
    return read_teams(texts) if is_teamed else [read_player(text) for text in texts]


def tasks_of(league: League, block_number: int, block: Block) -> list[GameTask]:
    """The games of a block, one for each rotation, for no ledger."""
    rotations = len(block.lineup) if league.is_rotated else 1
    return [task_of(league, block_number, block, rotation) for rotation in range(rotations)]


def task_of(league: League, block_number: int, block: Block, rotation: int) -> GameTask:
    """One game of a block."""
    seating = seating_of(block.lineup, rotation, league.is_teamed)
    return GameTask(
        tuple(league.players[player] for player in seating),
        league.limits,
        block.seed,
        league.bot_limits,
        league.folder,
        league.start,
        league.ends,
        league.is_teamed,
        league.retries_delayed,
        seating=seating,
        block_number=block_number,
        rotation=rotation,
    )


def seating_of(lineup: tuple[int, ...], rotation: int, is_teamed: bool) -> tuple[int, ...]:
    """The number of the player in each seat."""
    if is_teamed:
        return tuple(lineup[at] for at in TEAM_SEATINGS[rotation])
    return tuple(lineup[(seat - rotation) % len(lineup)] for seat in range(len(lineup)))


def series_tasks(league: League, seed: int, games: int) -> list[GameTask]:
    """A series: games of all players together, seed by seed; the last block may be cut short."""
    lineup = tuple(range(len(league.players)))
    blocks = [Block(seed + number, lineup) for number in range(-(-games // len(lineup)))]
    tasks = [task for number, block in enumerate(blocks) for task in tasks_of(league, number, block)]
    return tasks[:games]


# Blocks


def league_blocks(
    players: int, size: str, seeds: Sequence[int] | int, games: int, is_gauntlet: bool = False
) -> list[Block]:
    """All blocks of a league: `games` of each pair, or in all if more than two sit in a game; no block is cut short.

    `seeds` are those to play, or the first of as many as it takes. In a gauntlet player 0 is in all games.
    """
    sizes = read_sizes(size, players)
    if sizes == [FEWEST]:
        needed = -(-games // FEWEST)
        pairs = [pair for pair in combinations(range(players), FEWEST) if not is_gauntlet or 0 in pair]
        return [Block(seed, pair) for seed in take_seeds(seeds, needed) for pair in pairs]
    blocks: list[Block] = []
    played = 0
    drawn = drawn_lineups(players, sizes, first_of(seeds))
    lineups = (lineup for lineup in drawn if not is_gauntlet or 0 in lineup)
    for seed, lineup in zip(endless(seeds), lineups, strict=False):
        if played >= games:
            return blocks
        blocks.append(Block(seed, lineup))
        played += len(lineup)
    if played < games:
        raise HsctlError(f"{len(blocks)} seeds make {played} games; give enough seeds for {games}")
    return blocks


def team_blocks(teams: int, seeds: Sequence[int] | int, games: int) -> list[Block]:
    """All blocks of a league of teams: every pair of them on the same seeds, at least `games` of each pair.

    Team t has the players 2 t and 2 t + 1.
    """
    needed = -(-games // MOST)
    pairs = [(2 * a, 2 * a + 1, 2 * b, 2 * b + 1) for a, b in combinations(range(teams), 2)]
    return [Block(seed, pair) for seed in take_seeds(seeds, needed) for pair in pairs]


def pair_blocks(seeds: Sequence[int] | int) -> Iterator[Block]:
    """Two players, seed by seed, while there are any."""
    return (Block(seed, (0, 1)) for seed in endless(seeds))


def read_sizes(size: str, players: int) -> list[int]:
    """How many players sit in a game, size by size."""
    if size not in SIZES:
        raise HsctlError(f"--players {size}: choose one of {', '.join(SIZES)}")
    if size == MIXED:
        return [each for each in range(FEWEST, MOST + 1) if each <= players]
    if players < int(size):
        raise HsctlError(f"--players {size}: only {players} players are named")
    return [int(size)]


def drawn_lineups(players: int, sizes: Sequence[int], seed: int) -> Iterator[tuple[int, ...]]:
    """Line-ups without end; each size has its own rounds."""
    random = Random(seed)
    draws = [drawn_rounds(players, size, random) for size in sizes]
    return (next(draw) for draw in cycle(draws))


def drawn_rounds(players: int, size: int, random: Random) -> Iterator[tuple[int, ...]]:
    lineups = list(combinations(range(players), size))
    pairs = {pair: at for at, pair in enumerate(combinations(range(players), 2))}
    pairs_of = np.array([[pairs[pair] for pair in combinations(lineup, 2)] for lineup in lineups])  # [line-up, meeting]
    return chain.from_iterable(drawn_round(lineups, pairs_of, len(pairs), random) for _ in count())


def drawn_round(
    lineups: list[tuple[int, ...]], pairs_of: np.ndarray, pairs: int, random: Random
) -> Iterator[tuple[int, ...]]:
    """Every line-up once: next always one whose pairs have met least, seated in any order."""
    met = np.zeros(pairs, np.int64)
    waiting = np.ones(len(lineups), bool)
    for _ in lineups:
        often = np.where(waiting, met[pairs_of].sum(axis=1), np.iinfo(np.int64).max)
        best = np.flatnonzero(often == often.min())
        chosen = int(best[int(random.random() * len(best))])
        waiting[chosen] = False
        met[pairs_of[chosen]] += 1
        yield tuple(sorted(lineups[chosen], key=lambda _: random.random()))


# Seeds


def first_of(seeds: Sequence[int] | int) -> int:
    return seeds if isinstance(seeds, int) else seeds[0]


def endless(seeds: Sequence[int] | int) -> Iterator[int]:
    """The seeds named, or all from the first upward."""
    return count(seeds) if isinstance(seeds, int) else iter(seeds)


def take_seeds(seeds: Sequence[int] | int, needed: int) -> list[int]:
    taken = list(islice(endless(seeds), needed))
    if len(taken) < needed:
        raise HsctlError(f"{len(taken)} seeds: that many games need {needed}")
    return taken


def read_seeds(path: Path) -> list[int]:
    """Seeds from a file: one number per line; empty lines and comments after # are skipped."""
    lines = read_text(path, "a file of seeds").splitlines()
    texts = [(at, line.partition("#")[0].strip()) for at, line in enumerate(lines, 1)]
    seeds = [read_seed(text, f"{path}, line {at}") for at, text in texts if text]
    if not seeds:
        raise HsctlError(f"{path}: no seeds found; write one per line")
    if len(set(seeds)) < len(seeds):
        again, _ = Counter(seeds).most_common(1)[0]
        raise HsctlError(f"{path}: seed {again} appears twice; write each seed once")
    return seeds


def read_seed(text: str, where: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        seed = 1 << SEED_BITS
    if not -(1 << SEED_BITS) <= seed < 1 << SEED_BITS:
        raise HsctlError(f"{where}: {text!r} is not a number of {SEED_BITS + 1} bits, as the arena's seeds are")
    return seed
