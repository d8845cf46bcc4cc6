"""The league of all schools, teams: two of a school against two of another, every pair of schools."""

from hsctl.league.lineups import team_blocks
from hsctl.research.experiments.agents.league import SCHOOLS, LeagueAnswer
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage


def run(stage: ExperimentStage) -> ExperimentAnswer:
    teams = [f"{school}+{school}" for school in SCHOOLS]
    return LeagueAnswer(stage.meet(teams, team_blocks(len(teams), stage.effort.seeds, stage.games), is_teamed=True))


EXPERIMENT = Experiment(run, games=20, ms=10.0)
