"""duel: whom it plays against, what it counts, what it doesn't dare, and a tree whose numbers agree."""

import math
from collections import Counter

import numpy as np
import pytest

from engine.board import OPEN_CELLS, cells_of
from engine.position import player_of
from engine.rules import ACTION_NAMES, play_round
from engine.state import MAX_PLAYERS, copy_state
from engine.survival import fill_forecast, is_survivable, joint, new_forecast
from search.agent import Budget
from search.common.first_moves import members
from search.common.uct import best_child
from search.duel.agent import DuelAgent
from search.duel.tree import NONE_PENDING, UNOPENED, children_of, mean_points, most_visited
from search.duel.walk import (
    begin,
    cautious_actions,
    count_space,
    felt_actions,
    fire_ahead,
    is_dead_end,
    score,
    simulate,
    valid_actions,
)
from tests.kernels import entries_in
from tests.search.positions import Position, agent, choice, decide, drawn, legal, random_positions

globals().update(entries_in(globals()))

PLAIN = "duel:paper"


def duel(spec: str = PLAIN) -> DuelAgent:
    return agent(spec)


def placed(position: Position, spec: str = PLAIN) -> DuelAgent:
    """An agent with nothing but the root of a position."""
    found = duel(spec)
    decide(found, position, Budget(nodes=0))
    return found


def searched(position: Position, nodes: int, spec: str = PLAIN) -> DuelAgent:
    found = duel(spec)
    decide(found, position, Budget(nodes=nodes))
    return found


def root_of(found: DuelAgent) -> int:
    return int(found.walk.root)


def size_of(found: DuelAgent) -> int:
    return int(found.walk.tree_size)


def after_exchange(found: DuelAgent, action: str, reply: str) -> int:
    """The node one round below the root."""
    between = children_of(found.tree, root_of(found))[ACTION_NAMES.index(action)]
    return children_of(found.tree, between)[ACTION_NAMES.index(reply)]


# The score


@pytest.mark.parametrize("spec", [PLAIN, "duel"])
def test_the_score_of_one_side_is_the_other_s_negated(spec):
    different = 0
    for position in random_positions(200):
        found = placed(position, spec)
        walk = found.walk
        for rival in set(range(MAX_PLAYERS)) - {position.player}:
            walk.player, walk.rival = position.player, rival
            ours = score(position.state, walk)
            walk.player, walk.rival = rival, position.player
            assert score(position.state, walk) == -ours
            different += ours != 0
    assert different > 100


RICH = """
    .....
    .X.X.
    0 0 0 0 2 5
    0 1 12 10 1 3
    1 0 2 0 4 5
    """


def test_boxes_and_items_count_one_and_life_ten():
    position = drawn(RICH, boxes=(3, 1))
    walk = placed(position).walk
    assert score(position.state, walk) == (3 - 1) + 2 + 2  # two of range, two more bombs, one of which lies there
    position.state.players[1] = 0
    assert score(position.state, walk) == (3 - 1) + 4 + 10
    position.state.players[0] = 0
    assert score(position.state, walk) == 3 - 1


def free_neighbours(cell: tuple[int, int], free: set[tuple[int, int]]) -> set[tuple[int, int]]:
    x, y = cell
    return free & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def test_dead_ends_and_space_are_what_slow_code_finds():
    dead_ends = 0
    for position in random_positions(60, seed=1):
        me = player_of(position.state, position.player)
        assert me is not None
        own = me.x, me.y
        open_cells = set(OPEN_CELLS) - set(cells_of(position.state.blocked))
        reach = {own}
        for _ in range(8):
            reach |= {near for cell in reach for near in free_neighbours(cell, open_cells)}
        free = open_cells | {own}
        while ends := {cell for cell in free if len(free_neighbours(cell, free)) < 2}:
            free -= ends
        cell = np.uint64(int(position.state.players[position.player]) & 0xFF)
        assert count_space(position.state, cell) == len(reach)
        assert is_dead_end(position.state, cell) == (own not in free)
        dead_ends += own not in free
    assert 5 < dead_ends < 55


def test_a_dead_end_costs_a_point_and_a_cell_within_eight_steps_a_twentieth():
    # Player 0 stands in a pocket of two cells, player 1 where everything is open.
    pocket = drawn(
        """
        ..0
        0X
        0 0 0 0 1 3
        0 1 6 6 1 3
        """
    )
    open_space = int(count_space(pocket.state, np.uint64(int(pocket.state.players[1]) & 0xFF)))
    assert score(pocket.state, placed(pocket).walk) == 0
    assert score(pocket.state, placed(pocket, "duel").walk) == pytest.approx(-1 - 0.05 * (open_space - 2))
    assert score(pocket.state, placed(pocket, "duel:space=0").walk) == -1
    assert score(pocket.state, placed(pocket, "duel:dead_end=0").walk) == pytest.approx(-0.05 * (open_space - 2))


