"""The screens of the stepper: help, players, output, timeline, and the whole."""

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from replays.look.landmarks import Landmarks
from replays.playback import Playback
from replays.viewer.app import Stepper
from replays.viewer.help import help_view
from replays.viewer.panels import output_view, players_in_lines, players_in_panels
from replays.viewer.timeline import TimelineView
from tests.replays.look.test_views import screen
from tests.replays.viewer.driving import SIZES, TURN, drive, shown


def test_the_help(snapshot: SnapshotAssertion) -> None:
    text = screen(help_view())
    assert len(text.splitlines()) <= 24
    assert text == snapshot


def test_players_in_lines(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(players_in_lines(playback, 64, 1, 36)) == snapshot


def test_players_in_panels(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert screen(players_in_panels(playback, 64, 1, 89), width=89) == snapshot


def test_the_output_of_a_bot_and_the_thoughts_of_an_agent(playback: Playback, snapshot: SnapshotAssertion) -> None:
    assert [
        screen(output_view(playback, turn, seat)) for turn, seat in [(41, 1), (41, 0), (63, 2), (64, 2)]
    ] == snapshot


@pytest.mark.parametrize(("width", "height"), [(43, 7), (159, 22)])
def test_the_timeline(playback: Playback, snapshot: SnapshotAssertion, width: int, height: int) -> None:
    assert screen(TimelineView(Landmarks(playback), TURN, width, height), width=width) == snapshot


@SIZES
def test_the_whole_screen(playback: Playback, snapshot: SnapshotAssertion, size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, Stepper)
        await pilot.press("x")
        assert "\n".join(shown(app)) == snapshot

    drive(Stepper(playback, 80), size, play)
