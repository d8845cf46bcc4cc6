"""Made-up games for tests of ledgers and tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hsctl.league.identity import Identity, Sitting
from hsctl.league.ledger import Fate, Outcome, Row, Thinking
from replays.replay import Limits

if TYPE_CHECKING:  # loads the core, which tests of the ledger do without
    from hsctl.league.runner import LeagueGame


def made_row(
    seed: int = 7,
    ranks: Sequence[int] = (1, 2),
    specs: Sequence[str] = ("beam", "mcts"),
    finished: str = "2026-01-01T00:00:00.000+00:00",
    deaths: Sequence[Fate | None] | None = None,
    replay: Path | None = None,
) -> Row:
    count = len(ranks)
    identity = Identity(seed, tuple(Sitting(spec, "0123456789abcdef") for spec in specs), Limits(nodes=20))
    fates: list[Fate | None] = [None] * count if deaths is None else list(deaths)
    thinking = [Thinking(40, 80.0, 9.0)] * count
    outcome = Outcome(list(ranks), [3] * count, [8] * count, fates, thinking, 40, "200 turns", 0.17)
    return Row(identity, outcome, replay, finished)


def made_game(
    ranks: Sequence[int],
    seating: tuple[int, ...] = (0, 1),
    seed: int = 7,
    number: int = 0,
    deaths: Sequence[Fate | None] | None = None,
) -> "LeagueGame":
    """A game of a league, `ranks` by seat."""
    from hsctl.league.lineups import Block
    from hsctl.league.runner import LeagueGame

    row = made_row(seed, ranks, [str(player) for player in seating], deaths=deaths)
    return LeagueGame(number, Block(seed, tuple(sorted(seating))), seating, row, is_new=True)
