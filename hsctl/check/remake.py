"""The league that orders the ladder: `python -m hsctl.check.remake [LEDGER]` plays it and writes ladder.json.

First every level meets the next two above it, on the same boards, from both seats; then neighbours whose order isn't
sure yet meet on more boards. Finished games are kept in the ledger: the same command resumes.
"""

import sys
from pathlib import Path

from hsctl.check.ladder import FILE, FORMAT, VERSION, Ladder, Level, Score, write_ladder
from hsctl.league.cores import core_count
from hsctl.league.games import League, read_league
from hsctl.league.ledger import Ledger, default_ledger
from hsctl.league.lineups import Block
from hsctl.league.runner import play_here, run_blocks
from hsctl.stats.standings import Standings
from replays.replay import Limits

PLAYERS = (
    "random",
    "mcts:nodes=20",
    "rhea:nodes=200",
    "rhea:nodes=500",
    "simple",
    "beam:nodes=300",
    "beam:nodes=1000",
    "beam:nodes=1500",
    "beam:nodes=4000",
    "beam:nodes=100000",
)
SEED = 700_000
BOARDS = 10  # a round
MOST_ROUNDS = 20
REACH = 2  # levels above that a level meets at first


def announce(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def pairs_within(reach: int) -> list[tuple[int, int]]:
    """Who meets whom: each level the next ones above it."""
    return [(a, b) for a in range(len(PLAYERS)) for b in range(a + 1, min(a + reach + 1, len(PLAYERS)))]


def ladder_of(standings: Standings) -> Ladder:
    levels = [
        Level(rating.name, round(rating.elo or 0.0, 1), score_of(standings, at) if at else None)
        for at, rating in enumerate(standings.ratings())
    ]
    return Ladder(FORMAT, VERSION, len(standings.games), SEED, levels)


def score_of(standings: Standings, level: int) -> Score:
    """Against the level below."""
    share = standings.share(level, level - 1, (1.0, 0.5, 0.0))
    assert share is not None
    return Score(*(round(each, 4) for each in (share.value, *share.interval)))


def remake(path: Path) -> Ladder:
    league = League(tuple(read_league(PLAYERS)), Limits(nodes=1000))
    standings = Standings(league.names)
    pairs = pairs_within(REACH)
    with Ledger(path) as ledger:
        runner = play_here(league, core_count(), announce)
        for number in range(MOST_ROUNDS):
            seeds = range(SEED + number * BOARDS, SEED + (number + 1) * BOARDS)
            for game in run_blocks(league, [Block(seed, pair) for seed in seeds for pair in pairs], ledger, runner):
                standings.add(game)
            ladder = ladder_of(standings)
            pairs = [(at - 1, at) for at in ladder.unsettled()]
            announce(f"{len(standings.games)} games; not sure to be better than the level below: {ladder.unsettled()}")
            if not pairs:
                break
    return ladder


def main() -> None:
    ladder = remake(Path(sys.argv[1]) if len(sys.argv) > 1 else default_ledger())
    if ladder.unsettled():
        sys.exit(f"not sure to be better than the level below: {ladder.unsettled()}, expected players farther apart")
    write_ladder(FILE, ladder)


if __name__ == "__main__":
    main()
