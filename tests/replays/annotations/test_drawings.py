"""What bots draw on stderr: which forms are read, what is bounded, and what is told of the rest."""

import re
from pathlib import Path as File

import pytest

from engine.game import Game
from replays.annotations import COLOURS, BotDrawing, Label, Path, read_drawing, tell_wrong
from replays.render.board import BoardView
from replays.render.overlays import overlay_of
from replays.replay import Move
from replays.text import fit, fit_number


def read(*lines: str) -> BotDrawing:
    return read_drawing("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("@cell 3 4 12.5 red", Label("12.5", "red")),
        ("@cell 3 4 12.5", Label("12.5")),
        ("@cell 3 4 red", Label("", "red")),
        ("@cell 3 4", Label()),
        ("@cell 3 4 red red", Label("red", "red")),
        ("@cell 3 4 pink", Label("pink")),
        ("@cell  3  4  √  grey ", Label("√", "grey")),
    ],
)
def test_a_cell_has_a_text_and_a_colour_that_may_be_left_out(line: str, label: Label) -> None:
    assert read(line) == BotDrawing({(3, 4): label})


def test_the_last_mark_of_a_cell_and_the_last_value_count() -> None:
    drawing = read("@cell 3 4 1", "@value 7.3", "@cell 3 4 2 blue", "@value -2e3")
    assert drawing == BotDrawing({(3, 4): Label("2", "blue")}, value=-2000.0)


def test_paths_and_texts_are_kept_in_order() -> None:
    drawing = read("@path 0,0 0,1 1,1", "@text going for  the box", "@path 12,10 0,0 cyan", "@text")
    assert drawing.paths == [Path(((0, 0), (0, 1), (1, 1))), Path(((12, 10), (0, 0)), "cyan")]
    assert drawing.texts == ["going for the box", ""]


@pytest.mark.parametrize(
    "line",
    [
        *("@cell", "@cell 3", "@cell 13 4", "@cell 3,4", "@cell -1 4", "@cell 3 4 1 2 red", "@cell 3 4 123456789"),
        *("@cell 3 4 \x1b[2J", "@cell 3 4 \u4e00", "@cell 3 4 a\u0301", "@cell 3 4 \u202e", "@cell 3 4 1 pink"),
        *("@path", "@path 0,0", "@path 0,0 red", "@path 0 0 0 1", "@path 0,0 0,11", "@path red 0,0 0,1"),
        *("@value", "@value x", "@value nan", "@value -inf", "@value 1e13", "@value 1 2", "@path 0,0 " + "0,1 " * 100),
    ],
)
def test_a_line_that_cannot_be_read_is_counted_and_told(line: str) -> None:
    drawing = read(line, "@cell 0 0 1", "@value")
    assert (drawing.cells, drawing.wrong) == ({(0, 0): Label("1")}, 2)
    assert drawing.first_wrong.startswith("cannot read '@") and "expected `@" in drawing.first_wrong
    assert drawing.first_wrong.isprintable() and len(drawing.first_wrong) < 250


def test_everything_is_bounded() -> None:
    drawing = read(*["@path 0,0 0,1"] * 20, *["@text " + "a" * 1000] * 10)
    assert (len(drawing.paths), len(drawing.texts), drawing.wrong) == (16, 8, 6)
    assert {len(text) for text in drawing.texts} == {200}
    assert drawing.first_wrong == "one @path too many: 16 are shown for a turn"


def test_words_are_cleaned() -> None:
    assert read("@text \x1b[2J\u202eevil").texts == ["\\x1b[2J\\u202eevil"]


def test_notes_name_the_player() -> None:
    assert tell_wrong(["", "@value\n@value\n@value 1\n"]) == [
        "player 1: cannot read '@value': expected `@value` and a number (and 1 more)"
    ]


def test_other_words_are_just_text() -> None:
    drawing = read("@cells 3 4", "cell 3 4", " @cell 3 4", "@predict 3,4 .")
    assert (drawing.is_empty, drawing.wrong) == (True, 0)


def test_colours_are_colours() -> None:
    assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour in COLOURS.values())


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [
        ("12.5", 4, "12.5"),
        ("12.5", 3, "12"),
        ("-12.75", 5, "-12.8"),
        ("0.3333", 3, "0.3"),
        ("1234.5", 3, "1k"),
        ("123456", 4, "123k"),
        ("1e11", 3, "…"),
        ("-999999", 3, "-1M"),
        ("nan-nan", 3, "nan"),
        ("right", 3, "rig"),
        ("1e999", 4, "1e99"),
    ],
)
def test_what_stands_on_a_cell_is_rounded_or_cut(text: str, width: int, fitted: str) -> None:
    assert fit(text, width) == fitted
    assert len(fitted) <= width


def test_no_number_is_wider_than_its_place() -> None:
    for value in (0.0, -0.004, 7.25, -99.96, 12345.678, -1e12, 1e12):
        assert all(0 < len(fit_number(value, width)) <= width for width in range(1, 9))


def test_the_documented_drawing_looks_as_documented() -> None:
    lines, drawn = re.findall(
        r"```text\n(.*?)```",
        (File(__file__).parents[3] / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8"),
        re.S,
    )
    game = Game.start(5, 2)
    marks, legend = overlay_of("drawing", game, 0, Move(0, stderr=lines))
    board = [line.plain.rstrip() for line in BoardView(game.state, game.map, (), marks).lines()]
    assert drawn.splitlines() == [*board[:4], legend]
    assert read_drawing(lines).value == 7.3 and not read_drawing(lines).wrong
