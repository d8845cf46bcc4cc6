"""The screen of the stepper: a record on the whole terminal, drawn as large as it fits.

80 x 24                                       from 108 x 34 on
title                                         title
board          players                        board          players (from 139 columns on in panels)
               what happened, or output                      what happened, or output
timeline                                      timeline over the whole width
keys                                          keys
"""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
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
from engine.position import player_of
from replays.keys import SPEEDS, START_SPEED, STATUS
from replays.landmarks import Landmarks
from replays.playback import Playback
from replays.record import Record, drawing_of
from replays.render.board import DEATH, PLAYERS, BoardView
from replays.render.overlays import DRAWING, Overlay, advice, better, overlay_of
from replays.render.pair import PairView
from replays.render.turn import (
    NOTE,
    QUIET,
    event_list,
    format_death,
    format_effort,
    format_move,
    format_stock,
    format_value_or_faults,
    output_parts,
    player_panel,
    short_names,
)
from replays.replay import Move
from replays.text import clean, fit_number
from replays.viewer.dialogs import Asked, AskTurn

# What stands beside the board: the players in three lines each or in panels, and what one of them wrote.


LINES = 3  # of a player without a frame
PANEL_LINES = 5
PANELS_WIDTH = 2 * 34 + 1  # of two in a row: `boxes 12  bombs 1/10  range 12` in a frame
FOCUS = "▌"


def players_in_lines(record: Record, turn: int, focus: int, width: int) -> Group:
    """Every player in three lines; a bar at the edge shows the focus."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    return Group(
        *(
            player_lines(game, seat, record.specs[seat], moves[seat], seat == focus, width)
            for seat in range(record.seats)
        )
    )


def players_in_panels(record: Record, turn: int, focus: int, width: int) -> Table:
    """Every player in a panel of as many lines, two in a row; that of the focused has a heavy frame."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    panels = [
        player_panel(game, seat, record.specs[seat], moves[seat], (width - 1) // 2, seat == focus)
        for seat in range(record.seats)
    ]
    grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    for at in range(0, len(panels), 2):
        grid.add_row(*panels[at : at + 2])
    return grid


def player_lines(game: Game, seat: int, spec: str, move: Move | None, focused: bool, width: int) -> Text:
    player = player_of(game.state, seat)
    look = PLAYERS[seat]
    colour = look.style if player else QUIET
    message = f"“{clean(move.message)}”" if move and move.message else ""
    has = format_stock(game, player) if player else format_death(game, seat)
    rows = [
        (f"{look.symbol} {seat} {clean(spec)}", f"boxes {game.boxes[seat]}", f"bold {colour}"),
        (has, format_move(move), "" if player else QUIET),
        (f"{format_effort(move)}  {message}".strip(), format_value_or_faults(game, seat, move, short=True), QUIET),
    ]
    bar = (FOCUS if focused else " ", look.style)
    lines = [Text.assemble(bar, (two_ends(left, right, width - 1), style)) for left, right, style in rows]
    return Text("\n").join(lines)


def two_ends(left: str, right: str, width: int) -> str:
    """Both in one line; the left one gives way."""
    space = width - cell_len(right)
    if cell_len(left) >= space:
        left = set_cell_size(left, space - 2) + "…"
    return set_cell_size(left, space) + right


def output_view(record: Record, turn: int, seat: int) -> RenderableType:
    """All that a player gave away on a turn."""
    look = PLAYERS[seat]
    title = Text.assemble((f"{look.symbol} {seat} ", f"bold {look.style}"), (f"on turn {turn}", QUIET))
    move = record.moves_at(turn)[seat]
    parts = [Text.assemble((f"{label}\n", QUIET), text) for label, text in output_parts(move)] if move else []
    return Group(title, *(parts or [Text("nothing", QUIET)]))


# Boxes or values of every player over the whole game, a row of bars each; a click goes to its turn.
#
#        0         20        40        60        80
# ●0   7 ▁▁▁▁▂▂▂▂▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▅▅█████████████████†
# ■1   4 ▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄†
#                    ▲


BARS = "▁▂▃▄▅▆▇█"
CURSOR = "on #6a6a6a"
SPACINGS = (1, 2, 5, 10, 20, 50, 100)  # between numbered turns
NUMBER_WIDTH = 6
NAME_WIDTH = 16
WIDE = 100  # from here on names fit in front of the bars


