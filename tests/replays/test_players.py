"""A player is meant by seat, by name or by a part of it."""

import pytest

from replays.opening import fitting_seats, seat_of
from replays.replay import ReplayError

SPECS = ["beam", "beam:paper", "./buggy --fast", "Ann 7"]


@pytest.mark.parametrize(
    ("text", "seat"),
    [("0", 0), ("3", 3), ("beam", 0), ("BEAM:PAPER", 1), ("buggy", 2), ("./buggy --fast", 2), ("ann", 3), ("7", 3)],
)
def test_seat_name_or_a_part_of_it(text: str, seat: int) -> None:
    assert seat_of(text, SPECS) == seat


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bea", r"player 'bea' fits .* 0 \(beam\), 1 \(beam:paper\)"),
        ("4", r"no player '4'.* 0 \(beam\), 1 "),
        ("", "no player ''"),
        ("nobody", "no player 'nobody'"),
    ],
)
def test_what_means_nobody_or_several_is_refused_with_all_names(text: str, message: str) -> None:
    with pytest.raises(ReplayError, match=message):
        seat_of(text, SPECS)


def test_a_name_may_fit_several_where_all_are_wanted() -> None:
    assert fitting_seats("beam", ["beam", "mcts", "beam"]) == [0, 2]
