"""Live displays: compile progress, and the board of a game while it is played."""

import io
import threading

import pytest
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from hsctl.match.compiling import Progress
from hsctl.report import live_board as board
from hsctl.report.live import live_view, showing
from hsctl.report.live_board import GameScreen, live_board
from replays.playback import Playback
from tests.replays.recorded import record_game


def test_a_terminal_shows_the_line_below_what_one_waits_for() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    show = showing(console, lambda: Text("the board"))
    assert show is not None
    with show(Progress(["mcts", "the game"], 1)):
        pass
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.index("the board") < shown.index("compiling mcts")


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    assert showing(Console(file=io.StringIO())) is None


@pytest.fixture(scope="module", params=[2, 4])
def playback(request: pytest.FixtureRequest) -> Playback:
    return Playback(record_game(1, request.param))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
def test_every_position_fits_on_the_terminal(playback: Playback, size: tuple[int, int]) -> None:
    console = Console(file=io.StringIO(), width=size[0], height=size[1])
    for turn in range(playback.first_turn + 1, playback.end_turn + 1, 7):
        view = GameScreen(
            playback.replay, playback.game_at(turn), playback.moves_at(turn - 1), playback.events_before(turn), 1.0
        )
        lines = console.render_lines(view, console.options.update(width=size[0], height=size[1]))
        text = "\n".join("".join(segment.text for segment in line) for line in lines)
        assert text.count("boxes ") >= playback.seats and "┘" in text
        assert len(text[: text.index("└")].splitlines()) <= size[1] - 2


def test_a_game_is_drawn_between_turns_alone_and_its_end_stays(
    playback: Playback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players think between two calls of the watcher: then nothing may draw, also no thread."""
    monkeypatch.setattr(board, "FIRST_FRAME_S", 0.0)
    monkeypatch.setattr(board, "FRAME_S", 0.0)
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)
    threads, replay, drawn = threading.active_count(), playback.replay, 0
    with live_board(console) as on_turn:
        for turn in range(playback.first_turn, playback.end_turn + 1):
            assert console.file.tell() == drawn and threading.active_count() == threads
            on_turn(replace(replay, turns=replay.turns[: turn - playback.first_turn]), playback.game_at(turn))
            assert console.file.tell() > drawn
            drawn = console.file.tell()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert f"turn {playback.end_turn - 1}," in shown
    left = shown[shown.rindex("\x1b[?1049l") :]
    assert f"end after turn {playback.end_turn - 1}" in left and left.count("│") == 22


def test_a_series_says_that_workers_start_until_the_first_game_is_done() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)
    with live_view(console, 4, lambda: Text("the table")) as update:
        update(1)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.index("starting workers") < shown.index("1/4")
