"""`bias`: UCT with a bias that fades and rewards that decay, each worked out by hand on small boards."""

import math

import numpy as np
import pytest

from engine.rules import ACTION_NAMES
from search.agent import Budget
from search.bias.agent import BiasAgent
from search.bias.tree import ROOT, best_action, bias, exploitation
from search.common.uct import NO_NODE
from tests.kernels import entries_in
from tests.search.positions import Position, agent, decide, drawn, legal, random_positions

globals().update(entries_in(globals()))

NODES = 3_000


def searched(spec: str, position: Position, nodes: int = NODES) -> BiasAgent:
    """The agent with the tree that its search left behind."""
    found = agent(spec)
    decide(found, position, Budget(nodes=nodes))
    return found


def children_of(found: BiasAgent, node: int = ROOT) -> dict[str, int]:
    """name of an action -> child."""
    return {ACTION_NAMES[at]: int(child) for at, child in enumerate(found.tree.child[node]) if child != NO_NODE}


def nodes_of(found: BiasAgent) -> range:
    return range(int(found.walk.tree_size))


# Decay

# With bombs=1 another bomb counts once: one of the two items. The left one is nearer, but farther from the boxes.
TWO_ITEMS = """
    0.........00
    0X0X0X0X0X0
    0 0 4 0 0 1
    2 0 3 0 2 2
    2 0 6 0 2 2
    """
BOXES = [(0, 0), (10, 0), (11, 0), (0, 1), (2, 1), (4, 1), (6, 1), (8, 1), (10, 1)]


@pytest.mark.parametrize(("gamma", "choice"), [(1.0, "right"), (0.8, "left")])
def test_decay_prefers_the_earlier_of_two_equal_rewards(gamma, choice):
    found = searched(f"bias:rollout=2,bombs=1,c=0.2,gamma={gamma}", drawn(TWO_ITEMS), 20_000)
    means = {name: found.tree.total[child] / found.tree.visits[child] for name, child in children_of(found).items()}
    assert max(means, key=means.__getitem__) == choice


def test_a_reward_is_worth_gamma_to_the_rounds_from_the_root():
    found = searched("bias:rollout=2,bombs=1", drawn(TWO_ITEMS), 20_000)
    best = {name: found.tree.best[child] for name, child in children_of(found).items()}
    assert best["left"] == pytest.approx((50 * 0.8 + 200 - distance_to_boxes(4)) / 400)
    assert best["right"] == pytest.approx((50 * 0.8**2 + 200 - distance_to_boxes(6)) / 400)


def distance_to_boxes(at: int) -> int:
    """From (at, 0) to all boxes of that board."""
    return sum(abs(x - at) + y for x, y in BOXES)


SHUT_IN = """
    .0
    0X
    0 0 0 0 0 1
    """


def test_the_whole_value_may_decay_by_the_depth_of_the_new_node_instead():
    # Nothing can be done but to wait: walk k adds the node at depth k, and all end alike.
    found = searched("bias:iterations=5,decays=value", drawn(SHUT_IN), 1000)
    value = (200 - 2) / 400
    assert found.tree.total[ROOT] == pytest.approx(value * sum(0.8**k for k in range(1, 6)))


# Bias


def test_the_bias_of_an_action_fades_with_its_visits():
    fading = [bias(3.0, visits) for visits in range(1, 50)]
    assert fading == sorted(fading, reverse=True)
    assert (fading[0], fading[-1]) == (1.5, 3.0 / 50)


# Range is worth points in section 5 and nothing in the reward.
RANGE_ITEM = """
    0.....0
    0X0X0X0
    0 0 3 0 0 1
    2 0 2 0 1 1
    """


def test_a_heuristic_leads_the_first_walks_and_is_forgotten_after_many():
    def share_of_left(spec: str, nodes: int) -> float:
        found = searched(spec, drawn(RANGE_ITEM), nodes)
        return float(found.tree.visits[children_of(found)["left"]] / found.tree.visits[ROOT])

    led, alone = "bias:value,h=4,points=1", "bias"
    assert share_of_left(led, 300) > 1.3 * share_of_left(alone, 300)
    assert share_of_left(led, 100_000) == pytest.approx(share_of_left(alone, 100_000), rel=0.05)


def test_the_value_after_an_action_is_asked_against_that_of_the_root():
    found = searched("bias:value", drawn(RANGE_ITEM), 300)
    h = {name: found.tree.h[child] for name, child in children_of(found).items()}
    assert h == pytest.approx({"stay": 0, "left": (0.9 + 0.4) / 5, "right": 0})  # the boxes are as far from all three


