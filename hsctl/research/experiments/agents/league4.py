"""The league of all schools, four players: line-ups drawn so that every pair meets equally often."""

from hsctl.league.lineups import league_blocks
from hsctl.research.experiments.agents.league import SCHOOLS, LeagueAnswer
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage


def run(stage: ExperimentStage) -> ExperimentAnswer:
    blocks = league_blocks(len(SCHOOLS), "4", stage.effort.seeds, stage.games)
    return LeagueAnswer(stage.meet(SCHOOLS, blocks))


EXPERIMENT = Experiment(run, games=800, ms=10.0)
