"""What is each term of the evaluation worth? Terms are left out one by one, and so are the weights of a term.

The paper left this open. Every variant plays the complete beam search, and is compared with what the complete one
scores against itself on the same seeds. By nodes the opponent is told apart a little (mirrors.py):
not only the complete search, but also variants that hardly differ from it would play mirrored games and draw them all.
"""

from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.mirrors import NOTE, tell_apart
from hsctl.research.experiments.tables import PAPER_NODES
from hsctl.research.experiments.variants import play_variants

COMPLETE = "beam:paper"
UNPUBLISHED = "the paper has no figures of this"
TERMS = (  # the weights to set to 0, term by term
    ("box",),
    ("range_5", "range_each"),
    ("bombs_2", "bombs_4", "bombs_each"),
    ("gamma",),  # boxes that bombs will destroy
    ("players",),
    ("centre",),
    ("near_boxes",),
    ("dead",),
)


def variants() -> list[str]:
    """The complete evaluation; then without each term; then without each weight of a term that has several."""
    singles = [(weight,) for term in TERMS if len(term) > 1 for weight in term]
    return [COMPLETE, *(without(weights) for weights in [*TERMS, *singles])]


def without(weights: tuple[str, ...]) -> str:
    separator = "," if ":" in COMPLETE else ":"
    return COMPLETE + separator + ",".join(f"{weight}=0" for weight in weights)


def run(stage: ExperimentStage) -> ExperimentAnswer:
    opponent = tell_apart(COMPLETE, stage.effort)
    remark = UNPUBLISHED if opponent == COMPLETE else f"{UNPUBLISHED}; {NOTE}"
    title = "Terms of the evaluation left out"
    return play_variants(stage, variants(), [(opponent,)], title, baseline=COMPLETE, remark=remark)


EXPERIMENT = Experiment(run, games=200, ms=100.0, nodes=PAPER_NODES)
