"""The league of all schools, two players: every agent against every other, ratings and a plot."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from hsctl.league.lineups import Block
from hsctl.league.standings import Standings
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCHOOLS = ("beam", "beam:paper", "mcts", "rhea", "hybrid", "bias", "duel", "negamax", "simple", "osla", "random")


@dataclass(frozen=True)
class LeagueAnswer:
    """The standings of a league."""

    standings: Standings

    def view(self) -> RenderableType:
        from hsctl.report.standings import league_view

        return league_view(self.standings)

    def as_dict(self) -> dict[str, Any]:
        from hsctl.report.records import league_record

        return league_record(self.standings)

    def draw(self) -> "Figure":
        from hsctl.report.plots import league_figure

        return league_figure(self.standings)


def run(stage: ExperimentStage, schools: Sequence[str] = SCHOOLS) -> ExperimentAnswer:
    seeds = stage.seeds(stage.games, 2)
    blocks = [Block(seed, pair) for seed in seeds for pair in combinations(range(len(schools)), 2)]
    return LeagueAnswer(stage.meet(schools, blocks))


EXPERIMENT = Experiment(run, games=40, ms=10.0)
