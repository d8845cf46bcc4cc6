"""Ranges and coordinates: what is written is what is tried, and all parameters look alike to the search."""

import pytest

from engine.errors import HsctlError
from hsctl.research.tune.subject import format_value, new_tunable, read_ranges


def test_ranges_are_read_with_and_without_numbers() -> None:
    assert read_ranges("width=100..2000,box") == {"width": [100, 2000], "box": []}
    assert read_ranges("a=-1..-0.5, b=0..1e-3..2") == {"a": [-1, -0.5], "b": [0, 1e-3, 2]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("box=3..1", "expected a range LOW..HIGH"),
        ("box=1..1", "expected a range LOW..HIGH"),
        ("box=1", "expected a range LOW..HIGH"),
        ("box=1..x", "expected a range LOW..HIGH"),
        ("box=0..inf", "expected a range LOW..HIGH"),
        ("box=0..nan", "expected a range LOW..HIGH"),
        ("box=2..1..3", "expected a range LOW..HIGH"),
        ("box,,item", "expected NAME or NAME=LOW..HIGH"),
        ("=1..2", "expected NAME or NAME=LOW..HIGH"),
        ("box,box=1..2", "box is named twice"),
    ],
)
def test_wrong_ranges_are_refused(text: str, told: str) -> None:
    with pytest.raises(HsctlError, match=told.replace(".", r"\.")):
        read_ranges(text)


def test_the_start_is_0_and_the_ends_are_the_ends() -> None:
    each = new_tunable("box", 0, 3, 1, float, has_range=True)
    assert each.value(0.0) == 1
    assert [each.value(end) for end in each.ends] == [0, 3]
    assert each.value(-99) == 0 and each.value(99) == 3


def test_a_start_out_of_the_range_is_moved_to_its_middle() -> None:
    assert new_tunable("width", 100, 2000, 32000, int, has_range=True).value(0.0) == 1050


def test_far_bounds_are_reached_though_the_first_step_is_small() -> None:
    each = new_tunable("box", -1e6, 1e6, 2.0, float, has_range=False)
    assert each.is_stretched and 0 < each.value(-1.0) < 2 < each.value(1.0) < 4
    assert [each.value(end) for end in each.ends] == [-1e6, 1e6]
    assert each.coordinate(float(each.value(1.7))) == pytest.approx(1.7, abs=1e-3)


def test_whole_numbers_and_switches_keep_their_kind() -> None:
    width = new_tunable("width", 1, 9, 4, int, has_range=True)
    assert {type(width.value(at / 10)) for at in range(-40, 40)} == {int}
    assert {width.value(at / 10) for at in range(-40, 40)} == set(range(1, 10))
    switch = new_tunable("op", 0, 1, True, bool, has_range=True)
    assert switch.value(0.0) is True and switch.value(switch.ends[0]) is False


def test_values_are_written_without_exponent() -> None:
    written = [format_value(value) for value in (True, False, 7, 2.0, 0.25, 1e-05, 1e6, -3.5)]
    assert written == ["on", "off", "7", "2", "0.25", "0.00001", "1000000", "-3.5"]
