"""Figure 6: the places of the beam search by number of players, against the field of the league.

The paper's opponents were those of the arena; ours are the other agents of `hsctl paper league`, drawn in turn.
"""

from itertools import cycle, islice

from hsctl.league.lineups import Block
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.published import paper_table
from hsctl.research.experiments.tables import PAPER_NODES, ComparedCell, PaperTable, published

BEAM = "beam:paper"
FIELD = ("negamax", "rhea", "mcts", "simple", "duel", "hybrid", "bias")  # those that live on; by strength
SIZES = (2, 3, 4)
PLACES = ("first", "second", "third", "last")


def run(stage: ExperimentStage) -> ExperimentAnswer:
    cells = [cell for size in SIZES for cell in compare(stage, size)]
    notes = f"{stage.games} games or a few more each, {stage.effort.budget}; the field: {', '.join(FIELD)}"
    title = f"Figure 6: places of {BEAM} by number of players"
    return PaperTable(title, ("players", "place"), "share of games", cells, notes)


def compare(stage: ExperimentStage, size: int) -> list[ComparedCell]:
    """The places in games of this many players beside the paper's, which names the last one `defeat`."""
    drawn = cycle(range(1, len(FIELD) + 1))
    blocks = [Block(seed, (0, *islice(drawn, size - 1))) for seed in stage.seeds(stage.games, size)]
    beam = stage.meet([BEAM, *FIELD], blocks).players[0]
    counts = paper_table("fig6")[str(size)]
    names = [*PLACES[: size - 1], PLACES[-1]]
    return [
        ComparedCell(
            str(size),
            name,
            beam.share_of_place(size, place),
            published(count / sum(counts), sum(counts)),
            beam.mean_depth,
        )
        for place, (name, count) in enumerate(zip(names, counts, strict=True), 1)
    ]


EXPERIMENT = Experiment(run, games=60, ms=100.0, nodes=PAPER_NODES)
