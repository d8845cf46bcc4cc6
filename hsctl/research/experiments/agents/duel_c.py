"""Which weight of exploration suits duel best? The report took the square root of 2, and would tune that first.

Its C is weighed against scores of tens of points, where UCB1 has rewards from 0 to 1: so larger ones are tried as well.
Every C plays the same opponents on the same seeds.
"""

from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.variants import Claim, play_variants

REPORTED = "duel:paper"
TRIED = (0.0, 0.5, 3.0, 6.0, 12.0, 24.0, 48.0)
LINEUPS = ((REPORTED,), ("simple",))
UNPUBLISHED = "the report has no figures of this: it tested no other C, and names that as the first thing to do"


def with_c(c: float) -> str:
    return f"{REPORTED},c={c:g}"


def run(stage: ExperimentStage) -> ExperimentAnswer:
    variants = [REPORTED, *map(with_c, TRIED)]
    claims = [
        Claim(f"to tune C would be a fix: {c:g} instead of the square root of 2", with_c(c), REPORTED) for c in TRIED
    ]
    return play_variants(stage, variants, LINEUPS, "C of duel", baseline=REPORTED, claims=claims, remark=UNPUBLISHED)


EXPERIMENT = Experiment(run, games=200, ms=10.0)
