"""Table 4: beam, mcts and rhea in one game: how often the row was ranked above the column."""

from hsctl.league.lineups import Block
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.paper.table3 import PLAYERS, compare, played
from hsctl.research.experiments.tables import PAPER_NODES, PaperTable

AROUND = ((0, 1, 2), (0, 2, 1))  # both orders around the board: rotations alone keep everyone's neighbours


def run(stage: ExperimentStage) -> ExperimentAnswer:
    blocks = [Block(seed, AROUND[at % 2]) for at, seed in enumerate(stage.seeds(stage.games, 3))]
    standings = stage.meet(list(PLAYERS.values()), blocks)
    notes = f"{3 * len(blocks)} games, {stage.effort.budget}; sharing a place is not above; {played()}"
    title = "Table 4: how often row was ranked above column, three players"
    return PaperTable(title, ("row", "above"), "ranked above", compare(standings, "table4"), notes)


EXPERIMENT = Experiment(run, games=1000, ms=100.0, nodes=PAPER_NODES)
