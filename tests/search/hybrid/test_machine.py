"""The state machine of hybrid: when it changes state, and what its rules do."""

import pytest

from engine.board import MOVES
from search.agent import Budget
from search.hybrid.machine import STATES
from tests.search.hybrid.hybrids import FAR, NODES, consider, hybrid, searched
from tests.search.positions import drawn


def test_without_danger_or_rival_it_explores():
    assert consider(f"..0\n0 0 0 0 1 3\n{FAR}")[0] == "explore"


def test_a_rival_within_6_is_attacked_while_a_bomb_is_left():
    assert consider("..\n0 0 0 0 1 3\n0 1 6 0 1 3") == ("attack", "walks to the opponent", "right")
    assert consider("..\n0 0 0 0 0 3\n0 1 6 0 1 3")[0] == "explore"
    assert consider("..\n0 0 0 0 1 3\n0 1 7 0 1 3")[0] == "explore"


def test_the_attack_is_searched_within_4():
    for distance, is_close in ((4, True), (5, False)):
        consider(f"..\n0 0 0 0 1 3\n0 1 {distance} 0 1 3")
        assert bool(hybrid("hybrid:heuristic").machine.searches) == is_close


def test_a_rival_beside_it_is_bombed_by_the_rules():
    state, _reason, action = consider("..\n0 0 4 4 1 3\n0 1 5 4 1 3")
    assert state == "attack" and action.endswith("+bomb")


def test_boxes_in_the_way_of_an_attack_are_explored():
    state, reason, _action = consider("..0\n.X.\n0..\n0 0 0 0 1 3\n0 1 6 0 1 3")
    assert (state, reason) == ("attack", "there is no way to the opponent, so it explores")


def test_a_mate_is_not_a_rival():
    position, machine = drawn("..\n0 0 0 0 1 3\n0 1 3 0 1 3"), hybrid()
    machine.start_game(position.map, 0, 7, mates=(1,))
    machine.decide(position.state, 0, Budget(nodes=NODES))
    assert STATES[machine.machine.state] == "explore"


@pytest.mark.parametrize(("timer", "state"), [(6, "evade"), (7, "explore"), (8, "explore")])
def test_one_bomb_around_is_dangerous_below_7_ticks(timer, state):
    assert consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 0 4 4 {timer} 3")[0] == state


def test_two_bombs_around_are_dangerous_below_9_ticks():
    assert consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 0 4 6 8 3\n1 1 8 4 8 2")[0] == "evade"


@pytest.mark.parametrize(("timer", "state"), [(2, "evade"), (3, "explore")])
def test_scaled_ticks_are_25_to_a_fuse(timer, state):
    found = consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 0 4 4 {timer} 3", "hybrid:heuristic,scaled")
    assert found[0] == state


def test_a_bomb_that_only_a_step_would_bring_in_reach_makes_it_evade_and_wait():
    # The row of the bomb burns; the cell above it doesn't, but stepping down would.
    found = consider(f"..\n0 0 4 3 0 3\n{FAR}\n1 1 5 4 4 3")
    assert found == ("evade", "waits on a safe cell next to the danger", "stay")


def test_it_walks_to_the_nearest_safe_cell():
    found = consider(f"..\n0 0 4 4 0 3\n{FAR}\n1 1 5 4 4 3")
    assert found[:2] == ("evade", "walks to the nearest safe cell") and found[2] in ("up", "down")


def test_bombs_farther_than_5_are_not_around():
    assert consider(f"..\n0 0 0 0 0 3\n{FAR}\n1 1 7 0 3 12")[0] == "explore"


def test_a_first_step_that_stays_in_reach_is_left_to_the_search():
    corridor = f"""
        ...
        .X0
        0..
        0 0 0 0 0 3
        {FAR}
        1 1 0 0 5 3
        """
    found = consider(corridor)
    assert found[:2] == ("evade", "the first step to the nearest safe cell is still in reach of a bomb")
    searched(corridor)


# Exploring


def test_it_bombs_a_box_where_it_can_get_away():
    state, reason, action = consider(f"...0\n0 0 2 0 1 3\n{FAR}")
    assert (state, reason) == ("explore", "bombs a box") and action in ("left+bomb", "down+bomb")


def test_it_walks_to_the_nearest_item():
    assert consider(f"...\n0 0 2 0 1 3\n{FAR}\n2 0 5 0 1 1") == (
        "explore",
        "walks to the nearest item or box to bomb",
        "right",
    )


def test_a_box_that_a_bomb_will_hit_is_no_goal():
    assert consider(f".....0\n0 0 0 0 1 3\n{FAR}\n1 1 7 0 8 3")[1].startswith("nothing to bomb or fetch")


def test_without_goals_it_walks_to_the_cell_it_visited_least_and_sees_earlier_turns_again():
    for visited, move in (((1, 0), "down"), ((0, 1), "right")):
        position, machine = drawn(f"..\n0 0 0 0 0 3\n{FAR}", turn=3), hybrid("hybrid:heuristic")
        earlier = drawn(f"..\n0 0 {visited[0]} {visited[1]} 0 3\n{FAR}", turn=2)
        machine.start_game(position.map, 0, 7)
        machine.see(earlier.state, 0)
        assert MOVES[machine.decide(position.state, 0, Budget(nodes=1)).action] == move


def test_in_range_of_a_bomb_may_be_read_as_ticks_instead_of_cells():
    text = """
        .........
        .X.X.X.X.
        0 0 0 0 1 3
        1 1 7 0 {fuse} 10
        """
    for near, fuse, state in [("cells", 5, "explore"), ("ticks", 5, "evade"), ("ticks", 6, "explore")]:
        assert consider(text.format(fuse=fuse), f"hybrid:heuristic,near={near}")[0] == state


def test_a_player_on_an_item_who_could_not_flee_from_a_bomb_stays():
    assert consider(f".0\n0X\n0 0 0 0 1 3\n2 0 0 0 1 1\n{FAR}")[2] == "stay"
