"""Tables 2 to 9 of Park et al. 2021: bias and the same search without bias and decay, in teams and all against all.

There, teams were MCTS+MCTS against MCTSBias+MCTSBias and OSLA+MCTS against RHEA+MCTSBias, with 50 games each (10 levels
five times). MCTS is MCTSBias without bias and decay: `plain`. Both have what the framework of that report does:
means scaled by their parent's extremes, and the most visited first move. `custom` is h = 0, `advanced` h = 1; the depth
is that of the roll-outs of both tree searches; the limited sight is Pommerman's own, 4 cells. The last one, or the last
team, standing wins, as there. A win of a team is a win of both its players.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, permutations

from engine.game import SURVIVAL
from hsctl.experiments.frame import Answer, Experiment, Played, Stage
from hsctl.experiments.tables import Compared, PaperTable, published
from hsctl.league.lineups import Block
from hsctl.stats.intervals import Share, share_of

SIGHT = 4  # cells
PAPER_GAMES = 50
TOGETHER = [(0, *others) for others in permutations((1, 2, 3))]  # every order around the board


@dataclass(frozen=True)
class ReportTable:
    """One table: who played (`{d}` is the depth, `{h}` the heuristic) and how often each won there."""

    number: int
    wins: dict[str, float]
    is_teamed: bool
    heuristic: str
    depth: int
    vision: int | None = None

    @property
    def title(self) -> str:
        sight = "all" if self.vision is None else self.vision
        return f"{self.number} {self.heuristic} {self.depth} {sight}"

    def texts(self) -> list[str]:
        return [self.written(name) for name in self.wins]

    def written(self, name: str) -> str:
        """`rhea+bias` with the parameters of this table."""
        search = "bias:framework,{},rollout=" + str(self.depth)
        parts = {"plain": search.format("plain"), "bias": search.format(self.heuristic)}
        return "+".join(parts.get(part, part) for part in name.split("+"))


ALIKE, MIXED, ALL = ("plain+plain", "bias+bias"), ("osla+plain", "rhea+bias"), ("osla", "rhea", "plain", "bias")


def wins(names: tuple[str, ...], *shares: float) -> dict[str, float]:
    return dict(zip(names, shares, strict=True))


TABLES = (
    ReportTable(2, wins(ALIKE, 0.26, 0.50), True, "custom", 12),
    ReportTable(3, wins(ALIKE, 0.36, 0.40), True, "advanced", 12),
    ReportTable(4, wins(MIXED, 0.30, 0.62), True, "custom", 20, SIGHT),
    ReportTable(5, wins(MIXED, 0.32, 0.62), True, "advanced", 20, SIGHT),
    ReportTable(6, wins(ALL, 0.00, 0.18, 0.18, 0.44), False, "custom", 12),
    ReportTable(7, wins(ALL, 0.00, 0.30, 0.22, 0.32), False, "advanced", 12),
    ReportTable(8, wins(ALL, 0.00, 0.32, 0.28, 0.28), False, "custom", 20, SIGHT),
    ReportTable(9, wins(ALL, 0.00, 0.24, 0.28, 0.30), False, "advanced", 20, SIGHT),
)


def run(stage: Stage) -> Answer:
    cells = [cell for table in TABLES for cell in compare(stage, table)]
    notes = f"wins alone, by survival; {stage.games} games a table, {stage.effort.budget}; the report has {PAPER_GAMES}"
    return PaperTable("Tables 2 to 9 of Park et al.", ("table, h, depth, sight", "player"), "wins", cells, notes)


def compare(stage: Stage, table: ReportTable) -> Iterator[Compared]:
    """What everyone in a table won, beside the report."""
    seeds = stage.seeds(stage.games, 4)
    orders = cycle([(0, 1, 2, 3)] if table.is_teamed else TOGETHER)
    blocks = [Block(seed, order) for seed, order in zip(seeds, orders, strict=False)]
    played = stage.play(table.texts(), blocks, table.is_teamed, table.vision, SURVIVAL)
    for at, (name, share) in enumerate(table.wins.items()):
        first = 2 * at if table.is_teamed else at  # a player of the team: both have the same rank
        ours = share_of_wins(played, first, 2 if table.is_teamed else 1)
        yield Compared(table.title, name, ours, published(share, PAPER_GAMES))


def share_of_wins(played: Played, player: int, side: int) -> Share | None:
    """How often a player came first, with nobody else first but the `side` of that many that they belong to."""
    counts = [
        sum(game.ranks[game.seating.index(player)] == 1 and game.ranks.count(1) == side for game in block)
        for block in played
    ]
    return share_of(counts, [len(block) for block in played])


EXPERIMENT = Experiment(run, games=100, ms=10.0)
