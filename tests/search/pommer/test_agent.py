"""`pommer`: each of its rules on a drawn board, the first that applies winning."""

from engine.rules import ACTION_NAMES
from search.agent import Budget
from tests.search.positions import agent, decide, drawn


def does(text: str, spec: str = "pommer") -> str:
    return ACTION_NAMES[decide(agent(spec), drawn(text), Budget(nodes=1)).action]


def test_it_leaves_the_line_of_a_bomb_whatever_its_fuse():
    assert does("...\n.X.\n0 0 2 0 1 3\n1 1 0 0 8 3") in ("right", "down")


def test_it_walks_out_of_a_line_where_no_step_does():
    assert does("......0\n0X0X.X0\n0 0 2 0 1 3\n1 1 0 0 8 4") == "right"


def test_a_bomb_farther_than_its_range_is_no_danger():
    assert does("0..0...0\n0X0X0X0X\n0 0 2 0 0 3\n1 1 6 0 8 3") in ("left", "right")


def test_it_bombs_an_opponent_one_step_away_if_its_own_bomb_can_be_left():
    assert does("...\n.X.\n0 0 0 0 1 3\n0 1 1 0 1 3").endswith("bomb")
    assert not does("..0\n0X0\n0 0 0 0 1 3\n0 1 1 0 1 3").endswith("bomb")


def test_it_walks_to_an_opponent_within_three_steps_before_items_and_boxes():
    assert does("....\n.X0X\n0 0 0 0 1 3\n0 1 3 0 1 3\n2 0 0 1 1 1") == "right"
    assert does(".....\n.X0X.\n0 0 0 0 1 3\n0 1 4 0 1 3\n2 0 0 1 1 1") == "down"


def test_it_bombs_a_box_next_to_and_walks_to_one_near():
    assert does("..0\n.X.\n.00\n0 0 1 0 1 3").endswith("bomb")
    assert does("..0\n.X0\n...\n0 0 0 0 1 3") == "right"
    assert does("..0\n.X0\n...\n0 0 0 0 0 3", "pommer:memory=0") in ("right", "down")  # no bomb left: anywhere


def test_a_step_without_a_goal_avoids_where_it_was_lately():
    found = agent("pommer")
    position = drawn("...\n0X0\n0 0 1 0 0 3")
    found.start_game(position.map, position.player, 1)
    for turn, (x, expected) in enumerate([(0, "right"), (1, "right")]):
        here = drawn(f"...\n0X0\n0 0 {x} 0 0 3")
        here.state.turn = turn
        assert ACTION_NAMES[found.decide(here.state, here.player, Budget(nodes=1)).action] == expected
