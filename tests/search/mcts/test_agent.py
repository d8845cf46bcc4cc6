"""Monte Carlo tree search: a tree whose numbers agree, and the paper's reward worked out by hand."""

import math

import numpy as np
import pytest

from engine.game import Game
from engine.rules import play_round
from engine.state import MAX_TURNS, copy_state
from search import make_agent
from search.agent import Budget
from search.common.evaluate import owned_bombs
from search.common.first_moves import members
from search.common.uct import LOGARITHMS, NO_NODE, SIZE, best_child, end_value, logarithm
from search.mcts.agent import MctsAgent
from tests.kernels import entries_in
from tests.search.positions import Position, agent, decide, drawn, legal, random_positions

globals().update(entries_in(globals()))

NODES = 3_000


def searched(count: int, seed: int, spec: str = "mcts"):
    """(agent, position, decision) of searches from random positions; the tree is left behind."""
    mcts = agent(spec)
    for position in random_positions(count, seed):
        yield mcts, position, decide(mcts, position, Budget(nodes=NODES))


def children_of(mcts: MctsAgent, node: int) -> dict[int, int]:
    """action -> child."""
    return {action: int(child) for action, child in enumerate(mcts.tree.child[node]) if child != NO_NODE}


def size_of(mcts: MctsAgent) -> int:
    return int(mcts.walk.tree_size)


def test_every_visit_of_a_node_is_its_own_or_one_of_its_children():
    for mcts, _position, _decision in searched(8, seed=1):
        visits = mcts.tree.visits
        assert visits[0] == mcts.walk.iterations
        for node in range(size_of(mcts)):
            if children := children_of(mcts, node):
                own = 1 if node else 0  # the simulation with which it came; the root came with none
                assert visits[node] == own + sum(visits[child] for child in children.values())


def test_the_maximum_is_no_less_than_the_mean_and_than_those_of_the_children():
    for mcts, _position, _decision in searched(8, seed=2):
        tree = mcts.tree
        for node in range(size_of(mcts)):
            assert tree.best[node] * tree.visits[node] >= tree.total[node] - 1e-9
            assert all(tree.best[node] >= tree.best[child] for child in children_of(mcts, node).values())


def test_the_move_of_highest_maximum_is_played():
    for mcts, _position, decision in searched(20, seed=3):
        highest = {action: float(mcts.tree.best[child]) for action, child in children_of(mcts, 0).items()}
        assert highest[decision.action] == max(highest.values()) == decision.value


def test_the_states_and_gains_of_the_tree_are_those_of_its_actions():
    for mcts, position, _decision in searched(6, seed=4):
        tree, player = mcts.tree, position.player
        depths = {0: 0}
        assert tree.states[0].tobytes() == position.state.tobytes()
        for node in range(size_of(mcts)):
            for action, child in children_of(mcts, node).items():
                depths[child] = depths[node] + 1
                state = copy_state(tree.states[node])
                play_round(state, position.map, np.uint64(int(tree.other_actions[depths[node]]) | action << 4 * player))
                assert state.tobytes() == tree.states[child].tobytes()
                reward = slow_reward(tree.states[node], state, player) * 0.98 ** depths[child]
                assert tree.gain[child] == pytest.approx(tree.gain[node] + reward)


def slow_reward(before: np.record, after: np.record, player: int) -> int:
    """Boxes destroyed in a round, and a point for another bomb up to four."""
    if not after.players[player]:
        return int(after.scored[player]) - int(before.scored[player])
    bombs = [min(4, int(owned_bombs(state, player))) for state in (before, after)]
    return int(after.scored[player]) - int(before.scored[player]) + max(0, bombs[1] - bombs[0])


def test_the_walk_goes_where_uct_says():
    for mcts, _position, _decision in searched(4, seed=5):
        tree = mcts.tree
        for node in range(0, size_of(mcts), 7):
            if children := list(children_of(mcts, node).values()):
                worths = [
                    tree.total[child] / tree.visits[child] + math.sqrt(math.log(tree.visits[node]) / tree.visits[child])
                    for child in children
                ]
                chosen = worths[children.index(best_child(tree, node, 1.0))]
                assert chosen == pytest.approx(max(worths))


def test_logarithms_are_those_of_the_library():
    for n in (1, 2, 3, 10, 1000, SIZE - 1):
        assert logarithm(LOGARITHMS, n) == pytest.approx(math.log(n), abs=1e-10)
    for n in (SIZE, 3 * SIZE + 1, 10_000_000):
        assert logarithm(LOGARITHMS, n) == pytest.approx(math.log(n), abs=1e-4)


def value_of(position: Position) -> float | None:
    return decide(agent("mcts:paper"), position, Budget(nodes=20_000)).value


def test_as_printed_a_box_is_worth_50_points_less_2_percent_a_round_and_200_less_the_distance_to_the_rest():
    # The bomb destroys (7, 0) in the third round. From both free cells the two boxes left are 3 away together, and
    # bombs of range 1 don't reach them.
    shut_in = drawn(
        """
        ..0....0
        0X
        0 0 0 0 0 1
        1 0 6 0 3 2
        """
    )
    assert value_of(shut_in) == pytest.approx((50 * 0.98**3 + 200 - 3) / 400)