class TimelineView:
    """The timeline as it looks with the cursor on a turn, so wide and high."""

    def __init__(self, landmarks: Landmarks, turn: int, width: int, height: int, shows_values: bool = False) -> None:
        self.landmarks = landmarks
        self.turn = turn
        self.seats = landmarks.record.seats
        self.names = [clean(name) for name in short_names(landmarks.record.specs)]
        self.label_width = 7 + (NAME_WIDTH + 3 if width >= WIDE else 0)
        self.columns = max(1, width - self.label_width)
        self.pitch = max(1, (height - 2) // self.seats)  # lines of each player
        self.rows = self.pitch - 1 if self.pitch > 2 else self.pitch  # that the bars take
        self.numbers: Sequence[Sequence[float | None]] = landmarks.values if shows_values else landmarks.boxes
        turns = [self.turn_at(column + self.label_width) for column in range(self.columns)]
        known = self.columns if landmarks.span == landmarks.turns else self.column_of(landmarks.turns[-1]) + 1
        by_column = [self.numbers[turn - landmarks.turns[0]] for turn in turns[:known]]
        limits = [self.limits_of(seat, shows_values) for seat in range(self.seats)]
        self.parts = [[part_of(numbers[seat], *limits[seat]) for numbers in by_column] for seat in range(self.seats)]

    def limits_of(self, seat: int, shows_values: bool) -> tuple[float, float]:
        """What the lowest and the highest bar stand for: boxes of all alike, values of each by themselves."""
        if not shows_values:
            return 0.0, max(1, *(max(boxes) for boxes in self.landmarks.boxes))
        known = [value for values in self.landmarks.values if (value := values[seat]) is not None]
        return min(known, default=0.0), max(known, default=0.0)

    def turn_at(self, x: int) -> int:
        """The turn of a column, counted from the left edge; beyond the ends it is the nearest."""
        turns = self.landmarks.span
        part = (x - self.label_width) / max(1, self.columns - 1)
        return min(self.landmarks.turns[-1], turns[round(min(1.0, max(0.0, part)) * (len(turns) - 1))])

    def column_of(self, turn: int) -> int:
        turns = self.landmarks.span
        return round((turn - turns[0]) / max(1, len(turns) - 1) * (self.columns - 1))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.axis()
        for seat in range(self.seats):
            for row in reversed(range(self.pitch)):
                yield self.bars(seat, row)
        yield self.pointer()

    def axis(self) -> Text:
        """The numbers of some turns; ! where something must be said about one."""
        turns = self.landmarks.span
        fits = [spacing for spacing in SPACINGS if len(turns) / spacing * NUMBER_WIDTH <= self.columns]
        spacing = (fits or SPACINGS[-1:])[0]
        line = ""
        for turn in turns:
            column = min(self.column_of(turn), self.columns - len(str(turn)))  # the last one ends at the edge
            if turn % spacing == 0 and column >= len(line) + (line != ""):
                line = f"{line:<{column}}{turn}"
        text = Text(f"{'':{self.label_width}}{line:<{self.columns}}", QUIET, no_wrap=True)
        for turn in self.landmarks.notes:
            at = self.label_width + self.column_of(turn)
            text = Text.assemble(text[:at], ("!", NOTE), text[at + 1 :], no_wrap=True)
        return text

    def bars(self, seat: int, row: int) -> Text:
        """One line of a player; few pieces of text, as each of them costs."""
        died = self.landmarks.died.get(seat)
        tomb = self.columns if died is None else self.column_of(died)
        line = "".join(self.bar(part, row) for part in self.parts[seat])
        if row == 0 and died is not None:
            line = line[:tomb] + DEATH.symbol + line[tomb + 1 :]
        marked = 1 if row == 0 else 0
        left, cursor = self.label_width, self.label_width + self.column_of(self.turn)
        text = Text((self.label(seat) if row == 0 else " " * left) + line, PLAYERS[seat].style, no_wrap=True)
        text.stylize("bold", 0, left)
        text.stylize(QUIET, left + tomb + marked)
        text.stylize(f"{DEATH.style} default", left + tomb, left + tomb + marked)
        text.stylize(CURSOR, cursor, cursor + 1)
        return text

    def label(self, seat: int) -> str:
        name = f" {self.names[seat][:NAME_WIDTH]:<{NAME_WIDTH + 2}}" if self.label_width > 7 else ""
        number = self.numbers[self.turn - self.landmarks.turns[0]][seat]
        return f"{PLAYERS[seat].symbol}{seat}{name}{'' if number is None else fit_number(number, 4):>4} "

    def bar(self, of: float | None, row: int) -> str:
        """The part of a bar that stands in this row, counted from below; the lowest bar is a thin line."""
        if of is None:
            return " "
        height = 1 + round(of * (len(BARS) * self.rows - 1))  # in eighths
        part = min(len(BARS), height - row * len(BARS))
        return BARS[part - 1] if part > 0 else " "

    def pointer(self) -> Text:
        return Text(" " * (self.label_width + self.column_of(self.turn)) + "▲", "bold", no_wrap=True)


def part_of(number: float | None, low: float, high: float) -> float | None:
    """Where a number is between the lowest and the highest, from 0 to 1."""
    return None if number is None else (number - low) / (high - low) if high > low else 0.0


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
BOARD_WIDTHS = {False: 44, True: 70}  # with the gap beside it, as in stepper.tcss; large or not
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

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS_PATH = Path(__file__).with_name("stepper.tcss")  # for those made of it elsewhere too
    status = STATUS  # the last line, while nothing else must be said

    def __init__(self, record: Record, turn: int | None = None, path: Path | None = None) -> None:
        super().__init__(ansi_color=True)  # the terminal's own background, dark or light
        self.seat = record.own_seat or 0  # the player in focus
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
        self.parent_game: Playback | None = None  # beside which it is shown
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
        rows = -(-self.record.seats // 2) * PANEL_LINES if self.has_panels else self.record.seats * LINES
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
        self.query_one("#text", Static).update(
            output_view(self.record, turn, self.seat) if self.shows_output else self.happened()
        )

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
        draw = players_in_panels if self.has_panels else players_in_lines
        return draw(self.record, self.turn, self.seat, self.side_width)

    def say(self, word: str) -> None:
        self.word = word
        self.show()

    @property
    def is_playing(self) -> bool:
        return self.timer is not None
