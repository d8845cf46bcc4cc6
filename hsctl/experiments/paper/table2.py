"""Table 2: what each enhancement of the beam search is worth against the plain one (zh, twice as wide)."""

from hsctl.experiments.frame import Answer, Experiment, Stage
from hsctl.experiments.published import paper_table
from hsctl.experiments.tables import BEAMS, LOSS, PAPER_NODES, WIN, Compared, PaperTable, published
from hsctl.league.lineups import Block

BEAM = "beam:"
VARIANTS = BEAMS
OPPONENT = "beam:zh"


def run(stage: Stage) -> Answer:
    opponent = len(VARIANTS)
    players = [*(f"{BEAM}{variant}" for variant in VARIANTS), OPPONENT]
    seeds = stage.seeds(stage.games, 2)
    blocks = [Block(seed, (variant, opponent)) for seed in seeds for variant in range(len(VARIANTS))]
    standings = stage.meet(players, blocks)
    paper = paper_table("table2")
    cells = [
        Compared(
            variant,
            column,
            standings.share(at, opponent, worth),
            published(paper[variant][column], paper["games"]),
            standings.players[at].mean_depth,
        )
        for at, variant in enumerate(VARIANTS)
        for column, worth in (("win", WIN), ("lose", LOSS))
    ]
    notes = f"{2 * len(seeds)} games a row against {OPPONENT}, {stage.effort.budget}"
    return PaperTable("Table 2: each set of features against zh", ("features", ""), "share of games", cells, notes)


EXPERIMENT = Experiment(run, games=500, ms=100.0, nodes=PAPER_NODES)