@pytest.mark.parametrize(("bombs", "reward"), [(0, 1), (1, 1), (3, 1), (4, 0), (6, 0)])
def test_another_bomb_is_worth_a_box_while_fewer_than_four(bombs, reward):
    # The item on (1, 0) is taken in the first round.
    beside_an_item = drawn(
        f"""
        ..0
        0X
        0 0 0 0 {bombs} 1
        2 0 1 0 2 2
        """
    )
    assert value_of(beside_an_item) == pytest.approx((50 * 0.98 * reward + 200 - 3) / 400)


def test_a_simulation_in_which_the_player_dies_is_worth_nothing():
    doomed = drawn(
        """
        .0
        0X
        0 0 0 0 0 3
        1 1 0 0 2 3
        """
    )
    assert value_of(doomed) == 0


def test_first_moves_that_an_opponent_can_punish_are_left_out_while_there_are_others():
    left_out = 0
    for mcts, position, _decision in searched(60, seed=6):
        punishable = 0
        for rival in mcts.living_others(position.state, position.player):
            punishable |= mcts.first_moves.punishable(position.state, position.map, position.player, rival)
        good = set(legal(position)) - set(members(punishable))
        assert set(children_of(mcts, 0)) == (good or set(legal(position)))
        left_out += 0 < len(good) < len(legal(position))
    assert left_out > 3


def value_of_living(spec: str, game: Game) -> tuple[float, float]:
    """What a simulation that ends at this position is worth without any reward, and what a death is."""
    mcts = agent(spec)
    mcts.walk.player = 0
    return float(end_value(game.state, mcts.walk, 0.0)), float(mcts.walk.dead)


@pytest.mark.parametrize("spec", ["mcts:meandist", "mcts:distance=mean"])
def test_at_the_start_living_is_worth_more_than_dying(spec):
    for seed in range(100):
        living, dead = value_of_living(spec, Game.start(seed, 2))
        assert living > dead


def test_as_printed_it_is_worth_less_and_clipped_no_less():
    starts = [Game.start(seed, 2) for seed in range(100)]
    assert all(living < dead for living, dead in (value_of_living("mcts:paper", game) for game in starts))
    assert all(living == dead for living, dead in (value_of_living("mcts:distance=clip", game) for game in starts))


def value_with_rewards_from(spec: str, position: Position, first: int, factor: float) -> float | None:
    """The value of a decision when rewards from this round on count so many times."""
    mcts = make_agent(spec)  # one of its own, which may be spoilt
    mcts.tree.decay[first:] *= factor
    return decide(mcts, position, Budget(nodes=NODES)).value


def test_no_reward_past_the_horizon_counts():
    moved = {
        horizon: sum(
            value_with_rewards_from(f"mcts:distance=mean,horizon={horizon}", position, 16, 1000.0)
            != value_with_rewards_from(f"mcts:distance=mean,horizon={horizon}", position, 16, 1.0)
            for position in random_positions(12, seed=8)
        )
        for horizon in (15, 0)
    }
    assert moved[15] == 0 < moved[0]


def test_no_tree_is_deeper_than_its_horizon():
    for mcts, _position, _decision in searched(8, seed=9, spec="mcts:horizon=3"):
        assert 0 < mcts.walk.deepest <= 3


def test_others_are_predicted_beyond_the_end_of_the_tree():
    position = next(each for each in random_positions(20, seed=10) if len(set(each.state.players)) > 2)
    lengths = {}
    for spec in ("mcts:paper", "mcts:paper,whole=1"):
        mcts = agent(spec)
        decide(mcts, position, Budget(nodes=NODES))
        lengths[spec] = sum(map(len, mcts.thinking.plans.values()))
    assert lengths["mcts:paper,whole=1"] > lengths["mcts:paper"] > 0


def test_the_whole_best_simulation_leads_to_the_value_that_it_promises():
    mcts = agent("mcts:meandist")
    for position in random_positions(8, seed=11):
        decision = decide(mcts, position, Budget(nodes=NODES))
        state, gain = copy_state(position.state), 0.0
        for turn, action in enumerate(mcts.tree.best_line[: mcts.walk.best_length]):
            before = copy_state(state)
            others = int(mcts.tree.other_actions[turn])
            play_round(state, position.map, np.uint64(others | int(action) << 4 * position.player))
            gain += slow_reward(before, state, position.player) * 0.98 ** (turn + 1)
        assert float(end_value(state, mcts.walk, gain)) == pytest.approx(decision.value)


@pytest.mark.parametrize("left", [1, 5])
def test_no_simulation_goes_beyond_the_last_turn(left):
    mcts, game = agent("mcts"), Game.start(4, 2)
    game.state.turn = MAX_TURNS - left
    mcts.start_game(game.map, 0, 1)
    mcts.decide(game.state, 0, Budget(nodes=200))
    assert 0 < mcts.walk.best_length <= left
