"""Which readings are played against each other, and which of them is closest to the paper."""

from hsctl.experiments.frame import Effort
from hsctl.experiments.paper.inversion import evolutions
from hsctl.experiments.paper.readings import compare, variants
from hsctl.experiments.tables import Compared, closest, published
from hsctl.experiments.variants import Result, Variants
from hsctl.stats.intervals import Interval, Share
from search.spec import parse_spec


def test_rhea_gets_a_sixteenth_of_the_budget() -> None:
    assert evolutions(Effort(2, 100.0, 290_000))["unpunished, fewer"] == "rhea:punishment=0,nodes=18125"
    assert evolutions(Effort(2, 80.0))["fewer"] == "rhea:time=5"


def test_the_closest_pair_is_the_one_with_both_shares_near() -> None:
    def cell(row: str, ours: float, paper: float) -> Compared:
        return Compared(row, "", Share(ours * 100, 100, Interval(0, 1)), published(paper, 500))

    cells = [cell("a", 0.5, 0.678), cell("a", 0.2, 0.224), cell("b", 0.66, 0.678), cell("b", 0.1, 0.224)]
    assert closest(cells) == "closest to the paper: b"
    assert closest([]) == "no games"


def test_every_reading_is_a_player() -> None:
    assert len({parse_spec(text).params for text in variants()}) == 12


def test_a_reading_stands_beside_what_mcts_won_in_the_paper() -> None:
    reading = variants()[0]
    won = Result([1.0, 0.5], [1, 1], 9.0)
    between = Variants("", (reading,), ("rhea:paper", "beam:paper"), {(reading, "rhea:paper"): {1: won, 2: won}}, "")
    over_rhea, over_beam = compare(between, reading)
    assert (over_rhea.row, over_rhea.column) == ("distance=sum,horizon=0,whole=0", "rhea")
    assert over_rhea.ours is not None and (over_rhea.ours.count, over_rhea.ours.total) == (2, 4)  # a draw is no win
    assert round(over_rhea.paper.value, 3) == 0.678 and round(over_beam.paper.value, 3) == 0.022
    assert over_rhea.depth == 9.0 and over_beam.ours is None
