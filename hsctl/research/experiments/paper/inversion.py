"""Why is mcts above rhea in the paper? Readings of both against each other, beside its 67.8 : 22.4 (Table 3).

Section 6.2 describes a punishment for states that can't be survived, section 6.3 says that survivability was off in
all algorithms but the beam. And the paper's evolution may have had far less search, on the slower of its two engines
(Table 1). So rhea is tried without punishment, with a sixteenth of the budget, with both, and as `rhea:paper`, each
against both readings of mcts.
"""

from itertools import product

from hsctl.league.lineups import Block
from hsctl.research.experiments.frame import Effort, Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.published import paper_table
from hsctl.research.experiments.scale import Budgets
from hsctl.research.experiments.tables import LOSS, PAPER_NODES, WIN, ComparedCell, PaperTable, closest, published

TREES = ("mcts:literal", "mcts:paper")
UNPUNISHED = "rhea:punishment=0"
SLOWER = 16  # times: the paper's engines, 1.45 million steps and 90 thousand


def evolutions(effort: Effort) -> dict[str, str]:
    """What is changed -> rhea so."""
    if effort.nodes is not None:
        few = Budgets("nodes", (max(1, effort.nodes // SLOWER),))
    else:
        few = Budgets("time", ((effort.ms or 0) / SLOWER,))
    return {
        "default": "rhea",
        "unpunished": UNPUNISHED,
        "fewer": few.give("rhea", few.amounts[0]),
        "unpunished, fewer": few.give(UNPUNISHED, few.amounts[0]),
        "paper": "rhea:paper",
    }


def run(stage: ExperimentStage) -> ExperimentAnswer:
    rheas = evolutions(stage.effort)
    players = [*TREES, *rheas.values()]
    seeds = stage.seeds(stage.games, 2)
    pairs = list(product(range(len(TREES)), range(len(TREES), len(players))))
    standings = stage.meet(players, [Block(seed, pair) for seed in seeds for pair in pairs])
    table = paper_table("table3")
    claims = {
        "mcts wins": (WIN, published(table["mcts"]["rhea"], table["games"])),
        "rhea wins": (LOSS, published(table["rhea"]["mcts"], table["games"])),
    }
    names = [*TREES, *rheas]
    cells = [
        ComparedCell(
            f"{names[i]}, rhea {names[j]}", who, standings.share(i, j, worth), paper, standings.players[i].mean_depth
        )
        for i, j in pairs
        for who, (worth, paper) in claims.items()
    ]
    notes = f"{2 * len(seeds)} games a pair, {stage.effort.budget}; fewer: a sixteenth of it; {closest(cells)}"
    return PaperTable("Readings of mcts and rhea", ("pair", ""), "share of games", cells, notes)


EXPERIMENT = Experiment(run, games=200, ms=100.0, nodes=PAPER_NODES)
