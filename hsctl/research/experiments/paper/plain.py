"""Does a beam search without enhancements beat the other two? Section 7: "easily scores above 80%"."""

from dataclasses import replace

from hsctl.report.tables import format_share
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.paper.table3 import PLAYERS
from hsctl.research.experiments.tables import PAPER_NODES, Judged, is_above
from hsctl.research.experiments.variants import Variants, play_variants

PLAIN = "beam:zh"
BOUND = 0.8
OPPONENTS = {name: spec for name, spec in PLAYERS.items() if name != "beam"}


def run(stage: ExperimentStage) -> ExperimentAnswer:
    lineups = [(spec,) for spec in OPPONENTS.values()]
    answer = play_variants(stage, [PLAIN], lineups, "A beam without enhancements")
    return replace(answer, statements=tuple(judge(answer, *opponent) for opponent in OPPONENTS.items()))


def judge(answer: Variants, name: str, spec: str) -> Judged:
    score = answer.score(PLAIN, spec)
    words = f"it scores above {100 * BOUND:.0f} % against {name}"
    return Judged(words, format_share(score, 1), is_above(score.interval if score else None, BOUND))


EXPERIMENT = Experiment(run, games=200, ms=100.0, nodes=PAPER_NODES)
