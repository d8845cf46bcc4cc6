"""What was wasted: each in a drawn game that shows it, and in one that doesn't."""

from engine.board import DOWN, LEFT, RIGHT, UP
from engine.rules import BOMB
from hsctl.analysis.review.document import Habits
from hsctl.analysis.review.habits import deeds_of, habits_of
from tests.hsctl.analysis.review.test_deaths import STAY, played

BOXES = """
    ...2...
    .X.X.X.
    .......
    0 0 0 0 1 3
    0 1 6 0 1 4
    """  # a box with a bomb item, three steps from both

SHUT_OUT = BOXES.replace("0 0 0 0 1 3", "0 0 1 0 1 3").replace("0 1 6 0 1 4", "0 1 6 2 1 5")


def habits_in(position: str, own: list[int | None], other: list[int | None]) -> Habits:
    return habits_of(played(position, own, other), 0)


def test_moves_there_and_back_are_wasted_and_a_bomb_in_between_makes_them_worth_it() -> None:
    assert habits_in(BOXES, [RIGHT, LEFT], []).wasted == [0]
    assert habits_in(BOXES, [RIGHT, BOMB + LEFT, DOWN, DOWN, RIGHT, RIGHT], []).wasted == []


def test_a_bomb_that_hits_nothing_is_idle() -> None:
    assert habits_in(BOXES, [STAY, BOMB + DOWN, DOWN, RIGHT], []).idle_bombs == [1]
    assert habits_in(BOXES, [RIGHT, BOMB + LEFT, DOWN, DOWN], []).idle_bombs == []


def test_a_box_that_was_nearer_goes_to_another() -> None:
    """Player 1 walks up and takes it from four cells away; player 0, two steps away from it, stands aside."""
    takes = [UP, UP, BOMB + DOWN, DOWN, RIGHT]
    assert habits_in(SHUT_OUT, [LEFT, DOWN, DOWN], takes).lost_boxes == [10]
    assert habits_in(BOXES, [STAY], [LEFT, BOMB + RIGHT, DOWN, DOWN]).lost_boxes == []  # equally near


def test_an_item_that_came_free_nearest_is_left_or_taken() -> None:
    far = BOXES.replace("0 1 6 0 1 4", "0 1 12 10 1 3")
    destroys = [RIGHT, BOMB + LEFT, DOWN, DOWN]
    assert habits_in(far, destroys, []).items_left == [9]
    fetches = [*destroys, *[STAY] * 6, UP, UP, RIGHT, RIGHT, RIGHT]
    assert habits_in(far, fetches, []).items_left == []
    assert habits_in(BOXES, destroys, [DOWN, DOWN]).items_left == []  # as far for both


def test_what_was_done_at_all_is_counted() -> None:
    assert deeds_of(played(BOXES, [], []), 0) == (0, 0, {})
    assert deeds_of(played(BOXES, [RIGHT, BOMB + LEFT, DOWN, DOWN], []), 0) == (4, 1, {})
