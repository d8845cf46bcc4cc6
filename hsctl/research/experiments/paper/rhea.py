"""Which evolution plays best? One-point or uniform crossover, parents competing with children (plus) or not (comma).

The paper chose between these by tests for which it prints no figures: "much better", "much more efficient".
"""

from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import PAPER_NODES
from hsctl.research.experiments.variants import Claim, play_variants

CROSSOVERS = ("one-point", "uniform")
REPLACEMENTS = ("plus", "comma")
LINEUPS = (("rhea",), ("mcts",))


def variant(crossover: str, replacement: str) -> str:
    return f"rhea:crossover={crossover},replacement={replacement}"


def run(stage: ExperimentStage) -> ExperimentAnswer:
    variants = [variant(crossover, replacement) for crossover in CROSSOVERS for replacement in REPLACEMENTS]
    claims = [
        *(
            Claim(f"one-point is much better ({each})", variant("one-point", each), variant("uniform", each))
            for each in REPLACEMENTS
        ),
        *(
            Claim(f"plus is much more efficient ({each})", variant(each, "plus"), variant(each, "comma"))
            for each in CROSSOVERS
        ),
    ]
    return play_variants(stage, variants, LINEUPS, "Crossover and replacement", claims=claims)


EXPERIMENT = Experiment(run, games=200, ms=100.0, nodes=PAPER_NODES)