def test_death_is_the_worst_that_a_heuristic_can_say():
    burning = drawn(
        """
        ..
        0X
        0 0 0 0 0 3
        1 0 1 0 1 3
        """
    )
    found = searched("bias:value,h=2", burning, 100)
    assert set(found.tree.h[list(children_of(found).values())]) == {-2.0}


def test_a_constant_bias_is_the_same_for_every_action():
    found = searched("bias:advanced", drawn(TWO_ITEMS))
    assert set(found.tree.h[1 : int(found.walk.tree_size)]) == {1.0}


@pytest.mark.parametrize("spec", ["bias", "bias:advanced", "bias:value,h=3", "bias:framework"])
def test_the_walk_goes_where_equation_3_says(spec):
    for position in random_positions(3, seed=1):
        found = searched(spec, position)
        tree = found.tree
        for node in list(nodes_of(found))[::7]:
            if children := children_of(found, node):
                worths = {name: worth(found, node, child) for name, child in children.items()}
                chosen = best_action(tree, node, tree.tried[node], found.walk)
                assert worths[ACTION_NAMES[int(chosen)]] == pytest.approx(max(worths.values()))


def worth(found: BiasAgent, node: int, child: int) -> float:
    tree = found.tree
    visits = int(tree.visits[child])
    explored = math.sqrt(2) * math.sqrt(math.log(tree.visits[node]) / visits)
    mean = tree.total[child] / visits
    if found.params.normalise:
        low, high = tree.worst[node], tree.best[node]
        mean = (mean - low) / (high - low) if high > low else 0.0
    return float(mean + explored + tree.h[child] / (1 + visits))


# The tree


def test_every_visit_of_a_node_is_its_own_or_one_of_its_children():
    for position in random_positions(6, seed=2):
        found = searched("bias", position)
        visits = found.tree.visits
        assert visits[ROOT] == found.walk.iterations
        for node in nodes_of(found):
            below = sum(int(visits[child]) for child in children_of(found, node).values())
            assert below <= visits[node] and (node != ROOT or below == visits[node])


def test_the_first_move_of_highest_mean_is_played():
    for position in random_positions(10, seed=3):
        decision = decide(agent("bias"), position, Budget(nodes=NODES))
        found = agent("bias")
        means = {name: found.tree.total[child] / found.tree.visits[child] for name, child in children_of(found).items()}
        assert set(means) == {ACTION_NAMES[action] for action in legal(position)}
        assert means[ACTION_NAMES[decision.action]] == max(means.values()) == decision.value


def test_the_first_move_of_most_visits_is_played_if_asked_for():
    for position in random_positions(10, seed=3):
        found = searched("bias:choose=visits,normalise=1", position)
        visits = {name: int(found.tree.visits[child]) for name, child in children_of(found).items()}
        chosen = decide(found, position, Budget(nodes=NODES)).action
        assert visits[ACTION_NAMES[chosen]] == max(visits.values())


def test_normalised_means_lie_between_the_values_of_their_parent():
    for position in random_positions(3, seed=6):
        found = searched("bias:normalise=1", position)
        tree, children = found.tree, children_of(found)
        assert tree.best[ROOT] == max(tree.best[child] for child in children.values())
        assert tree.worst[ROOT] == min(tree.worst[child] for child in children.values())
        assert all(0.0 <= exploitation(tree, ROOT, child, True) <= 1.0 for child in children.values())
        # what makes all values larger or smaller by one factor changes nothing but the values
        wide = searched("bias:normalise=1,scale=4000,dead=-0.2", position)
        assert np.array_equal(wide.tree.visits, tree.visits)


@pytest.mark.parametrize("depth", [12, 20])
def test_a_walk_ends_so_many_rounds_from_the_root(depth):
    found = searched(f"bias:rollout={depth}", drawn(SHUT_IN), 40 * depth)
    assert (found.walk.iterations, found.walk.nodes, found.walk.deepest) == (40, 40 * depth, depth)


@pytest.mark.parametrize(("bombs", "is_safe"), [(0, True), (1, False)])
def test_the_others_move_at_random_and_drop_bombs(bombs, is_safe):
    neighbour = drawn(
        f"""
        ...0
        0X0X
        0 0 0 0 0 1
        0 1 2 0 {bombs} 4
        """
    )
    tree = searched("bias", neighbour).tree
    assert (tree.total[ROOT] / tree.visits[ROOT] > (200 - 8) / 400) == is_safe  # 7 is the farthest from the boxes


def test_the_preset_of_the_paper_makes_200_iterations_whatever_the_budget():
    for position in random_positions(3, seed=4):
        found = searched("bias:paper", position, 100_000)
        assert found.walk.iterations == 200 and found.walk.nodes <= 200 * 12
        again = found.decide(position.state, position.player, Budget(ms=10_000))
        assert again.nodes == found.walk.nodes
