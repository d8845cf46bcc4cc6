"""Figure 4: the depth that the beam search reaches by game round, for each set of features."""

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.paper.fig3 import Curves, ms_of, search_all


def run(stage: Stage) -> Answer:
    return Curves(
        f"Figure 4: depth reached in {ms_of(stage):g} ms",
        "depth",
        lambda point: point.depth,
        search_all(stage),
        "zh alone, twice as wide, gets less deep",
        ("zh", "zh+fmp"),
        lambda ratio: ratio.high < 1,
    )


EXPERIMENT = Experiment(run, games=None, ms=100.0)
