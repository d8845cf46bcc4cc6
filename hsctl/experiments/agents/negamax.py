"""Alpha-beta: does more depth pay, and which strategy is best? Against random, greedy, itself, mcts and beam.

All variants have the same budget; a fixed depth stops when it is done, deepening uses all of it. `report` is the agent
as submitted in its report: two plies, nothing beyond the next bomb.
"""

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.variants import Questions, play_variants

OPPONENTS = (("random",), ("osla",), ("negamax",), ("mcts",), ("beam",))
ASKED = {
    "Depth": ("negamax:report", "negamax:depth=1", "negamax:depth=2", "negamax:depth=4", "negamax"),
    "Strategy": (
        "negamax:strategy=sniper",
        "negamax:strategy=mortar",
        "negamax:strategy=defensive",
        "negamax:strategy=nuke",
        "negamax",
    ),
}


def run(stage: Stage) -> Answer:
    variants = list(dict.fromkeys(variant for group in ASKED.values() for variant in group))
    return Questions(ASKED, play_variants(stage, variants, OPPONENTS, "negamax"))


EXPERIMENT = Experiment(run, games=200, ms=10.0)
