"""Do a kept tree, shared states, dead ends and space in the score, and caution pay? Each alone, then all.

The report names all but caution as improvements that it left out, and caution as something it needed early on. The
baseline is the search as reported, with caution; every variant plays random, osla, the baseline, mcts and beam on the
same seeds.
"""

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.variants import Claim, play_variants

REPORTED = "duel:paper"
RECKLESS = f"{REPORTED},caution=0"
IMPROVED = {  # the switch alone -> what the report says of it
    f"{REPORTED},keep=1": "reusing the tree is an obvious improvement",
    f"{REPORTED},share=1": "identical states should share what is known",
    f"{REPORTED},dead_end=1": "avoiding dead ends could improve the score",
    f"{REPORTED},space=0.05": "constricting the enemy's space could too",
}
ALL = "duel"
LINEUPS = (("random",), ("osla",), (REPORTED,), ("mcts",), ("beam",))


def run(stage: Stage) -> Answer:
    claims = [
        Claim("the cautious don't lose to simultaneous moves", REPORTED, RECKLESS),
        *(Claim(words, variant, REPORTED) for variant, words in IMPROVED.items()),
    ]
    variants = [REPORTED, RECKLESS, *IMPROVED, ALL]
    return play_variants(stage, variants, LINEUPS, "duel", baseline=REPORTED, claims=claims)


EXPERIMENT = Experiment(run, games=100, ms=10.0)
