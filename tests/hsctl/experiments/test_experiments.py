"""Experiments: what they ask is written right, what they answer follows from games, whoever plays them."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from engine.errors import HsctlError
from engine.game import Game
from hsctl.bench.engines import BITWISE, NAIVE
from hsctl.experiments import EXPERIMENTS, find_experiment
from hsctl.experiments.frame import Effort
from hsctl.experiments.paper.figures import FIGURE_4, Curves
from hsctl.experiments.paper.published import paper_steps, paper_table
from hsctl.experiments.paper.rhea import CROSSOVERS, REPLACEMENTS, variant
from hsctl.experiments.paper.searches import Point, search_round
from hsctl.experiments.paper.table2 import VARIANTS as FEATURE_SETS
from hsctl.experiments.paper.table3 import PLAYERS
from hsctl.experiments.paper.terms import COMPLETE, TERMS, variants
from hsctl.experiments.scale import Budgets
from hsctl.experiments.tables import Compared, PaperTable, published
from hsctl.experiments.variants import Claim, Result, Split, Variants, result_of
from hsctl.stats.intervals import Interval, Share
from hsctl.views.plots import bars
from search.beam.agent import BeamAgent
from search.beam.memory import KEPT
from search.common.params import EvaluationParams
from search.spec import parse_spec
from tests.hsctl.games import made_game


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_found(name: str) -> None:
    experiment = find_experiment(name)
    assert experiment.ms > 0 and (experiment.games is None or experiment.games > 0)


def test_an_unknown_experiment_is_told_the_known_ones() -> None:
    with pytest.raises(HsctlError, match="'table9' is not an experiment; the experiments are: table1, table2"):
        find_experiment("table9")


def test_the_paper_is_quoted_right() -> None:
    assert paper_steps() == {
        NAIVE: {2: 90_000, 3: 79_000, 4: 80_000},
        BITWISE: {2: 1_450_000, 3: 1_300_000, 4: 1_280_000},
    }
    assert paper_table("table2")["all+sc"] == {"win": 0.594, "lose": 0.234}
    assert set(paper_table("table2")) - {"games"} == set(FEATURE_SETS)
    for name in ("table3", "table4"):
        table = paper_table(name)
        for row in PLAYERS:
            for column in set(PLAYERS) - {row}:
                assert table[row][column] + table[column][row] <= 1


def test_every_weight_of_the_evaluation_is_left_out_once_with_its_term_and_once_alone() -> None:
    weights = {weight for term in TERMS for weight in term}
    assert weights == set(EvaluationParams().as_dict()) - {"many_boxes"}
    specs = [parse_spec(text).params.as_dict() for text in variants()]
    complete = parse_spec(COMPLETE).params.as_dict()
    changed = [{name for name in complete if spec[name] != complete[name]} for spec in specs]
    assert changed[0] == set() and all(
        spec[name] == 0 for spec, names in zip(specs, changed, strict=True) for name in names
    )
    assert all({weight} in changed for weight in weights)
    assert len(set(variants())) == len(variants()) == 14


def test_every_evolution_can_be_made() -> None:
    found = {
        (params["crossover"], params["replacement"])
        for crossover in CROSSOVERS
        for replacement in REPLACEMENTS
        for params in [parse_spec(variant(crossover, replacement)).params.as_dict()]
    }
    assert len(found) == 4


# Shares beside the paper's


def share(value: float, low: float, high: float) -> Share:
    return Share(100 * value, 100, Interval(low, high))


def test_shares_agree_where_intervals_overlap() -> None:
    paper = published(0.5, 400)  # 45.1 to 54.9 %
    assert Compared("a", "b", share(0.6, 0.54, 0.66), paper).agrees is True
    assert Compared("a", "b", share(0.6, 0.56, 0.64), paper).agrees is False
    assert Compared("a", "b", share(0.4, 0.36, 0.44), paper).agrees is False
    assert Compared("a", "b", None, paper).agrees is None


def test_a_table_is_drawn_with_both() -> None:
    cells = [Compared("a", "b", share(0.6, 0.5, 0.7), published(0.5, 400)), Compared("b", "a", None, published(0.1, 9))]
    table = PaperTable("Table", ("row", "over"), "win rate", cells, "")
    figure = table.draw()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ours", "the paper"]
    assert table.as_dict()["cells"][1]["ours"] is None


# Variants on the same seeds


def variants_of(scores: dict[str, dict[int, float]], claims: tuple[Claim, ...] = ()) -> Variants:
    """Variant -> seed -> score of its one game against one opponent."""
    results = {
        (name, "x"): {seed: Result([score], [1 if score else 2]) for seed, score in seeds.items()}
        for name, seeds in scores.items()
    }
    return Variants("Variants", tuple(scores), ("x",), results, "5 nodes a turn", claims=claims)


def test_variants_are_compared_where_they_differ() -> None:
    answer = variants_of({"a": {1: 1.0, 2: 1.0, 3: 0.0, 4: 0.5}, "b": {1: 1.0, 2: 0.0, 3: 1.0, 4: 0.0, 5: 1.0}})
    assert answer.split("a", "b") == Split(2, 1)
    assert answer.split("b", "a") == Split(1, 2)


def test_a_seed_counts_once_however_many_opponents_it_was_played_against() -> None:
    results = {
        ("a", "x"): {1: Result([1.0], [1])},
        ("a", "y"): {1: Result([1.0], [1])},
        ("b", "x"): {1: Result([0.0], [2])},
        ("b", "y"): {1: Result([0.5], [1])},
    }
    assert Variants("", ("a", "b"), ("x", "y"), results, "").split("a", "b") == Split(1, 0)


def test_stars_tell_what_chance_hardly_does() -> None:
    assert str(Split(0, 0)) == "equal"
    assert str(Split(5, 5)) == "50 %"
    assert str(Split(9, 1)) == "90 %*"
    assert str(Split(1, 19)) == "5 %**"


def test_a_claim_is_judged_by_seeds() -> None:
    always, never = dict.fromkeys(range(10), 1.0), dict.fromkeys(range(10), 0.0)
    claims = tuple(Claim("", *pair) for pair in (("a", "b"), ("b", "a"), ("a", "c")))
    answer = variants_of({"a": always, "b": never, "c": {**always, 0: 0.0}}, claims)
    assert [answer.judge(claim) for claim in claims] == ["yes", "no", "undecided"]


def test_a_shared_first_place_is_shared() -> None:
    block = [made_game([1, 2], (0, 1)), made_game([1, 1], (1, 0)), made_game([2, 1], (0, 1))]
    assert result_of(block, 0) == Result([1.0, 0.5, 0.0], [1, 1, 2])


# Figures and budgets


def test_a_figure_is_judged_by_what_the_paper_says_of_it() -> None:
    def curve(depths: list[int]) -> list[Point]:
        return [Point(at, 10, 1, depth, 1.0) for at, depth in enumerate(depths)]

    points = {"zh": curve([5, 6, 5, 6]), "zh+fmp": curve([10, 11, 10, 12])}
    curves = Curves(FIGURE_4, points, 100.0)
    assert curves.title == "Figure 4: depth reached in 100 ms"
    assert curves.agreement().startswith("0.51 (") and curves.agreement().endswith("agrees: yes")
    assert curves.as_dict()["curves"]["zh"] == [[0, 5], [1, 6], [2, 5], [3, 6]]
    assert len(curves.draw().axes[0].lines) >= 2


def test_a_search_whose_time_was_up_before_it_began_expanded_nothing() -> None:
    decision = SimpleNamespace(stages={"opponents": 40, "own": 0}, nodes=40, depth=0)
    layers = SimpleNamespace(counters=np.zeros((9, KEPT + 1), int))
    agent = SimpleNamespace(
        start_game=lambda *_: None,
        decide=lambda *_: decision,
        search=SimpleNamespace(depth=0, cursor=0),
        layers=layers,
    )
    point = search_round(cast(BeamAgent, agent), Game.start(1, 2), 1.0)
    assert (point.simulations, point.parents, point.depth) == (40, 0, 0)


def test_budgets_become_part_of_the_player() -> None:
    assert Budgets("time", (2.5,)).give("mcts", 2.5) == "mcts:time=2.5"
    assert Budgets("nodes", (100,)).give("beam:paper", 100) == "beam:paper,nodes=100"
    with pytest.raises(HsctlError, match="has a budget already"):
        Budgets("time", (2.0,)).give("mcts:time=5", 2.0)


def test_the_first_turn_has_no_more_time_than_the_others() -> None:
    limits = Effort(10, 20.0).limits
    assert (limits.first_turn_ms, limits.turn_ms, limits.nodes) == (20.0, 20.0, None)
    assert Effort(10, 20.0, 300).limits.nodes == 300
    assert Effort(10, 20.0, 300).limits.turn_ms is None


def test_a_plot_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(HsctlError, match=r"pip install 'hsctl\[plot\]'"):
        bars("", [], {"a": []}, "")
