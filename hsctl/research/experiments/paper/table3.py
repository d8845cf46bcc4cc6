"""Table 3: win rates of beam, mcts and rhea against each other, two players."""

from itertools import combinations, permutations

from hsctl.league.lineups import Block
from hsctl.league.standings import Standings
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.published import paper_table
from hsctl.research.experiments.tables import PAPER_NODES, WIN, ComparedCell, PaperTable, published

PLAYERS = {"mcts": "mcts:paper", "rhea": "rhea:paper", "beam": "beam:paper"}  # the paper's name -> ours


def run(stage: ExperimentStage) -> ExperimentAnswer:
    seeds = stage.seeds(stage.games, 2)
    blocks = [Block(seed, pair) for seed in seeds for pair in combinations(range(len(PLAYERS)), 2)]
    standings = stage.meet(list(PLAYERS.values()), blocks)
    notes = f"{2 * len(seeds)} games a pair, {stage.effort.budget}; a draw is no win; {played()}"
    title = "Table 3: win rate of row over column, two players"
    return PaperTable(title, ("row", "over"), "win rate", compare(standings, "table3"), notes)


def played() -> str:
    """Which of our players stand for the paper's."""
    return "played: " + ", ".join(spec if name == spec else f"{spec} as {name}" for name, spec in PLAYERS.items())


def compare(standings: Standings, name: str) -> list[ComparedCell]:
    """Every pair beside the paper's table of that name."""
    paper = paper_table(name)
    return [
        ComparedCell(
            row,
            column,
            standings.share(i, j, WIN),
            published(paper[row][column], paper["games"]),
            standings.players[i].mean_depth,
        )
        for (i, row), (j, column) in permutations(enumerate(PLAYERS), 2)
    ]


EXPERIMENT = Experiment(run, games=500, ms=100.0, nodes=PAPER_NODES)
