"""Alpha-beta: does more depth pay, which strategy is best, what are its parts worth?

The opponents are those of its report (random, evaluation control, greedy, itself), mcts and beam.

All variants have the same budget; a fixed depth stops when it is done, deepening uses all of it. `report` is the agent
as submitted in its report: two plies, nothing beyond the next bomb. By nodes the opponent that is the agent itself is
told apart a little (hsctl/research/experiments/mirrors.py).
"""

from hsctl.report.tables import format_share
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.mirrors import NOTE, tell_apart
from hsctl.research.experiments.tables import Judged, is_above, is_less
from hsctl.research.experiments.variants import Questions, Variants, play_variants

REPORT = "negamax:report"
BEATEN = {  # what the report says of its agent
    "random": "it beats random players",
    "negamax:control": "it beats the baseline with noise",
    "negamax:greedy": "it beats the greedy baseline",
}
ITSELF = "negamax"
OPPONENTS = ("random", "negamax:control", "negamax:greedy", ITSELF, "mcts", "beam")
UNPUBLISHED = "the report has no figures of depth, strategies and parts: it says in words what is judged below"
ASKED = {
    "Depth": (REPORT, "negamax:depth=1", "negamax:depth=2", "negamax:depth=4", "negamax"),
    "Strategy": (
        "negamax:strategy=sniper",
        "negamax:strategy=mortar",
        "negamax:strategy=defensive",
        "negamax:strategy=nuke",
        "negamax:strategy=bridge",
        "negamax",
    ),
    "What its parts are worth": (
        "negamax:table=0",
        "negamax:ordering=0",
        "negamax:killers=0",
        "negamax:table=0,ordering=0,killers=0",
        "negamax:pruning=0",
        "negamax",
    ),
}


def run(stage: ExperimentStage) -> ExperimentAnswer:
    variants = list(dict.fromkeys(variant for group in ASKED.values() for variant in group))
    rival = tell_apart(ITSELF, stage.effort)
    lineups = [(rival if opponent == ITSELF else opponent,) for opponent in OPPONENTS]
    remark = UNPUBLISHED if rival == ITSELF else f"{UNPUBLISHED}; {NOTE}"
    answer = play_variants(stage, variants, lineups, "negamax", remark=remark)
    return Questions(ASKED, answer, statements(answer))


def statements(answer: Variants) -> list[Judged]:
    """The report's words about its agent as submitted."""
    random, control = (answer.score(REPORT, opponent) for opponent in ("random", "negamax:control"))
    shares = f"{format_share(control, 1)} beside {format_share(random, 1)}"
    harder = Judged("the baseline with noise is harder to beat than random", shares, is_less(control, random))
    return [*(judge(answer, *beaten) for beaten in BEATEN.items()), harder]


def judge(answer: Variants, opponent: str, words: str) -> Judged:
    """Whether the agent as submitted scores more than half against an opponent."""
    score = answer.score(REPORT, opponent)
    return Judged(words, format_share(score, 1), is_above(score.interval if score else None, 0.5))


EXPERIMENT = Experiment(run, games=200, ms=10.0)
