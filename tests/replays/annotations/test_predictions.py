"""What bots predict on stderr: which forms are read, and what is told where they are wrong."""

import pytest

from engine.game import Game
from engine.notation import format_position, parse_position
from replays.annotations import Annotation, Predictions, annotations_in
from tests.engine.draw import board

BEFORE = """
    .0
    0 0 0 0 1 3
    0 1 12 10 1 3
    1 1 3 0 1 3
    1 0 8 4 5 3
    2 0 2 4 1 1
    """


def play(*lines: str) -> Predictions:
    """What comes of these lines of player 0 on turn 7 of a position in which a box burns and everybody stays."""
    game = parse_position(board(BEFORE), turn=7)
    predictions = Predictions()
    stderr = "".join(f"{line}\n" for line in lines)
    for said in (stderr, "", ""):
        game.step([0, 0])
        predictions.follow([said, ""], game)
    return predictions


def test_remarks_are_lines_that_begin_with_the_word() -> None:
    stderr = "@predict 3,4 .\nsee @predict\n @predict no\n@predictor 1\n@predict   +2  0 1  \r\n@predict\n@value 7.3\n"
    arguments = [annotation.arguments for annotation in annotations_in(stderr, "predict")]
    assert arguments == [("3,4", "."), ("+2", "0", "1"), ()]
    assert list(annotations_in(stderr, "value")) == [Annotation("value", ("7.3",))]


@pytest.mark.parametrize(
    "line",
    [
        "1,0 .",
        "row 0 .............",
        "row 0 ???????????.?",
        "0 0 0 0 1 3",
        "0 0 0 0",
        "0 1 ? ? 2",
        "1 0 8 4 4 3",
        "2 0 2 4 1 1",
        "no 1 1",
        "no 1 ? 3 0",
        "+1 1,0 .",
        "+3 1 0 8 4 2",
    ],
)
def test_what_comes_true_is_checked_and_right(line: str) -> None:
    predictions = play(f"@predict {line}")
    assert (predictions.checked, predictions.wrong) == ({0: 1}, [])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1,0 0", "turn 8, cell 1,0: predicted `0`, found `.`"),
        ("row 0 .0...........", "turn 8, cell 1,0: predicted `0`, found `.`"),
        ("0 0 1 0", "turn 8, cell 1,0: predicted `0 0 1 0`, found `0 0 0 0 1 3`"),
        ("1 0 8 4 5 3", "turn 8, cell 8,4: predicted `1 0 8 4 5 3`, found `1 0 8 4 4 3`"),
        ("1 1 3 0 0 3", "turn 8, cell 3,0: predicted `1 1 3 0 0 3`, found no such line"),
        ("no 0 1", "turn 8, cell 12,10: predicted no `0 1`, found `0 1 12 10 2 3`"),
        ("2 0 2 4 2 2", "turn 8, cell 2,4: predicted `2 0 2 4 2 2`, found `2 0 2 4 1 1`"),
        ("+3 1 0 8 4 3", "turn 10, cell 8,4: predicted `1 0 8 4 3`, found `1 0 8 4 2 3` (predicted on turn 7)"),
    ],
)
def test_the_first_wrong_prediction_is_named_with_turn_and_cell(line: str, told: str) -> None:
    predictions = play("@predict 1,0 .", f"@predict {line}")
    first = predictions.first_wrong(0)
    assert first and first.describe() == told
    assert predictions.checked == {0: 2}
    assert predictions.wrong_about(first.turn) == [first]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "13,0 .",
        "1,0 y",
        "row 11 .............",
        "row 0 ..",
        "+0 1,0 .",
        "+x 1,0 .",
        "3 0",
        "0 0 0 0 1 3 4",
    ],
)
def test_what_cannot_be_read_is_told(line: str) -> None:
    first = play(f"@predict {line}").first_wrong(0)
    assert first and first.describe().startswith(
        f"turn 7: cannot read '{f'@predict {line}'.strip()}': expected @predict"
    )


def test_what_is_about_a_turn_after_the_end_is_not_checked() -> None:
    predictions = play("@predict +4 1,0 0")
    assert (predictions.checked, predictions.wrong) == ({}, [])


def test_a_bots_own_text_of_the_next_input_can_be_printed_line_by_line() -> None:
    game = Game.start(1, 2)
    predictions = Predictions()
    after = game.copy()
    after.step([0, 0])
    rows, entities = format_position(after).splitlines()[:11], format_position(after).splitlines()[12:]
    lines = [*(f"@predict row {y} {row}" for y, row in enumerate(rows)), *(f"@predict {line}" for line in entities)]
    game.step([0, 0])
    predictions.follow(["\n".join(lines), ""], game)
    assert (predictions.checked, predictions.wrong) == ({0: 13}, [])
