"""The opponent of a search for two is the nearest living one, by path, then by seat."""

from search.common.others import NO_PATH, nearest_rival, path_length
from tests.search.positions import drawn

CROSSROADS = """
    ........
    .X.X.X.X
    ...0
    0 0 0 0 1 3
    0 1 6 0 1 3
    0 2 2 2 1 3
    0 3 4 2 1 3
    """


def test_a_path_goes_around_boxes_and_walls():
    state = drawn(CROSSROADS).state
    assert [path_length(state, 0, other) for other in range(4)] == [0, 6, 4, 6]
    assert path_length(state, 2, 3) == 6  # not 2: there is a box between them


def test_the_nearest_is_the_opponent_and_of_equals_the_first_seat():
    state = drawn(CROSSROADS).state
    assert nearest_rival(state, 0) == 2
    state.players[2] = 0
    assert nearest_rival(state, 0) == 1
    state.players[1] = 0
    assert nearest_rival(state, 0) == 3
    state.players[3] = 0
    assert nearest_rival(state, 0) is None


def test_who_is_shut_in_is_farther_than_all_others():
    shut_in = drawn(
        """
        .0......
        0X.X.X.X
        ........
        0 0 2 2 1 3
        0 1 0 0 1 3
        0 2 12 10 1 3
        """
    )
    assert path_length(shut_in.state, 0, 1) == NO_PATH
    assert nearest_rival(shut_in.state, 0) == 2


def test_bombs_are_in_the_way_but_who_stands_on_one_is_reached():
    on_bombs = drawn(
        """
        ......0.
        .X0X.X0X
        0 0 0 0 1 3
        0 1 4 0 1 3
        0 2 0 10 1 3
        1 0 2 0 5 3
        1 1 4 0 6 3
        """
    )
    assert path_length(on_bombs.state, 0, 1) == 8  # round the bomb on (2, 0), up to the one on (4, 0)
