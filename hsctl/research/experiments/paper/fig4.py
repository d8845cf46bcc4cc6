"""Figure 4: the depth that the beam search reaches by game round, for each set of features."""

from hsctl.research.experiments.paper.figures import FIGURE_4, as_experiment

EXPERIMENT = as_experiment(FIGURE_4)
