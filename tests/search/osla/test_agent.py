"""One step look-ahead: the best value after one step."""

import pytest

from engine.rules import ACTION_NAMES
from search.agent import Budget
from search.common.evaluate import evaluate_terms, make_weights
from search.common.params import EvaluationParams
from tests.search.positions import after, agent, choice, decide, drawn, legal, random_positions

WEIGHTS = make_weights(EvaluationParams())


def test_the_action_of_the_highest_value_after_one_step_is_taken():
    for position in random_positions(60):
        values = {
            action: sum(evaluate_terms(after(position, action), position.map, position.player, WEIGHTS).values())
            for action in legal(position)
        }
        decision = decide(agent("osla"), position, Budget(nodes=100))
        assert decision.action == max(values, key=values.__getitem__)
        assert decision.value == pytest.approx(max(values.values()))
        assert decision.nodes == len(values)


def test_a_budget_of_fewer_nodes_looks_at_the_first_actions_only():
    for position in random_positions(20, seed=1):
        decision = decide(agent("osla"), position, Budget(nodes=2))
        assert decision.action in legal(position)[:2]


def test_an_item_next_to_is_taken():
    beside = drawn("0 0 2 2 0 3\n0 1 12 10 1 3\n2 0 2 3 2 2")
    assert choice("osla", beside, 10) == "down"
    assert ACTION_NAMES[decide(agent("osla:bombs_2=-9"), beside, Budget(nodes=10)).action] != "down"
