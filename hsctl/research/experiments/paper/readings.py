"""Which reading of mcts's reward fits the paper's tables, and which one plays best?

Section 6.1 subtracts "the sum of the distances" to all boxes, which at the start makes any life worth less than death;
sums its rewards over 15 rounds, though simulations of 15 rounds begin below the tree; and says nothing about what an
opponent does once their predicted sequence ends. Every combination plays the other two players of Table 3; its wins
stand beside mcts's there, and the readings are compared with each other on the seeds where they differ.
"""

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.paper.table3 import PLAYERS
from hsctl.research.experiments.published import paper_table
from hsctl.research.experiments.tables import PAPER_NODES, ComparedCell, PaperTable, closest, published
from hsctl.research.experiments.variants import Variants, play_variants
from search.mcts.params import DISTANCES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HORIZONS = (0, 15)
WHOLE = (0, 1)
OPPONENTS = {name: spec for name, spec in PLAYERS.items() if name != "mcts"}
TITLE = "Readings of section 6.1"


def variants() -> list[str]:
    """All readings, the printed one first."""
    return [
        f"mcts:distance={distance},horizon={horizon},whole={whole}"
        for distance, horizon, whole in product(DISTANCES, HORIZONS, WHOLE)
    ]


@dataclass(frozen=True)
class Readings:
    """The answer: every reading beside Table 3, then beside the others."""

    beside: PaperTable
    between: Variants

    def view(self) -> RenderableType:
        return Group(self.beside.view(), Text(""), self.between.view())

    def as_dict(self) -> dict[str, Any]:
        return {**self.beside.as_dict(), "variants": self.between.as_dict()}

    def draw(self) -> "Figure":
        return self.beside.draw()


def run(stage: ExperimentStage) -> ExperimentAnswer:
    readings = variants()
    lineups = [(spec,) for spec in OPPONENTS.values()]
    between = play_variants(stage, readings, lineups, TITLE, baseline=readings[0])
    cells = [cell for reading in readings for cell in compare(between, reading)]
    notes = f"{stage.games} games a row, {stage.effort.budget}; {closest(cells)}"
    title = f"{TITLE}: wins beside those of mcts in Table 3"
    return Readings(PaperTable(title, ("reading", "over"), "win rate", cells, notes), between)


def compare(between: Variants, reading: str) -> list[ComparedCell]:
    """A reading's wins over either opponent, beside the paper's."""
    paper = paper_table("table3")
    return [
        ComparedCell(
            reading.partition(":")[2],
            name,
            between.wins(reading, spec),
            published(paper["mcts"][name], paper["games"]),
            between.mean_depth(reading, spec),
        )
        for name, spec in OPPONENTS.items()
    ]


EXPERIMENT = Experiment(run, games=200, ms=100.0, nodes=PAPER_NODES)
