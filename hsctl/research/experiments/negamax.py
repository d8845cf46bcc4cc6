"""Polychronopoulos and Shanmuganathan 2020: their agent as submitted against their three baselines.

The report has no figures; it says in words what is judged here. `negamax:paper` is the agent as submitted: two plies,
nothing beyond the next bomb.
"""

from dataclasses import replace

from hsctl.league.intervals import Share
from hsctl.report.tables import format_share
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import JudgedClaim, is_above, is_less
from hsctl.research.experiments.variants import Variants, play_variants

AGENT = "negamax:paper"
NOISE = "negamax:control"
BEATEN = {  # baseline -> what the report says
    "random": "it beats random players",
    NOISE: "it beats the baseline with noise",
    "negamax:greedy": "it beats the greedy baseline",
}


def run_baselines(stage: ExperimentStage) -> ExperimentAnswer:
    answer = play_variants(stage, [AGENT], [(opponent,) for opponent in BEATEN], "The agent as submitted")
    return replace(answer, statements=statements_of(answer))


def statements_of(answer: Variants) -> tuple[JudgedClaim, ...]:
    """The report's words about its agent: whether it scores more than half, and least against noise."""
    scores = {opponent: answer.score(AGENT, opponent) for opponent in BEATEN}
    random, noise = scores["random"], scores[NOISE]
    shares = f"{format_share(noise, 1)} against {format_share(random, 1)}"
    harder = JudgedClaim("the baseline with noise is harder to beat than random", shares, is_less(noise, random))
    return (*(judge_score(words, scores[name]) for name, words in BEATEN.items()), harder)


def judge_score(words: str, score: Share | None) -> JudgedClaim:
    """Whether it is more than half."""
    return JudgedClaim(words, format_share(score, 1), is_above(score.interval if score else None, 0.5))


EXPERIMENTS = {"negamax": Experiment(run_baselines, games=200, ms=10.0, nodes=2000)}