# Valid actions and caution


def test_the_fire_that_actions_must_not_end_in_is_that_of_the_next_round():
    forecast, burning = new_forecast(), 0
    for position in random_positions(200, seed=2):
        fill_forecast(position.state, position.map, forecast)
        fire = cells_of(np.array(fire_ahead(position.state, position.map), np.uint64))
        assert fire == (cells_of(forecast.fire[1]) if forecast.rounds > 1 else [])
        burning += bool(fire)
    assert burning > 20


def names(actions: int) -> set[str]:
    return {ACTION_NAMES[action] for action in members(int(actions))}


def test_valid_actions_don_t_end_in_the_fire_unless_all_do():
    # A bomb explodes in the next round: along the row, and up to the box in the column.
    beside_a_bomb = """
        ....
        .X.X
        0 0 2 0 1 3
        1 1 0 0 2 {range}
        """
    near = drawn(beside_a_bomb.format(range=3))
    assert names(valid_actions(near.state, near.map, 0)) == {"right", "right+bomb", "down", "down+bomb"}
    far = drawn(beside_a_bomb.format(range=8).replace(".X.X", ".X0X"))
    assert names(valid_actions(far.state, far.map, 0)) == set(ACTION_NAMES) - {
        name for name in ACTION_NAMES if "up" in name or "down" in name
    }
    assert names(valid_actions(near.state, near.map, 1)) == {"stay"}  # nobody there


# A passage of three cells, at whose mouth player 1 stands.
MOUTH = """
    ......
    0X0X.X
    0 0 2 0 1 3
    0 1 3 0 1 9
    """


def test_no_own_move_is_searched_that_is_lost_if_the_opponent_bombs_at_the_same_moment():
    position = drawn(MOUTH)
    # In the passage we are lost if player 1 drops a bomb at (3, 0); past them there is a way down at (4, 0).
    bold, careful = (searched(position, 3000, spec) for spec in ("duel:caution=0", "duel"))
    assert {0, 1} <= set(children_of(bold.tree, root_of(bold)))
    careful_moves = {ACTION_NAMES[action] for action in children_of(careful.tree, root_of(careful))}
    assert careful_moves == {"right", "right+bomb"}


def test_the_opponent_is_credited_with_moves_that_are_lost_if_we_act():
    position = drawn(MOUTH, player=1)  # now the opponent is the one in the passage
    found = searched(position, 20_000, "duel")
    replies = {ACTION_NAMES[reply] for reply in children_of(found.tree, most_visited(found.tree, root_of(found))[0][1])}
    assert {"stay", "left", "right"} <= replies


def test_what_the_opponent_does_differs_for_us_only_by_bombs_and_items():
    seen = 0
    for position in random_positions(80, seed=3):
        found = placed(position, "duel")
        rival, state = int(found.walk.rival), position.state
        if found.walk.alone or not is_survivable(state, position.map, position.player):
            continue
        replies = legal(Position(state, position.map, rival))
        assert set(members(int(felt_actions(state, rival)))) <= set(replies)
        safe = {
            action for action in legal(position) if all(survives(position, rival, action, reply) for reply in replies)
        }
        if safe:
            cautious = cautious_actions(found.tree, found.walk, position.map, root_of(found), position.player)
            assert set(members(int(cautious))) == safe
            seen += safe != set(legal(position))
    assert seen > 20


def survives(position: Position, rival: int, action: int, reply: int) -> bool:
    state = copy_state(position.state)
    play_round(state, position.map, joint(position.player, action, rival, reply))
    return bool(is_survivable(state, position.map, position.player))


# Sides in turn


def test_the_opponent_replies_knowing_our_move():
    found = searched(drawn(MOUTH), 20_000, "duel:caution=0,keep=0")
    # The same bomb of the opponent shuts us in if we went left, and does nothing if we went past.
    assert mean_points(found.tree, after_exchange(found, "left", "stay+bomb")) > 8
    assert mean_points(found.tree, after_exchange(found, "right", "stay+bomb")) < 4
    assert choice("duel:caution=0", drawn(MOUTH), 20_000).startswith("right")


