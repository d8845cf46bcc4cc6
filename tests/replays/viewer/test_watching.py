"""The stepper on games that are being played: following, looking back, catching up, series."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from textual.pilot import Pilot

from engine.errors import HsctlError
from replays.keys import SPEEDS, WATCHING
from replays.playback import Live, Playback
from replays.replay import Replay, write
from replays.viewer.watching import Watching
from tests.hsctl.run import PLENTY
from tests.replays.recorded import record_game
from tests.replays.viewer.driving import SIZES, SMALL, board_lines, drive, shown
from tests.replays.viewer.test_live import cut

FEW = 8  # turns that were played when watching starts


class Script:
    """A feed: turns are played when the test says so."""

    path: Path | None = None
    saved: Path | None = None  # since it was read

    def __init__(self, *replays: Replay) -> None:
        self.replays = [cut(replay) for replay in replays]
        self.number = -1
        self.error: HsctlError | None = None
        self.begin()
        self.is_changed = False

    @property
    def is_over(self) -> bool:
        return self.number == len(self.replays) - 1 and not self.record.is_live

    @property
    def place(self) -> str:
        return f"game {self.number + 1} of {len(self.replays)}" if len(self.replays) > 1 else ""

    def begin(self) -> None:
        self.number += 1
        self.record, self.path, self.is_changed = Live(cut(self.replays[self.number], 0)), None, True
        self.played = 0

    def play(self, turns: int | None = None) -> None:
        """Turns that come with the next look at the feed."""
        whole = len(self.replays[self.number].turns)
        self.played = whole if turns is None else self.played + turns

    def read(self) -> bool:
        if self.error is not None:
            raise self.error
        for turn in self.replays[self.number].turns[len(self.record.replay.turns) : self.played]:
            self.record.grow(turn)
            self.is_changed = True
        was, self.is_changed = self.is_changed, False
        self.path, self.saved = self.saved or self.path, None
        return was


async def until(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    """Wait until the screen is so."""
    deadline = monotonic() + PLENTY
    while not is_so():
        assert monotonic() < deadline, shown(pilot.app)  # type: ignore[arg-type]
        await pilot.pause(0.01)


def title(app: Watching) -> str:
    return shown(app)[0]


@SIZES
@pytest.mark.slow
def test_it_follows_pauses_looks_back_and_catches_up(playback: Playback, size: tuple[int, int]) -> None:
    feed = Script(playback.replay)
    feed.play(FEW)
    app = Watching(feed)

    async def look(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: title(app).startswith("turn 8, seed 3") and title(app).endswith("● live"))
        assert WATCHING in shown(app)[-1]
        feed.play(2)
        await until(pilot, lambda: title(app).startswith("turn 10, seed 3"))
        await pilot.press("left", "left")
        await until(pilot, lambda: title(app).startswith("turn 8 of 10 so far") and "paused, 2 behind" in title(app))
        feed.play(30)  # the game goes on meanwhile
        await until(pilot, lambda: title(app).startswith("turn 8 of 40 so far") and "paused, 32 behind" in title(app))
        await pilot.press("space")
        await until(pilot, lambda: app.turn > 8)
        await pilot.press("minus", "minus")
        assert app.is_playing and SPEEDS[app.speed_at] == 4
        await pilot.press("end")
        await until(pilot, lambda: title(app).endswith("● live") and app.turn == 40)
        feed.play()
        await pilot.press("end")
        await until(pilot, lambda: title(app).startswith("end after turn 82") and "q: the result" in title(app))
        assert app.landmarks.deaths and not app.is_playing

    drive(app, size, look)


@SIZES
@pytest.mark.slow
def test_every_mark_shows_on_the_newest_position(playback: Playback, size: tuple[int, int]) -> None:
    feed = Script(playback.replay)
    feed.play(FEW)
    app = Watching(feed)

    async def look(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.turn == FEW)
        plain = board_lines(app)
        for key in ("x", "v", "r"):
            await pilot.press(key)
            await until(pilot, lambda: board_lines(app) != plain)
            await pilot.press(key)
        for key in ("o", "p", "w", "d", "e", "n", "question_mark", "escape", "g", "3", "enter"):
            await pilot.press(key)
        await until(pilot, lambda: title(app).startswith("turn 3 of 8 so far") and "paused, 5 behind" in title(app))

    drive(app, size, look)


@pytest.mark.slow
def test_a_series_goes_on_to_its_next_game_and_older_ones_stay_within_reach(tmp_path: Path) -> None:
    first, second = record_game(1, 2), record_game(2, 2)
    feed = Script(first, second)
    feed.play()
    app = Watching(feed)

    async def look(pilot: Pilot[None]) -> None:
        assert title(app).count("game 1 of 2") == 1
        await pilot.press("end")
        write(tmp_path / "first.json", first)
        feed.saved = tmp_path / "first.json"
        await until(pilot, lambda: app.path == tmp_path / "first.json")
        feed.begin()
        await until(pilot, lambda: app.record is feed.record and "game 2 of 2" in title(app))
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: app.path == tmp_path / "first.json")
        feed.play(FEW)
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: app.record is feed.record and app.turn == FEW and title(app).endswith("● live"))

    drive(app, SMALL, look)


def test_games_that_can_not_go_on_end_the_watching(playback: Playback) -> None:
    feed = Script(playback.replay)
    app = Watching(feed)

    async def look(pilot: Pilot[None]) -> None:
        feed.error = HsctlError("the process that played the game ended")
        await until(pilot, lambda: app.error is feed.error)

    drive(app, SMALL, look)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_a_key_leaves_it(playback: Playback, key: str) -> None:
    feed = Script(playback.replay)
    app = Watching(feed)

    async def look(pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await until(pilot, lambda: not app.is_running)

    drive(app, SMALL, look)
    assert not app.return_code
