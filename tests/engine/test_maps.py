"""Seeded boards: Java's random numbers, and the properties that the arena's generator promises."""

from collections import Counter

import pytest

from engine.board import HEIGHT, WIDTH, is_wall
from engine.errors import EngineError
from engine.game import Game
from engine.maps import CORNERS, JavaRandom, Options, draw_boxes, parse_options
from engine.notation import format_position
from engine.position import BOMB_ITEM, RANGE_ITEM

SEEDS = range(-100, 400)

# Printed by java.util.Random: ten numbers below 10, then four below each of the other bounds.
JAVA = {
    42: ([0, 3, 8, 4, 0, 5, 5, 8, 9, 3], [2, 26, 24, 0], [4, 11, 7, 12], [326327863, 937357226, 944462913, 830146030]),
    0: ([0, 8, 9, 7, 5, 3, 1, 1, 9, 4], [5, 17, 29, 10], [15, 15, 14, 0], [377907320, 590459143, 672024888, 276804524]),
    -1: (
        [3, 5, 9, 9, 4, 8, 7, 8, 5, 1],
        [24, 20, 33, 28],
        [1, 11, 11, 14],
        [754206257, 975495143, 720466900, 499582545],
    ),
    1234567890123456789: (
        [1, 8, 6, 3, 0, 8, 7, 0, 4, 9],
        [34, 22, 1, 8],
        [0, 10, 11, 14],
        [561112998, 375168480, 721171026, 479310141],
    ),
}
BOUNDS = (10, 36, 16, (1 << 30) + 1)  # a power of two, and one for which Java draws again about every second time

# Printed by a Java program that follows the arena's generator.
SEED_42 = """\
..1120.0211..
.X0X1X.X1X0X.
2.0..121..0.2
1X.X2X.X2X.X1
..0.2.0.2.0..
.X.X.X.X.X.X.
..0.2.0.2.0..
1X.X2X.X2X.X1
2.0..121..0.2
.X0X1X.X1X0X.
..1120.0211..
"""
SEED_MINUS_7 = """\
..2.0...0.2..
.X0X.X.X.X0X.
2..1..1..1..2
1X1X0X0X0X1X1
202..1.1..202
.X0X.X2X.X0X.
202..1.1..202
1X1X0X0X0X1X1
2..1..1..1..2
.X0X.X.X.X0X.
..2.0...0.2..
"""


def target_of(seed):
    return 30 + JavaRandom(seed).next_int(36)


@pytest.mark.parametrize("seed", JAVA)
def test_random_numbers_are_those_of_java(seed):
    random = JavaRandom(seed)
    for bound, expected in zip(BOUNDS, JAVA[seed], strict=True):
        assert [random.next_int(bound) for _ in expected] == expected


@pytest.mark.parametrize(("seed", "drawn"), [(42, SEED_42), (-7, SEED_MINUS_7)])
def test_a_seed_gives_the_board_that_java_draws(seed, drawn):
    assert format_position(Game.start(seed, 2)).startswith(drawn)


def test_every_board_is_symmetric_in_boxes_and_contents():
    for seed in SEEDS:
        boxes = draw_boxes(seed)
        for (x, y), content in boxes.items():
            assert boxes[WIDTH - 1 - x, y] == boxes[x, HEIGHT - 1 - y] == content


def test_there_are_as_many_boxes_as_drawn_or_up_to_three_more():
    extra = Counter(len(draw_boxes(seed)) - target_of(seed) for seed in SEEDS)
    assert set(extra) == {0, 1, 2, 3}


def test_a_third_of_the_boxes_holds_each_kind_of_item_or_up_to_three_more():
    """The last group that a quota allows is filled whole."""
    for seed in SEEDS:
        boxes, quota = Counter(draw_boxes(seed).values()), target_of(seed) // 3
        assert boxes[RANGE_ITEM] - quota in range(4)
        assert boxes[BOMB_ITEM] - quota in range(4)


def test_no_box_stands_on_a_wall_a_corner_or_next_to_one():
    for seed in SEEDS:
        for x, y in draw_boxes(seed):
            assert not is_wall(x, y)
            assert all(abs(x - corner_x) + abs(y - corner_y) >= 2 for corner_x, corner_y in CORNERS)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_players_start_in_their_corners_with_one_bomb_and_range_3(seats):
    lines = ["0 0 0 0 1 3", "0 1 12 10 1 3", "0 2 12 0 1 3", "0 3 0 10 1 3"]
    assert format_position(Game.start(7, seats)).splitlines()[HEIGHT:] == [str(seats), *lines[:seats]]


# Options


def test_boxes_as_an_option_change_the_items_of_some_seeds_and_no_cell():
    others = 0
    for seed in SEEDS:
        boxes = draw_boxes(seed)
        given_back = draw_boxes(seed, len(boxes))
        assert given_back.keys() == boxes.keys()
        others += given_back != boxes
    assert 0.1 < others / len(SEEDS) < 0.2


def test_boxes_as_an_option_set_the_quotas():
    """The last group that a quota allows is filled whole."""
    counts = Counter(draw_boxes(1, 34).values())
    assert counts[RANGE_ITEM] - 34 // 3 in range(4)
    assert counts[BOMB_ITEM] - 34 // 3 in range(4)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("seed=795417439\nboxes=34\n", Options(795417439, 34)),
        (" seed = -7 ", Options(-7)),
        ("boxes=34 seed=1 WIDTH=13 GAME_VERSION=4", Options(1, 34)),
    ],
)
def test_the_arenas_options_are_read(text, options):
    assert parse_options(text) == options


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "seed=N"),
        ("boxes=34", "seed=N"),
        ("seed=x", "seed=x"),
        ("seed=1 seed=2", "seed=2"),
        ("seed=9999999999999999999", "seed=N"),
        ("seed=1 boxes=-3", "boxes=-3"),
        ("seed=1 bombs=3", "bombs=3"),
        ("seed=1 BOMB_FUSE=6", "BOMB_FUSE=6"),
    ],
)
def test_options_of_another_game_are_refused(text, named):
    with pytest.raises(EngineError, match=named):
        parse_options(text)
