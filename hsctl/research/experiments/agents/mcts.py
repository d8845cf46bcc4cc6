"""Is mcts's default the better player? Its reading of the value against the printed one, and the steps between them.

The paper has one mcts and doesn't tell its readings apart. The default (`mcts:paper`) takes the mean distance to the
boxes, ends simulations in round 15 and predicts others by the whole best simulation; `mcts:literal` does none of these.
Every variant plays the printed reading, and all are compared with each other on the seeds where they differ. How all
readings do against the paper's other players: `hsctl paper readings`.
"""

from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.tables import PAPER_NODES
from hsctl.research.experiments.variants import play_variants

DEFAULT, PRINTED = "mcts:paper", "mcts:literal"
STEPS = (f"{PRINTED},distance=mean", f"{PRINTED},distance=mean,horizon=15")
UNPUBLISHED = "the paper has no figures of this: it has one mcts"


def run(stage: ExperimentStage) -> ExperimentAnswer:
    return play_variants(stage, [PRINTED, *STEPS, DEFAULT], [(PRINTED,)], "Presets of mcts", remark=UNPUBLISHED)


EXPERIMENT = Experiment(run, games=200, ms=100.0, nodes=PAPER_NODES)
