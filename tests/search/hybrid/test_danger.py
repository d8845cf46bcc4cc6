"""Where hybrid may drop a bomb, and the ways over the board."""

import numpy as np

from engine.board import MOVES, X_OF, Y_OF, cells_of, words_of
from engine.cells import with_two_neighbours
from search.common.first_moves import members
from search.hybrid.machine import NO_WAY, escapes, first_step, foresee, free_cells, is_shut_off, make_danger, reachable
from tests.kernels import entries_in
from tests.search.hybrid.hybrids import FAR, cell_at
from tests.search.positions import Position, drawn, random_positions

globals().update(entries_in(globals()))

# No suicide


def allowed(text: str) -> list[str]:
    """After which moves a bomb of player 0 is no suicide."""
    position = drawn(text)
    danger = make_danger(5)
    foresee(position.state, position.map, danger)
    me = int(position.state.players[0])
    alone = is_shut_off(position.state, 0)
    moves, best = escapes(position.state, danger, np.uint64(me & 0xFF), np.uint64(me >> 8 & 0xFF), alone)
    assert (int(best) in members(int(moves))) == (moves != 0)
    return [MOVES[move] for move in members(int(moves))]


def test_a_dead_end_is_no_place_for_a_bomb():
    assert allowed(f"...0\n0X0\n0 0 1 0 1 4\n{FAR}") == []


def test_around_the_corner_is_an_escape():
    assert "right" in allowed(f"....\n0 0 1 0 1 4\n{FAR}")


def test_an_escape_needs_two_free_neighbours_where_others_can_come():
    pocket = "..0\n.X.\n0.."
    assert allowed(f"{pocket}\n0 0 1 0 1 3\n{FAR}") == ["stay", "left"]
    assert allowed(f"{pocket}\n0 0 1 0 1 3\n0 1 0 0 1 3") == []


def test_a_bomb_that_another_sets_off_leaves_less_time():
    assert allowed(f"...\n0 0 0 0 1 3\n{FAR}") != []
    assert allowed(f"...\n0 0 0 0 1 3\n{FAR}\n1 1 1 0 2 3") == []


def test_cells_with_two_free_neighbours_are_those_of_a_plain_count():
    for position in random_positions(20, seed=8):
        free = free_cells(tuple(position.state.blocked))
        cells = set(cells_of(np.array(free, np.uint64)))
        plain = {(x, y) for x, y in cells if len(cells & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}) >= 2}
        assert set(cells_of(np.array(with_two_neighbours(free), np.uint64))) == plain


# Ways


def test_the_first_step_is_that_of_a_shortest_way():
    position = drawn("...0\n0X.X\n....\n0 0 0 0 1 3")
    blocked = tuple(position.state.blocked)
    for goal, wanted in (((0, 2), ("right", 6)), ((2, 0), ("right", 2)), ((0, 0), ("stay", 0))):
        move, steps = first_step(cell_at(0, 0), tuple(words_of([goal])), blocked)
        assert (MOVES[move], steps) == wanted
    assert first_step(cell_at(0, 0), tuple(words_of([(3, 0)])), tuple(words_of([(1, 0), (0, 1)]))) == (NO_WAY, NO_WAY)


def test_ways_of_random_boards_are_those_of_a_plain_search():
    for position in random_positions(20, seed=9):
        blocked = tuple(position.state.blocked)
        start = np.uint64(int(position.state.players[position.player]) & 0xFF)
        distances = plain_distances(position)
        assert set(cells_of(np.array(reachable(start, blocked)))) == set(distances)
        for goal, distance in list(distances.items())[::5]:
            assert first_step(start, tuple(words_of([goal])), blocked)[1] == distance


def plain_distances(position: Position) -> dict[tuple[int, int], int]:
    """Steps from the player to every cell that can be reached."""
    free = set(cells_of(~position.state.blocked))
    cell = int(position.state.players[position.player]) & 0xFF
    start = int(X_OF[cell]), int(Y_OF[cell])
    distances, queue = {start: 0}, [start]
    for x, y in queue:
        for to in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if to in free and to not in distances:
                distances[to] = distances[x, y] + 1
                queue.append(to)
    return distances
