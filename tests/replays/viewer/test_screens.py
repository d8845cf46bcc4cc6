"""The screens of the stepper: help, players, output, timeline, and the whole."""

import re

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from engine.game import Game
from replays.landmarks import Landmarks
from replays.playback import Playback
from replays.render.timeline import TimelineView
from replays.render.turn import PANEL_LINES, output_view, players_in_lines, players_in_panels
from replays.replay import Move
from replays.viewer.app import Stepper
from replays.viewer.dialogs import help_view
from tests.replays.recorded import record_game
from tests.replays.render.test_views import screen
from tests.replays.viewer.driving import SIZES, TURN, drive, shown


def position(playback: Playback, turn: int) -> tuple[Game, list[str], list[Move | None]]:
    return playback.game_at(turn), playback.specs, playback.moves_at(turn)


def test_the_help(snapshot: SnapshotAssertion) -> None:
    text = screen(help_view())
    assert len(text.splitlines()) <= 24
    assert text == snapshot


def test_players_in_lines(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(players_in_lines(*position(playback, 64), 1, 36)) == snapshot


def test_players_in_panels(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(players_in_panels(*position(playback, 64), 1, 89), width=89) == snapshot


def test_the_output_of_a_bot_and_the_thoughts_of_an_agent(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert [
        screen(output_view(playback, turn, seat)) for turn, seat in [(41, 1), (41, 0), (63, 2), (64, 2)]
    ] == snapshot


@pytest.mark.parametrize(("width", "height"), [(43, 7), (159, 22)])
def test_the_timeline(playback: Playback, snapshot: SnapshotAssertion, width: int, height: int) -> None:
    assert screen(TimelineView(Landmarks(playback), TURN, width, height), width=width) == snapshot


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("width", [35, 43, 70, 100, 110, 138, 160])
def test_the_numbers_of_turns_are_whole(width: int, seats: int) -> None:
    playback = Playback(record_game(5, seats, care=1.0))
    axis = TimelineView(Landmarks(playback), 0, width, 7).axis().plain
    numbers = [int(number) for number in axis.split()]
    assert len(axis) == width and len(numbers) > 1
    assert numbers == list(range(0, playback.end_turn + 1, numbers[1]))


@SIZES
def test_the_whole_screen(playback: Playback, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("x")
        assert "\n".join(shown(app)) == snapshot

    drive(Stepper(playback, 80), size, play)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("size", [(80, 24), (108, 34), (139, 40), (160, 50)])
def test_all_of_every_player_is_shown(size: tuple[int, int], seats: int) -> None:
    """Nothing is cut, and there is a gap between a move and its value."""
    playback = Playback(record_game(1, seats))

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        text = "\n".join(line[app.area.width - app.side_width :] for line in shown(app)[:25])
        assert "…" not in text
        assert len(re.findall(r"boxes 0\b", text)) == seats
        assert len(re.findall(r"bombs 1/1  range 3\b", text)) == seats
        assert text.count("98.7 ms  12.3k nodes  depth 8") == seats - 1
        assert len(re.findall(r"\s0\.731\b", text)) == seats - 1 and not re.search(r"\Svalue", text)
        assert text.count("╰─") + text.count("┗━") == (seats if app.has_panels else 0)

    drive(Stepper(playback, 0), size, play)


def test_a_line_that_is_too_long_leaves_a_panel_its_height(playback: Playback) -> None:
    text = screen(players_in_panels(*position(playback, 63), 1, 41), width=41)
    assert len(text.splitlines()) == 2 * PANEL_LINES
