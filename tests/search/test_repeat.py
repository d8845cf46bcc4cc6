"""A decision can be made again from what it recorded, wherever the clock stopped it."""

from itertools import count

import pytest

from engine.spec.wild import below, new_random
from search import AGENTS, make_agent
from search.agent import Budget
from search.common.planning import PlanningAgent
from tests.search.positions import agent, decide, random_positions

PLANNERS = [name for name in AGENTS if isinstance(agent(name), PlanningAgent)]


@pytest.mark.parametrize("name", PLANNERS)
def test_the_nodes_of_each_stage_repeat_a_decision_that_the_clock_stopped(name):
    timed, random = make_agent(name), new_random(1)
    for position in random_positions(12, seed=1):
        looks = 2 + below(random, 12)
        timed.clock = count(0, 1_000_000).__next__  # a millisecond a look
        stopped = decide(timed, position, Budget(ms=looks))
        assert decide(agent(name), position, stopped.budget()) == stopped


@pytest.mark.parametrize("name", AGENTS)
def test_a_decision_for_nodes_is_repeated_by_what_it_recorded_too(name):
    for position in random_positions(8, seed=2):
        for nodes in (1, 3, 100, 2000):
            decision = decide(agent(name), position, Budget(nodes=nodes))
            assert decide(agent(name), position, decision.budget()) == decision


def test_stages_that_were_not_recorded_get_no_nodes():
    for position in random_positions(8, seed=3):
        decision = decide(agent("beam"), position, Budget(stages={"own": 50}))
        assert all(nodes == 0 for name, nodes in decision.stages.items() if not name.startswith("own"))
        assert sum(nodes for name, nodes in decision.stages.items() if name.startswith("own")) > 0
