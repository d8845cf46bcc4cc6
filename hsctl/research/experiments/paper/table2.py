"""Table 2: what each enhancement of the beam search is worth against the plain one (zh, twice as wide).

By nodes the plain one's games against itself would all be mirrored and drawn: see mirrors.py.
"""

from hsctl.league.lineups import Block
from hsctl.research.experiments.frame import Experiment, ExperimentAnswer, ExperimentStage
from hsctl.research.experiments.mirrors import NOTE, tell_apart
from hsctl.research.experiments.published import paper_table
from hsctl.research.experiments.tables import BEAMS, LOSS, PAPER_NODES, WIN, ComparedCell, PaperTable, published

BEAM = "beam:"
VARIANTS = BEAMS
OPPONENT = "beam:zh"


def run(stage: ExperimentStage) -> ExperimentAnswer:
    players = [f"{BEAM}{variant}" for variant in VARIANTS]
    opponents = {at: len(players) + (player == OPPONENT) for at, player in enumerate(players)}
    players += [OPPONENT, tell_apart(OPPONENT, stage.effort)]
    seeds = stage.seeds(stage.games, 2)
    blocks = [Block(seed, pair) for seed in seeds for pair in opponents.items()]
    standings = stage.meet(players, blocks)
    paper = paper_table("table2")
    cells = [
        ComparedCell(
            variant,
            column,
            standings.share(at, opponents[at], worth),
            published(paper[variant][column], paper["games"]),
            standings.players[at].mean_depth,
        )
        for at, variant in enumerate(VARIANTS)
        for column, worth in (("win", WIN), ("lose", LOSS))
    ]
    notes = f"{2 * len(seeds)} games a row against {OPPONENT}, {stage.effort.budget}"
    if stage.effort.nodes is not None:
        notes += f"; {NOTE}"
    return PaperTable("Table 2: each set of features against zh", ("features", ""), "share of games", cells, notes)


EXPERIMENT = Experiment(run, games=500, ms=100.0, nodes=PAPER_NODES)
