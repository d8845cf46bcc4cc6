"""The register of experiments: each can be found, and the paper is quoted right."""

import pytest

from engine.errors import HsctlError
from hsctl.research.bench.speed import BITWISE, NAIVE
from hsctl.research.experiments import EXPERIMENTS, find_experiment
from hsctl.research.experiments.frame import Effort
from hsctl.research.experiments.paper.table2 import VARIANTS as FEATURE_SETS
from hsctl.research.experiments.paper.table3 import PLAYERS
from hsctl.research.experiments.published import paper_steps, paper_table
from hsctl.research.experiments.scale import Budgets


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
