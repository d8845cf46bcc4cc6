"""The league that orders the ladder: `python -m hsctl.testing.check.remake [LEDGER]` plays it and writes ladder.json.

Every level meets the next two above it on the same boards, from both seats, as many as were settled beforehand: games
added until the order looks sure would flatter it. Finished games are kept in the ledger: the same command resumes.
"""

import sys
from pathlib import Path

from hsctl.league.cores import core_count
from hsctl.league.games import League, read_league
from hsctl.league.ledger import Ledger, default_ledger
from hsctl.league.lineups import Block
from hsctl.league.runner import play_here, run_blocks
from hsctl.league.standings import Standings
from hsctl.testing.check.strength import FILE, FORMAT, VERSION, Ladder, Level, Score, write_ladder
from replays.replay import Limits

PLAYERS = (
    "random",
    "mcts:literal,nodes=20",
    "rhea:nodes=200",
    "rhea:nodes=500",
    "simple",
    "beam:third,nodes=100",
    "beam:nodes=300",
    "beam:nodes=1200",
    "beam:nodes=100000",
)
SEED = 720_000
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
    return Ladder(FORMAT, VERSION, len(standings.games), SEED, levels)


def score_of(standings: Standings, level: int) -> Score:
    """Against the level below."""
    share = standings.share(level, level - 1, (1.0, 0.5, 0.0))
    assert share is not None
    return Score(*(round(each, 4) for each in (share.value, *share.interval)))


def remake(path: Path) -> Ladder:
    league = League(tuple(read_league(PLAYERS)), Limits(nodes=1000))
    standings = Standings(league.names)
    blocks = [Block(seed, pair) for seed in range(SEED, SEED + BOARDS) for pair in pairs_within(REACH)]
    with Ledger(path) as ledger:
        for game in run_blocks(league, blocks, ledger, play_here(league, core_count(), announce)):
            standings.add(game)
            if len(standings.games) % 100 == 0:
                announce(f"{len(standings.games)} of {2 * len(blocks)} games")
    return ladder_of(standings)


def main() -> None:
    ladder = remake(Path(sys.argv[1]) if len(sys.argv) > 1 else default_ledger())
    if ladder.unsettled():
        sys.exit(f"not sure to be better than the level below: {ladder.unsettled()}, expected players farther apart")
    write_ladder(FILE, ladder)


if __name__ == "__main__":
    main()
