"""Which readings are played against each other, and which of them is closest to the paper."""

from hsctl.league.intervals import Interval, Share
from hsctl.research.experiments.agents.mcts import DEFAULT, PRINTED, STEPS
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.paper.inversion import evolutions
from hsctl.research.experiments.paper.plain import OPPONENTS, PLAIN, judge
from hsctl.research.experiments.paper.readings import compare, variants
from hsctl.research.experiments.tables import ComparedCell, closest, published
from hsctl.research.experiments.variants import SeedResult, Variants
from search.spec import parse_spec


def test_rhea_gets_a_sixteenth_of_the_budget() -> None:
    assert evolutions(Effort(2, 100.0, 290_000))["unpunished, fewer"] == "rhea:punishment=0,nodes=18125"
    assert evolutions(Effort(2, 80.0))["fewer"] == "rhea:time=5"


def test_the_closest_pair_is_the_one_with_both_shares_near() -> None:
    def cell(row: str, ours: float, paper: float) -> ComparedCell:
        return ComparedCell(row, "", Share(ours * 100, 100, Interval(0, 1)), published(paper, 500))

    cells = [cell("a", 0.5, 0.678), cell("a", 0.2, 0.224), cell("b", 0.66, 0.678), cell("b", 0.1, 0.224)]
    assert closest(cells) == "closest to the paper: b"
    assert closest([]) == "no games"


def test_every_reading_is_a_player() -> None:
    assert len({parse_spec(text).params for text in variants()}) == 12


def test_the_default_of_mcts_differs_from_the_printed_reading_step_by_step() -> None:
    params = [parse_spec(text).params.as_dict() for text in (PRINTED, *STEPS, DEFAULT)]
    changed = [{name for name in one if one[name] != params[0][name]} for one in params]
    assert changed == [set(), {"distance"}, {"distance", "horizon"}, {"distance", "horizon", "whole"}]
    assert parse_spec(DEFAULT).params == parse_spec("mcts").params


def test_a_plain_beam_is_judged_by_what_it_scores_against_either() -> None:
    def told(boards: int) -> bool | None:
        """With this many of 40 boards won, all others lost."""
        won = {board: SeedResult([float(board < boards)] * 2, []) for board in range(40)}
        results = {(PLAIN, "mcts:paper"): won}
        return judge(Variants("", (PLAIN,), ("mcts:paper",), results, ""), "mcts", "mcts:paper").agrees

    assert (told(40), told(32), told(10)) == (True, None, False)
    assert set(OPPONENTS) == {"mcts", "rhea"}


def test_a_reading_stands_beside_what_mcts_won_in_the_paper() -> None:
    reading = variants()[0]
    won = SeedResult([1.0, 0.5], [1, 1], 9.0)
    between = Variants("", (reading,), ("rhea:paper", "beam:paper"), {(reading, "rhea:paper"): {1: won, 2: won}}, "")
    over_rhea, over_beam = compare(between, reading)
    assert (over_rhea.row, over_rhea.column) == ("distance=sum,horizon=0,whole=0", "rhea")
    assert over_rhea.ours is not None and (over_rhea.ours.count, over_rhea.ours.total) == (2, 4)  # a draw is no win
    assert round(over_rhea.paper.value, 3) == 0.678 and round(over_beam.paper.value, 3) == 0.022
    assert over_rhea.depth == 9.0 and over_beam.ours is None
