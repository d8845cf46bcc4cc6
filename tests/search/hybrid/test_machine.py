"""The state machine of hybrid: when it changes state, and what its rules do."""

import pytest

from engine.board import MOVES
from search.agent import Budget
from search.hybrid.machine import STATES
from tests.search.hybrid.hybrids import FAR, NODES, consider, hybrid, searched
from tests.search.positions import drawn

ALONE = f"..\n0 0 4 4 0 3\n{FAR}"  # without a bomb, far from all others
CORRIDOR = f"""
    ...
    .X0
    0..
    0 0 0 0 0 3
    {FAR}
    1 1 0 0 5 3
    """
ROW = """
    .........
    .X.X.X.X.
    0 0 0 0 1 3
    1 1 7 0 {fuse} 10
    """


@pytest.mark.parametrize(
    ("text", "spec", "state", "reason", "actions"),
    [
        pytest.param(f"..0\n0 0 0 0 1 3\n{FAR}", "", "explore", "", "", id="no danger, no opponent"),
        ("..\n0 0 0 0 1 3\n0 1 6 0 1 3", "", "attack", "walks to the opponent", "right"),
        pytest.param("..\n0 0 0 0 0 3\n0 1 6 0 1 3", "", "explore", "", "", id="without a bomb no attack"),
        pytest.param("..\n0 0 0 0 1 3\n0 1 7 0 1 3", "", "explore", "", "", id="too far for an attack"),
        pytest.param(
            "..\n0 0 4 4 1 3\n0 1 5 4 1 3",
            "",
            "attack",
            "",
            "stay+bomb left+bomb right+bomb up+bomb down+bomb",
            id="an opponent next to it",
        ),
        ("..0\n.X.\n0..\n0 0 0 0 1 3\n0 1 6 0 1 3", "", "attack", "there is no way to the opponent", ""),
        pytest.param(f"{ALONE}\n1 0 4 4 6 3", "", "evade", "", "", id="one bomb is dangerous below 7 ticks"),
        (f"{ALONE}\n1 0 4 4 7 3", "", "explore", "", ""),
        (f"{ALONE}\n1 0 4 4 8 3", "", "explore", "", ""),
        pytest.param(f"{ALONE}\n1 0 4 6 8 3\n1 1 8 4 8 2", "", "evade", "", "", id="two below 9"),
        pytest.param(f"{ALONE}\n1 0 4 4 2 3", ",scaled", "evade", "", "", id="25 ticks a fuse"),
        (f"{ALONE}\n1 0 4 4 3 3", ",scaled", "explore", "", ""),
        pytest.param(  # the row of the bomb burns; the cell above doesn't, but stepping down would
            f"..\n0 0 4 3 0 3\n{FAR}\n1 1 5 4 4 3", "", "evade", "waits on a safe cell", "stay", id="waits"
        ),
        (f"{ALONE}\n1 1 5 4 4 3", "", "evade", "walks to the nearest safe cell", "up down"),
        pytest.param(f"..\n0 0 0 0 0 3\n{FAR}\n1 1 7 0 3 12", "", "explore", "", "", id="a bomb farther than 5"),
        (CORRIDOR, "", "evade", "the first step to the nearest safe cell is still in reach", ""),
        (f"...0\n0 0 2 0 1 3\n{FAR}", "", "explore", "bombs a box", "left+bomb down+bomb"),
        (f"...\n0 0 2 0 1 3\n{FAR}\n2 0 5 0 1 1", "", "explore", "walks to the nearest item", "right"),
        (f".....0\n0 0 0 0 1 3\n{FAR}\n1 1 7 0 8 3", "", "explore", "nothing to bomb or fetch", ""),
        pytest.param(ROW.format(fuse=5), ",near=cells", "explore", "", "", id="range of a bomb in cells"),
        pytest.param(ROW.format(fuse=5), ",near=ticks", "evade", "", "", id="in ticks"),
        (ROW.format(fuse=6), ",near=ticks", "explore", "", ""),
        pytest.param(
            f".0\n0X\n0 0 0 0 1 3\n2 0 0 0 1 1\n{FAR}", "", "explore", "", "stay", id="on an item without escape"
        ),
    ],
)
def test_the_rules_choose_state_reason_and_action(text, spec, state, reason, actions):
    found = consider(text, f"hybrid:heuristic{spec}")
    assert found[0] == state and found[1].startswith(reason) and (not actions or found[2] in actions.split())


def test_a_first_step_that_stays_in_reach_is_left_to_the_search():
    searched(CORRIDOR)


def test_the_attack_is_searched_within_4():
    for distance, is_close in ((4, True), (5, False)):
        consider(f"..\n0 0 0 0 1 3\n0 1 {distance} 0 1 3")
        assert bool(hybrid("hybrid:heuristic").machine.searches) == is_close


def test_a_teammate_is_not_an_opponent():
    position, machine = drawn("..\n0 0 0 0 1 3\n0 1 3 0 1 3\n0 2 12 10 1 3"), hybrid()
    machine.start_game(position.map, 0, 7, mates=(1,))
    machine.decide(position.state, 0, Budget(nodes=NODES))
    assert STATES[machine.machine.state] == "explore" and machine.machine.rival == 2


def test_without_goals_it_walks_to_the_cell_it_visited_least_and_sees_earlier_turns_again():
    for visited, move in (((1, 0), "down"), ((0, 1), "right")):
        position, machine = drawn(f"..\n0 0 0 0 0 3\n{FAR}", turn=3), hybrid("hybrid:heuristic")
        earlier = drawn(f"..\n0 0 {visited[0]} {visited[1]} 0 3\n{FAR}", turn=2)
        machine.start_game(position.map, 0, 7)
        machine.see(earlier.state, 0)
        assert MOVES[machine.decide(position.state, 0, Budget(nodes=1)).action] == move
