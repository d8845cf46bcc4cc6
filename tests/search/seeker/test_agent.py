"""The goal-seeker: ways that are shortest and safe, goals worth what is there, plans that can be played."""

import numpy as np
import pytest

from engine.board import CELLS, cell_number
from engine.rules import play_round
from engine.state import copy_state
from engine.survival import is_survivable
from search.agent import Budget
from search.seeker.agent import drop_walking
from search.seeker.params import SeekerParams
from search.seeker.plans import NO_WAY, find_way, list_goals, look_ahead, make_goals, make_ways, make_worth, next_bomb
from tests.kernels import entries_in
from tests.search.positions import Position, agent, choice, decide, drawn, random_positions

globals().update(entries_in(globals()))

NODES = 3_000
LONGEST = 24


def way(position: Position, goal: tuple[int, int], not_before: int = 0) -> tuple[int, list[int]]:
    """The rounds and moves of the way from the player's cell to a goal."""
    ways = make_ways()
    look_ahead(ways, position.state, position.map)
    home = np.uint64(int(position.state.players[position.player]) & 0xFF)
    rounds, _looked = find_way(ways, home, np.uint64(cell_number(*goal)), not_before, LONGEST)
    return rounds, [int(move) for move in ways.moves[: max(0, rounds)]]


def first_arrivals(position: Position) -> dict[int, int]:
    """In which round each cell can be reached at the earliest by moves that are played and survived, by brute force."""
    arrivals: dict[int, int] = {}
    layer = {position.state.tobytes(): copy_state(position.state)}
    player = position.player
    for rounds in range(8):
        following: dict[bytes, np.record] = {}
        for state in layer.values():
            for move in range(5):
                after = copy_state(state)
                play_round(after, position.map, np.uint64(move << 4 * player))
                if after.players[player]:
                    arrivals.setdefault(int(state.players[player]) & 0xFF, rounds)
                    following[after.tobytes()] = after
        layer = following
    return arrivals


def test_a_way_arrives_as_early_as_brute_force_does():
    compared = 0
    for position in random_positions(12, seed=1):
        position.state.items[:] = 0  # an item taken changes the fires
        ways = make_ways()
        look_ahead(ways, position.state, position.map)
        home = np.uint64(int(position.state.players[position.player]) & 0xFF)
        arrivals = first_arrivals(position)
        for cell in sorted({int(cell) for cell in CELLS.flatten() if cell} - {0}):
            rounds, _looked = find_way(ways, home, np.uint64(cell), 0, 7)
            expected = arrivals.get(cell, NO_WAY)
            assert rounds == expected
            compared += rounds > 0
    assert compared > 100


def test_a_way_waits_until_a_fire_is_over():
    # The bomb in the way burns (1, 0) to (5, 0) in the third round; whoever enters just then is safe.
    corridor = drawn(
        """
        .....0
        0X0X
        0 0 0 0 0 1
        1 1 3 0 3 3
        """
    )
    rounds, _moves = way(corridor, (4, 0))
    assert rounds == 6  # two more than without it


def test_a_way_can_be_told_not_to_arrive_before_a_round():
    rounds, moves = way(drawn("....\n0 0 0 0 1 3"), (2, 0), not_before=5)
    assert rounds == 5 and len(moves) == 5


def test_there_is_no_way_through_boxes():
    assert way(drawn(".00\n0X0\n0 0 0 0 1 3"), (6, 6)) == (NO_WAY, [])


def goals_of(position: Position) -> dict[tuple[int, int], tuple[float, bool]]:
    """The goals by their cell: what each is worth, and whether it is to be bombed."""
    ways, goals = make_ways(), make_goals(1, 16)
    look_ahead(ways, position.state, position.map)
    list_goals(goals, ways, 0, position.state, position.map, position.player, make_worth(SeekerParams()), LONGEST)
    cells = {cell_number(x, y): (x, y) for y in range(11) for x in range(13) if not (x % 2 and y % 2)}
    return {
        cells[int(goals.cell[0, k])]: (float(goals.worth[0, k]), bool(goals.drops[0, k]))
        for k in range(int(goals.found[0]))
    }


def test_goals_are_items_and_cells_from_which_boxes_are_hit():
    position = drawn(
        """
        ...02
        .X
        0 0 0 0 1 3
        2 0 0 2 1 1
        """
    )
    found = goals_of(position)
    assert found[2, 0] == (1.0, True)
    assert found[0, 2] == (0.5, False)
    assert (0, 0) not in found


def test_a_box_that_a_bomb_will_destroy_is_no_goal():
    assert goals_of(drawn("...0\n.X\n0 0 0 0 1 3\n1 1 2 0 5 3")) == {}


@pytest.mark.parametrize(("fuse", "ready"), [(1, 1), (5, 5), (8, 8)])
def test_a_bomb_that_is_out_is_there_again_after_its_fire(fuse, ready):
    position = drawn(f"....\n0 0 0 0 0 3\n1 0 2 0 {fuse} 3")
    ways = make_ways()
    look_ahead(ways, position.state, position.map)
    assert next_bomb(ways, position.state, 0) == ready


def test_plans_can_be_played_and_survived():
    seeker = agent("seeker")
    planned = 0
    for position in random_positions(30, seed=2):
        decide(seeker, position, Budget(nodes=NODES))
        state = copy_state(position.state)
        for action in seeker.plans.best[: int(seeker.seeking.best_rounds)]:
            play_round(state, position.map, np.uint64(int(action) << 4 * position.player))
            assert is_survivable(state, position.map, position.player)
            planned += 1
    assert planned > 100


def test_more_goals_of_each_state_never_make_a_plan_worse():
    for position in random_positions(10, seed=3):
        values = [decide(agent("seeker"), position, Budget(nodes=nodes)).value or 0.0 for nodes in (500, 2_000, 8_000)]
        assert values == sorted(values)


def test_it_fetches_an_item_and_bombs_a_box():
    assert choice("seeker", drawn("....\n.X\n0 0 0 0 1 3\n2 0 2 0 2 2"), 500) == "right"
    assert choice("seeker", drawn("...0\n.X\n0 0 2 0 1 3"), 500).endswith("bomb")


def test_the_first_bomb_is_dropped_while_walking_on_where_that_may_be():
    assert drop_walking([5, 2, 2], 1 << 7) == [7, 2]
    assert drop_walking([5, 2, 2], 1 << 5) == [5, 2, 2]
    assert drop_walking([2, 5], 1 << 2) == [2, 5]
