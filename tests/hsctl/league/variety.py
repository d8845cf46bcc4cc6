"""Do games of one position differ, do players stay as strong, and do the intervals hold? See docs/lab/statistics.md.

    python -m tests.hsctl.league.variety distinct --nodes 5000       # how many of 12 games from one position differ
    python -m tests.hsctl.league.variety strength beam --nodes 5000  # nodes that vary against nodes that don't
    python -m tests.hsctl.league.variety coverage                    # how often intervals contain the long-run value

Coverage plays a pool of N games from each position, with a change and without it, and as review's rollouts do. A series
is n games of the pool. The truth is known from the pool alone: the mean of a series is further from that of the other
N - n games than from the truth, on average, and nearer to that of all N. A mix of both, with a weight of √((N - n) / N)
for the other games, is as far from it as the truth is, so series are compared with that.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from engine.board import HEIGHT, WIDTH
from engine.game import Game
from hsctl.analysis.review import mistakes as rollouts
from hsctl.budget import SPREAD
from hsctl.league.intervals import Change, Interval, Rollout, block_interval, estimate_chance, share_interval
from hsctl.match.bots.limits import ORDINARY
from hsctl.match.play_on import numbered_task, parent_of, task_on
from hsctl.match.players import read_player
from hsctl.match.runner import play, play_game
from hsctl.match.seats import ThinkingSeat, warm_seats
from hsctl.match.trust import NOBODY
from replays.playback import Playback, play_moves
from replays.replay import Limits, Move

SERIES = 12  # games
FIRST_SEED = 70_000
PAIRS = ("beam beam", "beam beam:eighth", "beam beam:scaled", "beam rhea", "beam mcts", "mcts mcts", "rhea rhea")
EVEN = ("beam beam", "beam:eighth beam:eighth", "beam beam:scaled", "mcts mcts", "rhea rhea")  # much is open in these


def record(texts: Sequence[str], nodes: int, seed: int) -> Playback:
    seats = warm_seats([read_player(text) for text in texts], ORDINARY)
    return Playback(play_game(seats, Game.start(seed, len(texts)), Limits(nodes=nodes), seed)[0])


def games_from(playback: Playback, turn: int, orders: dict[int, str], spread: float, games: int) -> list[Rollout]:
    """Games played on from a turn, for the player in seat 0."""
    plan = task_on(playback, parent_of(playback, "", "0" * 16, turn, orders, spread), {}, NOBODY)
    played = [play(numbered_task(plan, number)) for number in range(1, games + 1)]
    return [Rollout(game.points(0), game.course) for game in played]


def positions(lineups: Sequence[str], count: int, nodes: int) -> Iterator[tuple[str, Playback, int, random.Random]]:
    """Turns of games by nodes, each from the middle of its game; the line-ups take turns."""
    for number in range(count):
        lineup, chance = lineups[number % len(lineups)], random.Random(number)
        playback = record(lineup.split(), nodes, FIRST_SEED + number)
        yield lineup, playback, chance.randint(playback.end_turn // 3, playback.end_turn * 4 // 5), chance


# How many differ


def show_distinct(args: argparse.Namespace) -> None:
    found: dict[str, list[int]] = {lineup: [] for lineup in PAIRS}
    for lineup, playback, turn, _ in positions(PAIRS, args.positions * len(PAIRS), args.nodes):
        games = games_from(playback, turn, {}, args.spread, SERIES)
        found[lineup].append(len({game.course for game in games}))
    for lineup, counts in found.items():
        print(f"{lineup:18} of {SERIES} games distinct: median {median(counts):g}, {sorted(counts)}", flush=True)


# How strong


def show_strength(args: argparse.Namespace) -> None:
    """Each board from both seats."""
    varied, exact = warm_seats([read_player(args.player)] * 2, ORDINARY)
    assert isinstance(varied, ThinkingSeat)
    varied.spread = args.spread
    scores = []
    for seed in range(args.first, args.first + args.games // 2):
        games = [
            play_game(seats, Game.start(seed, 2), Limits(nodes=args.nodes), seed)[1]
            for seats in ([varied, exact], [exact, varied])
        ]
        scores.append(games[0].points(0) + games[1].points(1))
    low, high = block_interval(scores, [2] * len(scores))
    print(
        f"{args.player} by {args.nodes} nodes ± {100 * args.spread:g} % against the same nodes in every decision: "
        f"{100 * fmean(scores) / 2:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {args.games} games"
    )


# How often intervals hold


@dataclass
class Held:
    """Of one kind of interval: whether each series of each position contained the long-run value."""

    positions: list[list[bool]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    distinct: list[int] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, interval: Interval | None, value: float, distinct: int) -> None:
        assert interval is not None
        self.positions[-1].append(interval.low <= value <= interval.high)
        self.values.append(value)
        self.distinct.append(distinct)
        self.widths.append(interval.high - interval.low)

    def describe(self) -> str:
        series = [is_held for each in self.positions for is_held in each]
        first = sum(each[0] for each in self.positions)
        low, high = share_interval(sum(series), len(series))
        still_open = sum(0.05 < abs(value) < 0.95 for value in self.values) / len(self.values)
        share = sum(series) / len(series)
        return (
            f"{first} of {len(self.positions)} positions by their first series, {100 * share:.1f} % of {len(series)} "
            f"series ({100 * low:.1f} to {100 * high:.1f}); {fmean(self.distinct):.1f} of {SERIES} games "
            f"distinct; width {100 * fmean(self.widths):.0f}; value between 5 and 95 % in {100 * still_open:.0f} %"
        )


def parts(pool: Sequence[Rollout]) -> Iterator[tuple[Sequence[Rollout], float]]:
    """Every series of a pool, and the long-run value to compare it with."""
    weight = math.sqrt(1 - SERIES / len(pool))
    for at in range(0, len(pool) - SERIES + 1, SERIES):
        series, rest = pool[at : at + SERIES], [*pool[:at], *pool[at + SERIES :]]
        means = [fmean(game.points for game in games) for games in (series, rest)]
        yield series, (1 - weight) * means[0] + weight * means[1]


def show_coverage(args: argparse.Namespace) -> None:
    kinds = {"chance": Held(), "change": Held(), "--rollouts": Held()}
    for _, playback, turn, chance in positions(EVEN, args.positions, args.nodes):
        order = {0: f"MOVE {chance.randrange(WIDTH)} {chance.randrange(HEIGHT)}"}
        arms = [games_from(playback, turn, orders, SPREAD, args.pool) for orders in (order, {})]
        start = playback.game_at(turn)
        play_moves(start, [Move(0) if at == 0 else move for at, move in enumerate(playback.moves_at(turn))])
        rolled = [rollouts.play_on(start, 0, number) for number in range(1, args.pool + 1)]
        for held in kinds.values():
            held.positions.append([])
        for (changed, after), (unchanged, before), (games, value) in zip(*map(parts, [*arms, rolled]), strict=True):
            change = Change(0, estimate_chance(changed), estimate_chance(unchanged))
            kinds["chance"].add(change.changed.interval, after, change.changed.distinct)
            kinds["change"].add(change.interval, after - before, change.changed.distinct)
            found = estimate_chance(games)
            kinds["--rollouts"].add(found.interval, value, found.distinct)
        if len(kinds["chance"].positions) % 10 == 0:
            print(f"after {len(kinds['chance'].positions)} positions", flush=True)
            for name, held in kinds.items():
                print(f"  {name:11}{held.describe()}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    for name, run, nodes in (
        ("distinct", show_distinct, 5000),
        ("strength", show_strength, 5000),
        ("coverage", show_coverage, 200),
    ):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--nodes", type=int, default=nodes)
        if name == "strength":
            command.add_argument("player")
            command.add_argument("--games", type=int, default=400)
            command.add_argument("--first", type=int, default=FIRST_SEED, help="seed of the first board")
        else:
            command.add_argument("--positions", type=int, default=100 if name == "coverage" else 10)
        if name == "coverage":
            command.add_argument("--pool", type=int, default=36, help="games of each position")
        else:
            command.add_argument("--spread", type=float, default=SPREAD)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
