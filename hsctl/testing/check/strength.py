"""Strength: short series up the ladder by the sequential test, halving it, until the bot's level is known.

One game a board, seats in turn: by nodes both seats of a symmetric board are one game mirrored. All games count for the
estimate, a rating against the levels' own; its interval is where the likelihood is near its best.

    python -m hsctl.testing.check.strength [LEDGER]     plays the league that orders the ladder and writes ladder.json
"""

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

import msgspec

from hsctl.budget import ARENA_LIMITS
from hsctl.league.comparison import BETTER, DRAW, LOSS, WIN, SequentialTest, expected_score
from hsctl.league.games import Block, League, read_league, task_of
from hsctl.league.ledger import Ledger, default_ledger
from hsctl.league.runner import play_here, run_blocks
from hsctl.league.standings import Standings
from hsctl.match.cores import core_count
from hsctl.match.players import PlayerText, read_player
from hsctl.match.pool import run_games
from hsctl.match.result import MACHINE, Delays, GameResult
from hsctl.match.runner import GameTask, play, warm_up
from hsctl.report.tables import describe_delays
from hsctl.testing.check.session import FAIL, PASS, WARN, Check, CheckedBot, CheckLine, Strength
from replays.files import write_bytes
from replays.replay import Limits

# The ladder: built-in players in order of strength, limited by nodes so that they play alike on any machine.
#
# ladder.json has their ratings by a league; `python -m hsctl.testing.check.strength` plays it again.


FORMAT: Final = "hsctl-ladder"
VERSION: Final = 1
EVEN = 0.5
FILE = Path(__file__).with_name("ladder.json")


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A share of points, 0 to 1, with its 95 % interval."""

    value: float
    low: float
    high: float


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of the ladder: its rating in Elo, and its score against the level below (None for the first).

    `low` and `high` are the rating's 95 % interval; an end that no game bounds is None.
    """

    player: str
    elo: float
    low: float | None
    high: float | None
    score: Score | None

    @property
    def is_above(self) -> bool:
        """Whether it is surely better than the level below."""
        return self.score is None or self.score.low > EVEN


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All levels, the weakest first."""

    format: Literal["hsctl-ladder"]
    version: Literal[1]
    games: int  # of the league
    seed: int  # of its first board
    levels: list[Level]

    def unsettled(self) -> list[int]:
        """Levels, from 0, that aren't surely better than the one below."""
        return [at for at, level in enumerate(self.levels) if not level.is_above]


@lru_cache(1)
def read_ladder() -> Ladder:
    return msgspec.json.decode(FILE.read_bytes(), type=Ladder)


def write_ladder(path: Path, ladder: Ladder) -> None:
    write_bytes(path, msgspec.json.format(msgspec.json.encode(ladder), indent=1) + b"\n")


SEED = 800_000  # of the boards; the ladder's own are others
ELO = 100.0  # the difference that the test tells apart
ERROR_RATE = 0.1
MOST_GAMES = 10  # a series
MOST_S = 110.0  # then no further game begins
NEAR_BEST = 1.92  # of the log-likelihood: 95 %
STEP, BEYOND = 5.0, 800.0  # Elo: of the search for the best, and how far it goes
PRIOR = 0.5  # games drawn, against the levels met: keeps the estimate finite


def strength_checks(note: Callable[[str], None]) -> list[Check]:
    return [Check("strength", "level", lambda subject: check_level(subject, note))]


@dataclass
class Series:
    """The games against one level, counted in the order of their boards, whichever finished first."""

    test: SequentialTest = field(default_factory=lambda: SequentialTest(-ELO, ELO, ERROR_RATE, ERROR_RATE))
    begun: int = 0
    finished: dict[int, float] = field(default_factory=dict)  # board -> points

    def add(self, number: int, points: float) -> None:
        self.finished[number] = points
        while self.test.blocks in self.finished:
            self.test.add(self.finished[self.test.blocks])

    @property
    def points(self) -> list[float]:
        return list(self.finished.values())

    @property
    def is_over(self) -> bool:
        return self.test.verdict is not None or len(self.finished) >= MOST_GAMES


