"""What the searches of hybrid build and which move they play."""

from itertools import pairwise

import pytest

from engine.rules import ACTIONS
from search.agent import Budget
from search.common.first_moves import members
from search.hybrid.agent import HybridAgent
from search.hybrid.tree import is_deadly
from tests.kernels import entries_in
from tests.search.hybrid.hybrids import DUEL, FAR, NODES, cell_at, hybrid, searched
from tests.search.positions import after, decide, drawn, legal

globals().update(entries_in(globals()))

TIGHT = f"..\n0 0 4 4 1 3\n{FAR}\n1 1 4 4 5 6"


@pytest.mark.parametrize("select", ["random", "ucb1", "exploit", "explore"])
def test_the_flat_search_builds_no_tree(select):
    flat = searched(DUEL, f"hybrid:{select}", 2000)
    size = int(flat.search.tree_size)
    assert 2 <= size <= 1 + ACTIONS
    assert set(flat.tree.depth[1:size]) == {1}
    assert flat.tree.visits[0] == flat.tree.visits[1:size].sum() == flat.search.iterations + size - 1


@pytest.mark.parametrize("kind", ["bfs", "mcts"])
def test_the_others_grow_one(kind):
    grown = searched(DUEL, f"hybrid:{kind}", 2000)
    assert grown.tree.depth[: int(grown.search.tree_size)].max() >= 3


def visits_of(made: HybridAgent) -> list[int]:
    return [int(visits) for visits in made.tree.visits[1 : int(made.search.tree_size)]]


def test_exploration_alone_visits_all_alike_and_exploitation_mostly_one():
    even, greedy = visits_of(searched(DUEL, "hybrid:explore", 2000)), visits_of(searched(DUEL, nodes=2000))
    assert max(even) - min(even) <= 1
    assert max(greedy) > sum(greedy) / 2


def test_the_move_of_highest_mean_is_played():
    for spec in ("hybrid", "hybrid:ucb1", "hybrid:mcts"):
        made = hybrid(spec)
        decision = decide(made, drawn(DUEL), Budget(nodes=NODES))
        size = int(made.search.tree_size)
        children = [node for node in range(1, size) if made.tree.parent[node] == 0]
        means = {int(made.tree.action[node]): made.tree.total[node] / made.tree.visits[node] for node in children}
        assert decision.value == means[decision.action] == max(means.values())


def test_breadth_first_search_goes_level_by_level_and_plays_to_the_best_of_the_frontier():
    breadth = hybrid("hybrid:bfs")
    decision = decide(breadth, drawn(TIGHT), Budget(nodes=NODES))
    tree, size, head = breadth.tree, int(breadth.search.tree_size), int(breadth.search.head)
    assert all(before <= later for before, later in pairwise(tree.depth[:size]))
    assert decision.value == max(tree.total[head:size]) == 100
    assert len(decision.plan) in (tree.depth[head], tree.depth[size - 1])


def test_deadly_moves_are_left_out():
    # The bomb below explodes in two rounds: staying in its column or going down burns.
    position = drawn(f"..\n0 0 4 3 1 3\n{FAR}\n1 1 4 6 2 6\n1 1 12 0 8 3")
    made = hybrid("hybrid:bfs,around=22")
    decide(made, position, Budget(nodes=ACTIONS))
    tried = {int(made.tree.action[node]) for node in range(1, int(made.search.tree_size))}
    burning = {action for action in legal(position) if is_deadly(after(position, action), 0)}
    assert made.is_searching and burning
    assert not tried & burning


def test_the_opponent_under_attack_moves_and_nobody_else_does():
    made = searched("..\n0 0 4 4 1 3\n0 1 6 4 1 3\n0 2 12 0 1 3", "hybrid:bfs", 3000)
    states = made.tree.states[1 : int(made.search.tree_size)]
    assert len({int(state.players[1]) & 0xFF for state in states}) > 3
    assert {int(state.players[2]) & 0xFF for state in states} == {int(cell_at(12, 0))}


def test_bombs_of_the_first_moves_are_no_suicide():
    made = searched(DUEL)
    tried = {int(made.tree.action[node]) for node in range(1, int(made.search.tree_size))}
    assert tried <= set(members(int(made.machine.allowed)))
