"""Which reading of mcts's reward fits the paper's tables, and which one plays best?

Section 6.1 subtracts "the sum of the distances" to all boxes, which at the start makes any life worth less than death;
sums its rewards over 15 rounds, though simulations of 15 rounds begin below the tree; and says nothing about what an
opponent does once their predicted sequence ends. Every combination plays rhea and beam:paper.
"""

from itertools import product

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.variants import play_variants
from search.mcts.params import DISTANCES

HORIZONS = (0, 15)
WHOLE = (0, 1)
OPPONENTS = ("rhea", "beam:paper")


def variants() -> list[str]:
    """All readings, the printed one first."""
    return [
        f"mcts:distance={distance},horizon={horizon},whole={whole}"
        for distance, horizon, whole in product(DISTANCES, HORIZONS, WHOLE)
    ]


def run(stage: Stage) -> Answer:
    readings = variants()
    lineups = [(opponent,) for opponent in OPPONENTS]
    return play_variants(stage, readings, lineups, "Readings of section 6.1", baseline=readings[0])


EXPERIMENT = Experiment(run, games=200, ms=20.0)
