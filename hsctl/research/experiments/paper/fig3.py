"""Figure 3: the simulations that the beam search makes by game round, for each set of features."""

from hsctl.research.experiments.paper.figures import FIGURE_3, as_experiment

EXPERIMENT = as_experiment(FIGURE_3)
