"""One contract for all agents: what `search/agent.py` promises, for every one of them."""

from collections.abc import Iterator
from functools import cache

import pytest

from engine.state import MAX_TURNS
from search import AGENTS, make_agent
from search.agent import Budget
from search.clock import LEAST_SLICE, SLICE
from search.common.planning import PlanningAgent
from tests.search.clocks import MS, ScriptedClock, counting_nodes
from tests.search.positions import Position, agent, decide, drawn, legal, lost_positions, others_of, random_positions

BUDGETS = (1, 2, 7, 50, 500)  # nodes
PLANNERS = [name for name in AGENTS if isinstance(agent(name), PlanningAgent)]

UNWATCHED = 800  # nodes that beam makes whatever the time is: the first round of its threats, what is left of a plan

each_agent = pytest.mark.parametrize("name", AGENTS)
each_planner = pytest.mark.parametrize("name", PLANNERS)


def check(name: str, position: Position, nodes: int) -> None:
    """The action is legal, what was given is untouched, and the budget is kept up to a piece of work per stage."""
    before = position.state.tobytes(), position.map.tobytes()
    decision = decide(agent(name), position, Budget(nodes=nodes))
    assert (position.state.tobytes(), position.map.tobytes()) == before
    assert decision.action in legal(position)
    assert not decision.plan or decision.plan[0] == decision.action
    assert decision.nodes == sum(decision.stages.values())
    assert decision.nodes <= nodes + (agent(name).largest_piece - 1) * len(decision.stages)


def alone(position: Position) -> Position:
    for other in others_of(position):
        position.state.players[other] = 0
    return position


def situations(name: str) -> Iterator[Position]:
    match name:
        case "random":
            yield from random_positions(60)
        case "all others are dead":
            yield from map(alone, random_positions(20, seed=1))
        case "every move loses":
            yield from lost()
        case "burning in this very round":
            yield drawn(".0\n0X\n0 0 0 0 1 3\n0 1 12 10 1 3\n1 1 0 0 1 3")


@cache
def lost() -> list[Position]:
    return list(lost_positions(20))


@each_agent
@pytest.mark.parametrize(
    "situation",
    [
        pytest.param("random", marks=pytest.mark.slow),
        "all others are dead",
        "every move loses",
        "burning in this very round",
    ],
)
def test_any_budget_from_one_node_on_gives_a_legal_action(name, situation):
    for position in situations(situation):
        for nodes in BUDGETS:
            check(name, position, nodes)


@pytest.mark.slow
@each_agent
@pytest.mark.parametrize("turn", [MAX_TURNS - 1, MAX_TURNS - 2])
def test_an_agent_decides_in_the_last_turns_and_plans_no_further(name, turn):
    for position in random_positions(20, seed=2):
        position.state.turn = turn
        for nodes in BUDGETS:
            check(name, position, nodes)
        assert len(decide(agent(name), position, Budget(nodes=500)).plan) <= MAX_TURNS - turn


@each_agent
def test_the_same_seed_and_nodes_give_the_same_decision_whatever_was_decided_before(name):
    positions = list(random_positions(12, seed=3))
    first = [decide(agent(name), position, Budget(nodes=700)) for position in positions]
    again = [decide(agent(name), position, Budget(nodes=700)) for position in reversed(positions)]
    assert again[::-1] == first


@each_agent
def test_a_fresh_agent_decides_the_same(name):
    for position in random_positions(4, seed=3):
        fresh = decide(make_agent(name), position, Budget(nodes=700))
        assert fresh == decide(agent(name), position, Budget(nodes=700))


@pytest.mark.parametrize("name", ["mcts", "bias", "rhea", "hybrid", "duel", "random"])
def test_agents_that_draw_lots_draw_others_with_another_seed(name):
    positions = list(random_positions(12, seed=3))
    some, others = ([decide(agent(name), each, Budget(nodes=100), seed) for each in positions] for seed in (1, 2))
    assert some != others


@each_agent
@pytest.mark.parametrize("ms", [2, 0])
def test_a_budget_of_milliseconds_ends_on_the_real_clock_with_a_legal_action(name, ms):
    for position in random_positions(4, seed=4):
        assert decide(agent(name), position, Budget(ms=ms)).action in legal(position)


@pytest.mark.slow
@each_planner
@pytest.mark.parametrize("ms", [1, 2, 7, 20])
def test_a_planner_looks_at_the_clock_often_enough_and_stops_soon_after_the_end(name, ms):
    planner, clock = make_agent(name), ScriptedClock(node_ns=100)
    planner.clock = clock
    with counting_nodes(clock):
        for position in random_positions(5, seed=5):
            started = clock.now
            decide(planner, position, Budget(ms=ms))
            assert clock.longest <= SLICE + planner.largest_piece - 1
            late = clock.now - started - ms * MS
            assert late <= (LEAST_SLICE + planner.largest_piece + UNWATCHED) * clock.node_ns
