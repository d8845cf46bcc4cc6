"""Do a kept tree, shared states, dead ends and space in the score, and caution pay? Each alone, then all.

The report names all but caution as improvements that it left out, and caution as something it needed early on. The
baseline is the search as reported, with caution; every variant plays random, osla, the baseline, mcts and beam on the
same seeds. The report has a number for the depth of its tree alone.
"""

from dataclasses import replace

from hsctl.league.intervals import Interval, mean_interval
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import Judged, overlap
from hsctl.research.experiments.variants import Claim, Variants, play_variants

REPORTED = "duel:paper"
RECKLESS = f"{REPORTED},caution=0"
IMPROVED = {  # the switch alone -> what the report says of it
    f"{REPORTED},keep=1": "reusing the tree is an obvious improvement",
    f"{REPORTED},share=1": "identical states should share what is known",
    f"{REPORTED},dead_end=1": "avoiding dead ends could improve the score",
    f"{REPORTED},space=0.05": "constricting the enemy's space could too",
}
ALL = "duel"
UNPUBLISHED = "the report has no figures of these parts: it names all but caution as future work"
DEPTH = Interval(12, 15)  # of the report's tree
WIDEST = 2.0  # rounds: an interval of a depth that tells nothing
LINEUPS = (("random",), ("osla",), (REPORTED,), ("mcts",), ("beam",))


def run(stage: ExperimentStage) -> ExperimentAnswer:
    claims = [
        Claim("the cautious don't lose to simultaneous moves", REPORTED, RECKLESS),
        *(Claim(words, variant, REPORTED) for variant, words in IMPROVED.items()),
    ]
    variants = [REPORTED, RECKLESS, *IMPROVED, ALL]
    answer = play_variants(stage, variants, LINEUPS, "duel", baseline=REPORTED, claims=claims, remark=UNPUBLISHED)
    return replace(answer, statements=(judge_depth(answer),))


def judge_depth(answer: Variants) -> Judged:
    """How deep the search as reported gets against itself, in rounds, beside what the report says."""
    found = {seed: result.depth for seed, result in answer.results[REPORTED, REPORTED].items()}
    depths = {seed: depth for seed, depth in found.items() if depth is not None}
    interval = mean_interval(list(depths.values()), list(depths))
    ours = "too few games" if interval is None else f"{interval.low:.1f}–{interval.high:.1f}, {answer.budget}"
    return Judged(f"its tree is {DEPTH.low:g} to {DEPTH.high:g} deep", ours, overlap(interval, DEPTH, WIDEST))


EXPERIMENT = Experiment(run, games=100, ms=10.0)
