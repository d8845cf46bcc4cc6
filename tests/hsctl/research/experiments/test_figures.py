"""Figures 3 and 4: what is counted, and how it is judged."""

from types import SimpleNamespace
from typing import cast

import numpy as np

from engine.game import Game
from hsctl.research.experiments.paper.figures import FIGURE_4, Curves
from hsctl.research.experiments.searches import Point, search_round
from search.beam.agent import BeamAgent
from search.beam.memory import KEPT


def test_a_figure_is_judged_by_what_the_paper_says_of_it() -> None:
    def curve(depths: list[int]) -> list[Point]:
        return [Point(at, 10, 1, depth, 1.0) for at, depth in enumerate(depths)]

    points = {"zh": curve([5, 6, 5, 6]), "zh+fmp": curve([10, 11, 10, 12])}
    curves = Curves(FIGURE_4, points, 100.0)
    assert curves.title == "Figure 4: depth reached in 100 ms"
    assert curves.agreement().startswith("0.51 (") and curves.agreement().endswith(": agrees")
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
