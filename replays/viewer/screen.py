"""The screen of the stepper: a record on the whole terminal, drawn as large as it fits.

80 x 24                                       from 108 x 34 on
title                                         title
board          players                        board          players (from 139 columns on in panels)
               what happened, or output                      what happened
timeline                                      timeline       output and plan of the player in focus
keys                                          keys
"""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from engine.game import Game
from replays.keys import SPEEDS, START_SPEED, STATUS
from replays.landmarks import Landmarks
from replays.playback import Playback, focus_of
from replays.record import Record, drawing_of
from replays.render.board import PLAYERS, BoardView
from replays.render.overlays import DRAWING, Overlay, advice, better, overlay_of
from replays.render.pair import PairView
from replays.render.timeline import TimelineView
from replays.render.turn import (
    NOTE,
    PANEL_LINES,
    PANELS_WIDTH,
    PLAYER_LINES,
    QUIET,
    event_list,
    output_view,
    players_in_lines,
    players_in_panels,
    short_names,
    two_ends,
)
from replays.viewer.dialogs import Asked, AskTurn


class Timeline(Widget):
    """Shows the timeline and tells the app which turn was clicked."""

    class Picked(Message):
        def __init__(self, turn: int) -> None:
            super().__init__()
            self.turn = turn

    def __init__(self, landmarks: Landmarks, id: str) -> None:
        super().__init__(id=id)
        self.landmarks = landmarks
        self.turn = landmarks.turns[0]
        self.shows_values = False

    def show(self, turn: int) -> None:
        self.turn = turn
        self.refresh()

    def view(self) -> TimelineView:
        return TimelineView(self.landmarks, self.turn, self.size.width, self.size.height, self.shows_values)

    def render(self) -> TimelineView:
        return self.view()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        self.post_message(self.Picked(self.view().turn_at(event.x)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button:
            self.post_message(self.Picked(self.view().turn_at(event.x)))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()


LEAST = (80, 24)
BOARD_WIDTHS = {False: 44, True: 70}  # with the gap next to it, as in stepper.tcss; large or not
LARGE = (108, 34)  # from here on the board is drawn with large cells


class Canvas(Widget):
    """A part of the screen that shows whatever renderable it is given."""

    content: RenderableType = ""

    def show(self, content: RenderableType) -> None:
        self.content = content
        self.refresh()

    def render(self) -> RenderableType:
        return self.content


class StepperScreen(App[None]):
    """All that is shown; the keys are in app.py."""

    AUTO_FOCUS = None
    CSS_PATH = Path(__file__).with_name("stepper.tcss")  # for those made of it elsewhere too
    status = STATUS  # the last line, while nothing else must be said

    def __init__(self, record: Record, turn: int | None = None, path: Path | None = None) -> None:
        super().__init__(ansi_color=True)  # the terminal's own background, dark or light
        self.seat = focus_of(record)  # the player in focus
        self.overlay_name = ""
        self.shows_output = False
        self.shows_sight = False
        self.speed_at = START_SPEED
        self.timer: Timer | None = None
        self.area = Size(*LEAST)
        self.take(record, turn, path)

    def take(self, record: Record, turn: int | None, path: Path | None) -> None:
        """Show this record from now on."""
        self.record = record
        self.path = path  # of its file, if it has one
        self.parent_game: Playback | None = None  # the game shown next to it
        self.landmarks = Landmarks(record)
        self.names = short_names(record.specs)
        self.turn = record.first_turn if turn is None else turn
        self.seat = min(self.seat, record.seats - 1)
        self.shows_sight = False
        self.asked: Asked | None = None  # what an agent said last
        if self.overlay_name in ("", DRAWING):
            self.overlay_name = DRAWING if self.landmarks.drawings else ""
        self.word = self.greeting()  # what the last key has to say, until the next one

    def greeting(self) -> str:
        """What must be said before any key."""
        parent = self.record.replay.parent if isinstance(self.record, Playback) else None
        return f"played on from turn {parent.turn} of another game: b shows both" if parent and self.path else ""

    def compose(self) -> ComposeResult:
        yield Static(id="small")
        yield Canvas(id="title")
        with Container(id="main"):
            yield Canvas(id="board")
            yield Canvas(id="pair")
            with Vertical(id="side"):
                yield Canvas(id="players")
                with VerticalScroll(id="scroll", can_focus=False):
                    yield Static(id="text")
            with Vertical(id="below"):
                yield Canvas(id="legend")
                yield Timeline(self.landmarks, id="timeline")
        yield Canvas(id="status")
        yield AskTurn(self.landmarks.turns)

    def on_mount(self) -> None:
        self.leave_by_signals()
        self.fit(self.size)

    def leave_by_signals(self) -> None:
        """Give the terminal back before the process is ended by one."""
        with suppress(NotImplementedError, RuntimeError):  # on Windows, or not in the main thread
            for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
                asyncio.get_running_loop().add_signal_handler(number, self.exit, None, 128 + number)

    def on_resize(self, event: events.Resize) -> None:
        self.fit(event.size)

    def fit(self, area: Size) -> None:
        """Choose how large things are drawn, then draw them."""
        self.area = area
        width, height = area
        self.screen.set_class(width < LEAST[0] or height < LEAST[1], "small")
        self.screen.set_class(self.is_large, "large")
        rows = -(-self.record.seats // 2) * PANEL_LINES if self.has_panels else self.record.seats * PLAYER_LINES
        self.query_one("#players").styles.height = rows + 1
        self.query_one("#small", Static).update(
            f"This terminal has {width}x{height} characters;\nthe stepper needs {LEAST[0]}x{LEAST[1]}.\n\nq quits."
        )
        self.show()

    @property
    def is_large(self) -> bool:
        return self.area.width >= LARGE[0] and self.area.height >= LARGE[1]

    @property
    def side_width(self) -> int:
        return self.area.width - BOARD_WIDTHS[self.is_large]

    @property
    def has_panels(self) -> bool:
        return self.is_large and self.side_width >= PANELS_WIDTH

    # Showing

    def show(self) -> None:
        """Draw everything as it is now."""
        game, turn = self.game(), self.turn
        events_before = self.record.events_before(turn)
        overlay = self.overlay()
        scale = 2 if self.is_large else 1
        self.show_pair()
        self.canvas("#title").show(self.title_line())
        self.canvas("#board").show(BoardView(game.state, game.map, events_before, overlay.marks, scale))
        self.canvas("#legend").show(Text(overlay.legend, QUIET, no_wrap=True))
        self.canvas("#players").show(self.players())
        self.canvas("#status").show(Text(self.word, NOTE) if self.word else Text(self.status, QUIET, no_wrap=True))
        self.query_one(Timeline).show(turn)
        output = output_view(self.record, turn, self.seat)
        both = Group(self.happened(), Text(""), output)
        self.query_one("#text", Static).update(
            output if self.shows_output else both if self.is_large else self.happened()
        )

    def text_beside(self) -> RenderableType:
        """What happened or, with `o`, the output of the player in focus; where there is space, both."""
        output = output_view(self.record, self.turn, self.seat)
        if self.shows_output:
            return output
        return Group(self.happened(), Text(""), output) if self.is_large else self.happened()

    def happened(self) -> RenderableType:
        """What led here, after the words that the player in focus drew."""
        turn = self.turn
        texts = drawing_of(self.record.moves_at(turn)[self.seat]).texts if self.overlay_name == DRAWING else []
        said = [Text.assemble((f"{PLAYERS[self.seat].symbol} ", PLAYERS[self.seat].style), text) for text in texts]
        return Group(
            *said, event_list(self.record.events_before(turn), self.names, turn - 1, self.record.notes_before(turn))
        )

    def show_pair(self) -> None:
        """Both games, if the one it was played on from is shown too."""
        main = self.query_one("#main")
        self.screen.set_class(self.parent_game is not None, "pair")
        if self.parent_game is None:
            main.styles.clear_rule("grid_rows")
            return
        titles = ("recorded", "played on")
        view = PairView((self.parent_game, self.record), titles, self.turn, (self.area.width, self.area.height))
        main.styles.grid_rows = f"{view.height} 1fr"
        self.canvas("#pair").show(view)

    def game(self) -> Game:
        """The position, or what the player in focus saw of it."""
        game = self.record.game_at(self.turn)
        if not self.shows_sight or self.seat not in game.living:
            return game
        return self.record.seen_at(self.turn, self.seat) or game

    def canvas(self, name: str) -> Canvas:
        return self.query_one(name, Canvas)

    def overlay(self) -> Overlay:
        if self.asked and (self.asked.turn, self.asked.seat) == (self.turn, self.seat):
            move = self.record.moves_at(self.turn)[self.seat]
            return advice(self.game(), self.seat, move, self.asked.agent, self.asked.advised)
        found = self.record.better_at(self.turn) if self.overlay_name in ("", DRAWING) else None
        if found or not self.overlay_name:
            return better(self.game(), found) if found else Overlay({}, "")
        game, moves = self.game(), self.record.moves_at(self.turn)
        return overlay_of(self.overlay_name, game, self.seat, moves[self.seat])

    def state(self) -> str:
        """What goes on by itself."""
        return f"▶ {SPEEDS[self.speed_at]} turns/s" if self.is_playing else ""

    def title_line(self) -> Text:
        title = self.record.title_at(self.turn) + (f", as player {self.seat} saw it" if self.shows_sight else "")
        return Text(two_ends(title, self.state(), self.area.width), "bold", no_wrap=True)

    def players(self) -> RenderableType:
        game, moves = self.record.game_at(self.turn), self.record.moves_at(self.turn)
        draw = players_in_panels if self.has_panels else players_in_lines
        return draw(game, self.record.specs, moves, self.seat, self.side_width)

    def say(self, word: str) -> None:
        self.word = word
        self.show()

    @property
    def is_playing(self) -> bool:
        return self.timer is not None
