"""The memory of agents: makers refuse sizes that no kernel can work with, and no agent is larger than it may be."""

from dataclasses import replace

import numpy as np
import pytest

from engine.game import Game
from engine.state import MAX_TURNS, new_states
from search import make_agent
from search.agent import Budget
from search.beam.memory import make_layers
from search.common.threats import Threats
from search.memory import bytes_of, take_memory
from search.params import SpecError
from search.rhea.evolution import make_pool
from search.spec import AGENTS, parse_spec
from tests.search.positions import agent, decide, random_positions

OTHERS = np.zeros(MAX_TURNS + 1, np.uint64)


@pytest.mark.parametrize(
    "text",
    ["mcts:capacity=16777216", "duel:capacity=16777216", "hybrid:bfs,capacity=16777216", "bias:capacity=16777216"],
)
def test_an_agent_of_more_than_a_gigabyte_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match=f"{text}.: needs [0-9]+ MB of memory"):
        make_agent(text)


def test_all_arrays_of_an_agent_are_counted_once() -> None:
    rhea = agent("rhea")
    known = sum(field.nbytes for field in rhea.pool if isinstance(field, np.ndarray))
    assert known <= bytes_of(rhea, set()) < known + (1 << 16)


@pytest.mark.parametrize(("width", "depth"), [(0, 5), (-1, 5), (10**9, 5), (10, 0), (10, MAX_TURNS + 1)])
def test_layers_have_a_size(width: int, depth: int) -> None:
    with pytest.raises(AssertionError):
        make_layers(width, OTHERS, depth)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("mcts", "capacity", 1),
        ("bias", "capacity", 0),
        ("bias", "rollout", 0),
        ("duel", "capacity", -1),
        ("hybrid:bfs", "capacity", 5),
        ("negamax", "table_bits", 40),
        ("beam", "threats", 7),
        ("beam", "horizon", -1),
    ],
)
def test_agents_assert_what_their_kernels_rely_on(text: str, name: str, value: int) -> None:
    spec = parse_spec(text)
    with pytest.raises(AssertionError):
        make_agent(replace(spec, params=replace(spec.params, **{name: value})))


def test_pools_and_threats_have_a_size() -> None:
    with pytest.raises(AssertionError):
        make_pool(replace(AGENTS["rhea"].params(), length=10**6), OTHERS)
    with pytest.raises(AssertionError):
        Threats(64)


@pytest.mark.parametrize("name", ["mcts", "bias", "duel"])
def test_a_full_tree_grows_no_more(name: str) -> None:
    found = agent(f"{name}:capacity=20")
    for position in random_positions(4, seed=7):
        decide(found, position, Budget(nodes=3000))
        assert found.walk.tree_size <= 20 and found.walk.iterations > 100


def test_taking_memory_leaves_what_is_in_it() -> None:
    numbers, records = np.arange(10_000), new_states(100)
    before = numbers.copy(), records.copy()
    take_memory([numbers, records, np.zeros(0)])
    assert np.array_equal(numbers, before[0]) and np.array_equal(records, before[1])


@pytest.mark.linux
def test_the_first_decision_of_a_beam_waits_for_no_memory() -> None:
    import resource

    game, faults = Game.start(3, 2), []
    for is_warm in (False, True):
        beam = make_agent("beam")
        if is_warm:
            beam.warm_up()
        beam.start_game(game.map, 0, 0)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        beam.decide(game.state, 0, Budget(nodes=50_000))
        faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    assert faults[1] < faults[0] / 4