class Climb:
    """A bot on its way to its level: between those it is better than and those it isn't, the middle one is next."""

    def __init__(self, bot: PlayerText, ladder: Ladder, deadline: float) -> None:
        self.levels = ladder.levels
        self.leagues = [League((bot, read_player(level.player)), ARENA_LIMITS) for level in ladder.levels]
        self.series: dict[int, Series] = {}
        self.below, self.above = -1, len(self.levels)  # better than this, not better than that
        self.deadline = deadline
        self.failures: list[str] = []
        self.games = 0
        self.delays = Delays()

    @property
    def is_over(self) -> bool:
        return self.above - self.below <= 1 or time.monotonic() > self.deadline or self.is_hopeless

    @property
    def is_hopeless(self) -> bool:
        """Out by an error in each of the first games."""
        return self.games >= 2 and len(self.failures) == self.games

    def tasks(self) -> Iterator[GameTask]:
        while not self.is_over:
            at = (self.below + self.above) // 2
            series = self.series.setdefault(at, Series())
            number = series.begun
            series.begun += 1
            yield task_of(self.leagues[at], at, Block(SEED + number, (0, 1)), number % 2)

    def add(self, game: GameResult) -> None:
        at, series = game.block_number, self.series[game.block_number]
        self.games += 1
        self.delays += game.delays
        fate = game.deaths[game.seating.index(0)]
        if fate is not None and fate.failure and fate.culprit != MACHINE:
            self.failures.append(f"{fate.failure}: {fate.detail}")
        series.add(game.seed - SEED, game.points_of_player(0))
        if series.is_over:
            is_better = series.test.verdict == BETTER or (series.test.verdict is None and mean(series.points) > DRAW)
            if is_better:
                self.below = max(self.below, at)
            else:
                self.above = min(self.above, at)


def mean(points: Sequence[float]) -> float:
    return sum(points) / len(points)


def check_level(subject: CheckedBot, note: Callable[[str], None]) -> CheckLine:
    name, started = "level", time.monotonic()
    ladder = read_ladder()
    climb = Climb(read_player(subject.command), ladder, started + MOST_S)
    warm_up([read_player(level.player) for level in ladder.levels], note, is_playing_here=False)
    climb.deadline = time.monotonic() + MOST_S
    results = run_games(climb.tasks(), subject.jobs, play)
    try:
        for result in results:
            climb.add(result)
            note(f"{climb.games} games, level {climb.below + 1} to {climb.above} of {len(ladder.levels)}")
            if climb.is_over:
                break
    finally:
        results.close()
    if climb.is_hopeless:
        return CheckLine(name, FAIL, f"it failed in every game: {climb.failures[0]}", "Play one: hsctl play --watch.")
    subject.strength = strength_of(climb, time.monotonic() - started)
    return line_of_level(name, ladder, subject.strength, climb.delays)


def line_of_level(name: str, ladder: Ladder, found: Strength, delays: Delays = Delays()) -> CheckLine:
    said = (
        f"about level {found.level:.0f} of {found.of} (95 %: {found.low:.0f} to {found.high:.0f}), "
        f"{place_of(ladder, found.level)}; {found.games} games in {found.seconds:.0f} s"
    )
    figures = {"level": found.level, "low": found.low, "high": found.high, "games": float(found.games)}
    if not delays.is_valid:
        doubtful = f"{describe_delays(delays)}, so this says little: {said}"
        return CheckLine(name, WARN, doubtful, "Repeat it on a quiet machine or with fewer --jobs.", figures=figures)
    if found.level < 1:
        return CheckLine(name, WARN, said, "It loses to random moves: look at its games.", figures=figures)
    return CheckLine(name, PASS, said, figures=figures)


def place_of(ladder: Ladder, level: float) -> str:
    """`between simple and beam:nodes=300`."""
    names = [each.player for each in ladder.levels]
    below = math.floor(level)
    if below < 1:
        return f"below {names[0]}"
    if below >= len(names):
        return f"like {names[-1]}, or above"
    return f"between {names[below - 1]} and {names[below]}"


def strength_of(climb: Climb, seconds: float) -> Strength:
    met = {at: series.points for at, series in climb.series.items() if series.points}
    elo, low, high = estimate([(climb.levels[at].elo, points) for at, points in met.items()])
    series = {climb.levels[at].player: tally(points) for at, points in sorted(met.items())}
    level, least, most = (round(level_at(climb.levels, each), 2) for each in (elo, low, high))
    return Strength(level, least, most, len(climb.levels), climb.games, round(seconds, 1), series)


