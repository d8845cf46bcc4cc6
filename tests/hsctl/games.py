"""Made-up finished games for tests of standings, tables and ledgers."""

from collections.abc import Sequence

from rich.console import Console

from hsctl.league.standings import Standings
from hsctl.match.result import Fate, GameResult, ThinkingTime

NAMES = ("beam", "mcts", "rhea", "simple")


def made_game(
    ranks: Sequence[int] = (1, 2),
    seating: tuple[int, ...] = (),
    seed: int = 7,
    block_number: int = 0,
    deaths: Sequence[Fate | None] | None = None,
) -> GameResult:
    """A game of 40 turns; `ranks` and `deaths` by seat, players in their order unless told."""
    count = len(ranks)
    return GameResult(
        seed,
        seating or tuple(range(count)),
        list(ranks),
        boxes=[3] * count,
        bombs=[8] * count,
        deaths=[None] * count if deaths is None else list(deaths),
        thinking=[ThinkingTime(40, 80.0, 9.0, (1.0, 2.0, 9.0))] * count,
        turns=40,
        reason="200 turns",
        seconds=0.17,
        block_number=block_number,
    )


def standings_of(*games: GameResult, names: Sequence[str] = NAMES[:3]) -> Standings:
    standings = Standings(names)
    for game in games:
        standings.add(game)
    return standings


def shown(view: object, width: int = 80) -> str:
    """What a terminal of this width shows."""
    console = Console(width=width, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(view)
    return capture.get()
