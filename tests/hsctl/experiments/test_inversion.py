"""Which readings are played against each other, and which of them is closest to the paper."""

from hsctl.experiments.frame import Effort
from hsctl.experiments.paper.inversion import closest, evolutions
from hsctl.experiments.paper.readings import variants
from hsctl.experiments.tables import Compared, published
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
