"""Made-up rows for tests of ledgers."""

from collections.abc import Sequence
from pathlib import Path

from hsctl.league.ledger import Row, new_row
from hsctl.match.identity import Identity, SeatIdentity
from hsctl.match.result import Fate
from replays.replay import Limits
from tests.hsctl.games import made_game


def made_row(
    seed: int = 7,
    ranks: Sequence[int] = (1, 2),
    specs: Sequence[str] = ("beam", "mcts"),
    finished: str = "2026-01-01T00:00:00.000+00:00",
    deaths: Sequence[Fate | None] | None = None,
    replay: Path | None = None,
) -> Row:
    identity = Identity(seed, tuple(SeatIdentity(spec, "0123456789abcdef") for spec in specs), Limits(nodes=20))
    return new_row(identity, made_game(ranks, seed=seed, deaths=deaths), replay)._replace(finished=finished)