def tally(points: Sequence[float]) -> list[int]:
    return [sum(each == what for each in points) for what in (WIN, DRAW, LOSS)]


def estimate(met: Sequence[tuple[float, Sequence[float]]]) -> tuple[float, float, float]:
    """The likeliest Elo, and the ends of the interval, from points against opponents of known Elo."""
    if not met:
        return 0.0, -math.inf, math.inf
    elos = [elo for elo, _ in met]
    count = int((max(elos) - min(elos) + 2 * BEYOND) / STEP)
    grid = [min(elos) - BEYOND + STEP * at for at in range(count + 1)]
    values = [likelihood(elo, met) for elo in grid]
    best = max(values)
    near = [elo for elo, value in zip(grid, values, strict=True) if value >= best - NEAR_BEST]
    return grid[values.index(best)], near[0], near[-1]


def likelihood(elo: float, met: Sequence[tuple[float, Sequence[float]]]) -> float:
    total = 0.0
    for other, points in met:
        chance = expected_score(elo - other)
        won, lost = sum(points) + PRIOR / 2, len(points) - sum(points) + PRIOR / 2
        total += won * math.log(chance) + lost * math.log1p(-chance)
    return total


def level_at(levels: Sequence[Level], elo: float) -> float:
    """Where a rating is on the ladder: 3.5 is half way between the third level and the fourth."""
    if elo < levels[0].elo:
        return 0.0
    for at, (below, above) in enumerate(pairwise(levels), 1):
        if elo < above.elo:
            return at + (elo - below.elo) / (above.elo - below.elo)
    return float(len(levels))


# The league that orders the ladder.
#
# Every level meets the next two above it on the same boards, from both seats. The number of boards is fixed beforehand:
# games added until the order looks sure would flatter it. Finished games are kept: the same command resumes.


PLAYERS = (
    "random",
    "mcts:paper,nodes=20",
    "rhea:nodes=200",
    "rhea:nodes=500",
    "simple:trusting",
    "beam:third,nodes=100",
    "beam:nodes=300",
    "beam:nodes=1200",
    "beam:nodes=100000",
)
LADDER_SEED = 720_000
BOARDS = 40
REACH = 2  # levels above that a level meets


def announce(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def pairs_within(reach: int) -> list[tuple[int, int]]:
    """Who meets whom: each level the next ones above it."""
    return [(a, b) for a in range(len(PLAYERS)) for b in range(a + 1, min(a + reach + 1, len(PLAYERS)))]


def ladder_of(standings: Standings) -> Ladder:
    levels = []
    for at, rating in enumerate(standings.ratings()):
        elo, low, high = (None if each is None else round(each, 1) for each in (rating.elo, rating.low, rating.high))
        levels.append(Level(rating.name, elo or 0.0, low, high, score_of(standings, at) if at else None))
    return Ladder(FORMAT, VERSION, len(standings.games), LADDER_SEED, levels)


def score_of(standings: Standings, level: int) -> Score:
    """Against the level below."""
    share = standings.share(level, level - 1, (1.0, 0.5, 0.0))
    assert share is not None
    return Score(*(round(each, 4) for each in (share.value, *share.interval)))


def remake(path: Path) -> Ladder:
    league = League(tuple(read_league(PLAYERS)), Limits(nodes=1000))
    standings = Standings(league.names)
    blocks = [Block(seed, pair) for seed in range(LADDER_SEED, LADDER_SEED + BOARDS) for pair in pairs_within(REACH)]
    with Ledger(path) as ledger:
        for game in run_blocks(league, blocks, ledger, play_here(league, core_count(), announce)):
            standings.add(game)
            if len(standings.games) % 100 == 0:
                announce(f"{len(standings.games)} of {2 * len(blocks)} games")
    return ladder_of(standings)


def main() -> None:
    ladder = remake(Path(sys.argv[1]) if len(sys.argv) > 1 else default_ledger())
    if ladder.unsettled():
        sys.exit(f"levels {ladder.unsettled()} are not surely better than the one below: choose players farther apart")
    write_ladder(FILE, ladder)


if __name__ == "__main__":
    main()
