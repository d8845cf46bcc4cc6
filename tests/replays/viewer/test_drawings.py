"""What a bot draws, in the stepper: marks and paths on the board, words beside it, a chart of its values."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from replays.annotations import COLOURS
from replays.playback import Playback, load
from replays.render.board import PLAYERS
from replays.render.overlays import overlay_of, paint
from replays.render.timeline import TimelineView
from replays.replay import Move
from replays.viewer.app import Stepper
from tests.replays.viewer.driving import LARGE, SIZES, SMALL, board_lines, drive, shown

TURN = 20
DRAWN = """thinking
@cell 8 0 12.5 red
@cell 8 2 hi
@cell 4 4 1000
@path 6,0 7,0 8,0 8,1 blue
@value {value}
@text going for the box
"""


@pytest.fixture
def drawn() -> Playback:
    """The golden game, in which player 1 draws on every second turn from 20 on, and on turn 22 something wrong."""
    playback = load(Path(__file__).parents[1] / "golden.json")
    for turn in range(TURN, playback.end_turn, 2):
        move = playback.moves_at(turn)[1]
        if move is not None:
            move.stderr = DRAWN.format(value=turn / 4) + ("@cell 99 0\n" if turn == 22 else "")
    return playback


def test_where_a_path_crosses_a_mark_it_gives_the_colour_and_the_mark_its_text(drawn: Playback) -> None:
    marks, legend = overlay_of("drawing", drawn.game_at(TURN), 1, drawn.moves_at(TURN)[1])
    blue, red, own = paint(COLOURS["blue"]), paint(COLOURS["red"]), paint(PLAYERS[1].style)
    assert marks == {
        (6, 0): ("→", blue),
        (7, 0): ("→", blue),
        (8, 0): ("12.5", blue),
        (8, 1): ("◎", blue),
        (8, 2): ("hi", own),
        (4, 4): ("1000", own),
    }
    assert red not in {mark.style for mark in marks.values()}
    assert legend == "drawing: player 1: going for the box"


@pytest.mark.parametrize(
    ("start", "end", "arrow"), [("0,0", "2,4", "↓"), ("4,4", "0,4", "←"), ("0,8", "0,2", "↑"), ("0,0", "4,2", "→")]
)
def test_an_arrow_points_along_the_longer_way(start: str, end: str, arrow: str, drawn: Playback) -> None:
    marks = overlay_of("drawing", drawn.game_at(0), 0, Move(0, stderr=f"@path {start} {end} 6,6")).marks
    x, y = map(int, start.split(","))
    assert (marks[x, y].text, marks[6, 6].text) == (arrow, "◎")


@SIZES
def test_the_stepper_shows_what_was_drawn_until_it_is_told_not_to(drawn: Playback, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("1")
        screen = "\n".join(shown(app))
        assert "drawing: player 1: going for the box" in screen and "■ going for the box" in screen
        assert ("value 5" if size == LARGE else " 5\n") in screen
        assert ("12.5" if size == LARGE else "12 ") in "\n".join(board_lines(app))
        await pilot.press("t")
        assert "12" not in "".join(board_lines(app)[1:4]) and "■ going for" not in "\n".join(shown(app))
        await pilot.press("x")
        assert "danger" in "\n".join(shown(app))
        await pilot.press("t", "0")
        assert "drawing: player 0 drew nothing" in "\n".join(shown(app))

    drive(Stepper(drawn, TURN), size, play)


def test_a_wrong_line_is_a_note_on_its_turn(drawn: Playback) -> None:
    assert drawn.notes_before(TURN) == []
    (note,) = drawn.notes_before(22)
    assert note.startswith("player 1: cannot read '@cell 99 0': expected `@cell x y`")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("n")
        assert app.turn == 22 and "cannot read '@cell 99 0'" in " ".join(shown(app))

    drive(Stepper(drawn, TURN), LARGE, play)


def test_the_chart_of_values_is_each_players_own(drawn: Playback) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        view = TimelineView(app.landmarks, TURN, 80, 10, shows_values=True)
        assert view.limits_of(1, True) == (5.0, 20.5) and view.limits_of(0, True) == (0.731, 0.731)
        columns = [view.column_of(turn) for turn in (18, 20, 82)]
        assert [view.parts[1][column] for column in columns] == [None, 0.0, 1.0]
        assert view.label(1).split() == ["■1", "5"]
        await pilot.press("y")
        assert any(line.startswith("■1   5 ") for line in shown(app))
        await pilot.press("y")
        assert not any(line.startswith("■1   5 ") for line in shown(app))

    drive(Stepper(drawn, TURN), SMALL, play)


def test_without_values_there_is_no_chart_of_them(drawn: Playback) -> None:
    for turn in drawn.replay.turns:
        for move in filter(None, turn.moves):
            move.stderr, move.thought = "", None

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("y")
        assert "no player told what a position was worth" in "\n".join(shown(app))

    drive(Stepper(drawn, TURN), SMALL, play)
