"""Tables 2 to 9 of Park et al. 2021: bias and the same search without bias and decay, in teams and all against all.

There, teams were MCTS+MCTS against MCTSBias+MCTSBias and OSLA+MCTS against RHEA+MCTSBias, with 50 games each (10 levels
five times). MCTS is MCTSBias without bias and decay: `plain`. Both have what the framework of that report does:
means scaled by their parent's extremes, and the most visited first move. `custom` is h = 0, `advanced` h = 1; the depth
is that of the roll-outs of both tree searches; the limited sight is Pommerman's own, 4 cells. The last one, or the last
team, standing wins, as there. A win of a team is a win of both its players. What is neither won nor tied is lost.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, permutations

from engine.game import SURVIVAL
from hsctl.league.games import Block
from hsctl.league.intervals import Share, share_of
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage, Played
from hsctl.research.experiments.tables import ComparedCell, PaperTable, published

SIGHT = 4  # cells
PAPER_GAMES = 50
ITERATIONS = 200  # of both tree searches, whatever the depth
TOGETHER = [(0, *others) for others in permutations((1, 2, 3))]  # every order around the board


@dataclass(frozen=True)
class ReportTable:
    """One table: the players, how often each won and tied there, depth and heuristic."""

    number: int
    wins: dict[str, float]
    ties: dict[str, float]  # a tie of two teams is one of both
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
        iterations = f"rollout={self.depth},nodes={ITERATIONS * self.depth}"
        search = f"bias:paper,framework,{{}},{iterations}"
        parts = {"plain": search.format("plain"), "bias": search.format(self.heuristic)}
        return "+".join(parts.get(part, part) for part in name.split("+"))


TIE = "tie"
ALIKE, MIXED, ALL = ("plain+plain", "bias+bias"), ("osla+plain", "rhea+bias"), ("osla", "rhea", "plain", "bias")


def shares(names: tuple[str, ...], *values: float) -> dict[str, float]:
    return dict(zip(names, values, strict=True))


TABLES = (
    ReportTable(2, shares(ALIKE, 0.26, 0.50), {TIE: 0.24}, True, "custom", 12),
    ReportTable(3, shares(ALIKE, 0.36, 0.40), {TIE: 0.24}, True, "advanced", 12),
    ReportTable(4, shares(MIXED, 0.30, 0.62), {TIE: 0.08}, True, "custom", 20, SIGHT),
    ReportTable(5, shares(MIXED, 0.32, 0.62), {TIE: 0.06}, True, "advanced", 20, SIGHT),
    ReportTable(6, shares(ALL, 0.00, 0.18, 0.18, 0.44), shares(ALL, 0.00, 0.06, 0.18, 0.20), False, "custom", 12),
    ReportTable(7, shares(ALL, 0.00, 0.30, 0.22, 0.32), shares(ALL, 0.00, 0.10, 0.08, 0.14), False, "advanced", 12),
    ReportTable(
        8, shares(ALL, 0.00, 0.32, 0.28, 0.28), shares(ALL, 0.00, 0.02, 0.10, 0.12), False, "custom", 20, SIGHT
    ),
    ReportTable(
        9, shares(ALL, 0.00, 0.24, 0.28, 0.30), shares(ALL, 0.00, 0.06, 0.16, 0.16), False, "advanced", 20, SIGHT
    ),
)


def run_tables(stage: ExperimentStage) -> ExperimentAnswer:
    cells = [cell for table in TABLES for cell in compare_table(stage, table)]
    notes = (
        f"by survival; a win is one alone, what is neither won nor tied is lost; {stage.games} games a table, "
        f"{stage.effort.budget}; the report has {PAPER_GAMES}"
    )
    title, heads = "Tables 2 to 9 of Park et al.", ("table, h, depth, sight", "player")
    return PaperTable(title, heads, "share of games", cells, notes)


def compare_table(stage: ExperimentStage, table: ReportTable) -> Iterator[ComparedCell]:
    """The wins and ties of every player in a table, compared with the report."""
    seeds = stage.seeds(stage.games, 4)
    orders = cycle([(0, 1, 2, 3)] if table.is_teamed else TOGETHER)
    blocks = [Block(seed, order) for seed, order in zip(seeds, orders, strict=False)]
    played = stage.play(table.texts(), blocks, table.is_teamed, table.vision, SURVIVAL)
    side = 2 if table.is_teamed else 1
    for at, (name, share) in enumerate(table.wins.items()):
        ours = share_of_wins(played, side * at, side)  # a player of the team: both have the same rank
        yield ComparedCell(table.title, name, ours, published(share, PAPER_GAMES))
    for at, (name, share) in enumerate(table.ties.items()):
        ours = share_of_ties(played, side * at, side)
        yield ComparedCell(
            table.title, name if table.is_teamed else f"{name}, tie", ours, published(share, PAPER_GAMES)
        )


def share_of_wins(played: Played, player: int, side: int) -> Share | None:
    """How often a player came first, with nobody else first but the `side` of that many that they belong to."""
    return share_of_firsts(played, player, lambda firsts: firsts == side)


def share_of_ties(played: Played, player: int, side: int) -> Share | None:
    """How often a player came first together with others than their side."""
    return share_of_firsts(played, player, lambda firsts: firsts > side)


def share_of_firsts(played: Played, player: int, is_so: Callable[[int], bool]) -> Share | None:
    """How often a player came first, and the number of players that did is as asked."""
    counts = [
        sum(game.ranks[game.seating.index(player)] == 1 and is_so(game.ranks.count(1)) for game in block)
        for block in played
    ]
    return share_of(counts, [len(block) for block in played])


EXPERIMENTS = {"bias": Experiment(run_tables, games=100, ms=10.0, nodes=2400)}  # 200 iterations at depth 12
