"""Chokudai search: queues that keep their order, sweeps that are fair to all depths, a plan that is the best."""

import numpy as np
import pytest

from engine.rules import ACTIONS, play_round
from engine.state import MAX_TURNS, copy_state
from engine.survival import is_survivable
from search import make_agent
from search.agent import Budget
from search.chokudai.agent import ChokudaiAgent, deepest, line_to
from search.chokudai.queues import NOBODY, make_queues, merge
from search.common.evaluate import evaluate_terms
from tests.kernels import entries_in
from tests.search.positions import agent, choice, decide, drawn, random_positions

globals().update(entries_in(globals()))

NODES = 2_000
DEPTH = 20


def searched(count: int, seed: int, spec: str = "chokudai"):
    """(agent, position, decision) of searches from random positions; the queues are left behind."""
    chokudai = agent(spec)
    for position in random_positions(count, seed):
        yield chokudai, position, decide(chokudai, position, Budget(nodes=NODES))


def depths_of(chokudai: ChokudaiAgent) -> list[int]:
    """The depth of every state."""
    return [len(line_to(chokudai.queues, number)) for number in range(int(chokudai.sweep.count))]


def waiting(chokudai: ChokudaiAgent, depth: int) -> list[int]:
    """All states of a queue, by walking through its heap."""
    found, to_do = [], [int(chokudai.queues.top[depth])]
    while to_do:
        if (number := to_do.pop()) != NOBODY:
            found.append(number)
            to_do += [int(chokudai.queues.left[number]), int(chokudai.queues.right[number])]
    return found


def test_a_queue_gives_its_states_back_best_first_and_equal_ones_in_their_order():
    queues = make_queues(64, 1, np.zeros(2, np.uint64))
    queues.score[:] = [(7 * k) % 10 for k in range(64)]
    queues.left[:], queues.right[:] = NOBODY, NOBODY
    top = NOBODY
    for number in range(64):
        top = merge(queues, top, number)
    order = []
    while top != NOBODY:
        order.append(top)
        top = merge(queues, queues.left[top], queues.right[top])
    assert order == sorted(range(64), key=lambda number: (-queues.score[number], number))


def test_every_state_is_that_of_its_actions_and_scored_by_its_terms_and_its_early_boxes():
    for chokudai, position, _decision in searched(4, seed=1):
        queues, player = chokudai.queues, position.player
        for number in range(1, int(chokudai.sweep.count), 13):
            state, early = copy_state(position.state), 0.0
            for action in line_to(queues, number):
                play_round(state, position.map, np.uint64(action << 4 * player))
                early += 0.1 * (int(state.scored[player]) - int(position.state.scored[player]))
            assert state.tobytes() == queues.states[number].tobytes()
            assert is_survivable(state, position.map, player)
            terms = evaluate_terms(state, position.map, player, chokudai.weights)
            assert queues.score[number] == pytest.approx(sum(terms.values()) + early)


def test_the_first_sweep_is_a_greedy_line_of_full_depth():
    budget, full = Budget(nodes=DEPTH * ACTIONS), 0
    for position in random_positions(20, seed=2):
        decision = decide(agent("chokudai:each=1"), position, budget)
        full += decision.depth == min(DEPTH, MAX_TURNS - int(position.state.turn))
    assert full > 15  # items taken on the way can close the last way out


def test_what_waits_in_a_queue_is_no_better_than_its_top():
    for chokudai, _position, _decision in searched(6, seed=2):
        score = chokudai.queues.score
        for depth in range(DEPTH):
            if numbers := waiting(chokudai, depth):
                assert score[numbers[0]] == max(score[number] for number in numbers)


def test_the_plan_leads_to_the_best_state_of_the_deepest_queue():
    for chokudai, _position, decision in searched(10, seed=3):
        depths = depths_of(chokudai)
        last = [number for number, depth in enumerate(depths) if depth == max(depths)]
        if max(depths):
            assert decision.value == max(float(chokudai.queues.score[number]) for number in last)
            assert list(decision.plan) == line_to(chokudai.queues, deepest(chokudai.queues))


def test_a_small_search_sees_everything_and_ends():
    shut_in = drawn(
        """
        ..0....0
        0X
        0 0 0 0 0 1
        """
    )
    decision = decide(agent("chokudai:depth=4"), shut_in, Budget(nodes=100_000))
    assert decision.depth == 4
    assert decision.nodes == 2 + 3 * 4  # two cells, and two moves from each


def test_it_ends_when_there_is_no_room_for_more_states():
    for chokudai, _position, _decision in searched(3, seed=4, spec="chokudai:capacity=64"):
        assert chokudai.sweep.count <= 64


def test_it_bombs_a_box_next_to_it_and_leaves():
    beside = drawn(
        """
        ..0
        .X
        0 0 1 0 1 3
        """
    )
    assert choice("chokudai", beside, 3_000).endswith("bomb")


def test_a_fresh_agent_has_the_depth_that_was_asked_for():
    assert len(make_agent("chokudai:depth=7").queues.top) == 8