def test_a_position_follows_from_our_action_and_the_reply_all_others_standing_still():
    seen = 0
    for position in random_positions(12, seed=4):
        found = searched(position, 4000)
        tree, walk = found.tree, found.walk
        assert tree.states[root_of(found)].tobytes() == position.state.tobytes()
        for node in range(size_of(found)):
            for action, child in children_of(tree, node).items():
                if tree.pending[node] == NONE_PENDING:
                    assert tree.pending[child] == action
                    assert tree.states[child].tobytes() == tree.states[node].tobytes()
                    continue
                state = copy_state(tree.states[node])
                play_round(state, position.map, joint(walk.player, tree.pending[node], walk.rival, action))
                assert tree.pending[child] == NONE_PENDING and tree.states[child].tobytes() == state.tobytes()
                seen += 1
    assert seen > 500


def test_a_simulation_takes_twelve_rounds_and_half_a_round_more_when_the_opponent_is_to_move():
    for rounds in (0, 3, 12):
        found = searched(drawn("0 0 0 0 0 3\n0 1 12 10 0 3"), 300, f"duel:rounds={rounds}")  # no bombs, no deaths
        nodes = [root_of(found), *children_of(found.tree, root_of(found)).values()]
        for node in nodes:
            before = int(found.walk.nodes)
            simulate(found.tree, found.walk, found.map, node)
            took = int(found.walk.nodes) - before
            assert took == rounds + (found.tree.pending[node] != NONE_PENDING)
            assert found.tree.states[-1].turn == took


def test_a_simulation_ends_with_a_death_and_with_the_game():
    doomed = drawn("0 0 2 0 1 3\n0 1 12 10 0 3\n1 1 0 0 1 3")
    found = placed(doomed)
    assert simulate(found.tree, found.walk, doomed.map, root_of(found)) == -10
    assert found.walk.nodes == 1
    last = drawn("0 0 0 0 0 3\n0 1 12 10 0 3", turn=197)
    found = placed(last)
    simulate(found.tree, found.walk, last.map, root_of(found))
    assert found.walk.nodes == 3


# The tree


@pytest.mark.parametrize("spec", [PLAIN, "duel:share=0,keep=0"])
def test_every_visit_of_a_node_is_its_own_or_one_of_its_children(spec):
    for position in random_positions(8, seed=5):
        found = searched(position, 3000, spec)
        visits = found.tree.visits
        assert visits[root_of(found)] == found.walk.iterations
        assert found.tree.spent[root_of(found)] == found.walk.nodes
        for node in range(size_of(found)):
            if children := children_of(found.tree, node):
                assert visits[node] == 1 + sum(visits[child] for child in children.values())


def test_scores_are_negated_from_node_to_node():
    # Nobody can do anything but walk in a pocket of their own, and player 0 is two boxes ahead.
    position = drawn("..0\n0X\n0 0 0 0 0 3\n0 1 6 6 0 3", boxes=(5, 3))
    found = searched(position, 3000)
    for node in range(size_of(found)):
        assert mean_points(found.tree, node) == (2 if found.tree.pending[node] != NONE_PENDING else -2)


def test_unvisited_children_come_first_then_uct_with_the_root_of_two():
    for position in random_positions(6, seed=6):
        tree = searched(position, 4000).tree
        for node in range(size_of(duel())):
            children = list(children_of(tree, node).values())
            if children and tree.untried[node]:
                assert all(tree.visits[child] == 1 for child in children)
            elif children:
                worths = [
                    mean_points(tree, child) + math.sqrt(2 * math.log(tree.visits[node]) / tree.visits[child])
                    for child in children
                ]
                chosen = worths[children.index(best_child(tree, node, duel().walk.c))]
                assert chosen == pytest.approx(max(worths))


def test_the_most_visited_move_is_played():
    for position in random_positions(12, seed=7):
        found = duel()
        decision = decide(found, position, Budget(nodes=3000))
        visits = {action: found.tree.visits[node] for action, node in children_of(found.tree, root_of(found)).items()}
        assert visits[decision.action] == max(visits.values())


def test_equal_positions_of_a_turn_share_one_node():
    doubles = 0
    for position in random_positions(6, seed=8):
        for spec, most in (("duel:paper,share=1", 1), (PLAIN, 1000)):
            found = searched(position, 6000, spec)
            ours = np.flatnonzero(found.tree.pending[: size_of(found)] == NONE_PENDING)
            counts = Counter((found.tree.states[node].tobytes()) for node in ours)
            assert max(counts.values()) <= most
            doubles += most > 1 and max(counts.values()) > 1
            assert bool(found.walk.shared) <= (most == 1)
    assert doubles > 3


def test_a_fresh_root_is_unopened_until_a_second_walk():
    found = placed(drawn(RICH))
    begin(found.tree, found.walk, drawn(RICH).state)
    assert int(found.tree.untried[root_of(found)]) == int(UNOPENED)
