"""The board of a game on the terminal while it is played."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.table import Table
from rich.text import Text

from engine.events import Event
from engine.game import Game
from hsctl.match.runner import OnTurn
from replays.events import events_of
from replays.record import seat_in_focus
from replays.render.board import BoardView
from replays.render.overlays import Overlay, plan_overlay
from replays.render.turn import (
    PANELS_WIDTH,
    QUIET,
    describe_limits,
    event_list,
    players_in_lines,
    players_in_panels,
    short_names,
    two_ends,
)
from replays.replay import Move, Replay

FIRST_FRAME_S = 0.3  # a game that is over by then is not shown
FRAME_S = 1 / 20
LEAST = (80, 24)  # a smaller terminal shows a bar
LARGE = (108, 34)  # columns and lines from which the board is drawn large, as in the stepper
HINT = "Ctrl-C stops the game; --no-board hides it"


@contextmanager
def live_board(console: Console) -> Iterator[OnTurn]:
    """The board of a game on the whole terminal while it is played; its last position stays behind.

    Everything is drawn by the function it yields, which the game calls between turns: no thread draws while a player
    thinks. A game that is over at once is not shown.
    """
    board = LiveBoard(console)
    try:
        yield board.on_turn
    finally:
        board.close()


class LiveBoard:
    def __init__(self, console: Console) -> None:
        self.console = console
        self.live: Live | None = None  # once the game has lasted for a moment
        self.started_at = self.drawn_at = time.monotonic()
        self.before: Game | None = None
        self.view: GameScreen | None = None

    def on_turn(self, replay: Replay, game: Game) -> None:
        moves = replay.turns[-1].moves if replay.turns else [None] * game.seats
        events = events_of(self.before, moves) if self.before is not None and replay.turns else []
        now = time.monotonic()
        self.view = GameScreen(replay, game.copy(), moves, events, now - self.started_at)
        self.before = self.view.game
        if now - self.started_at < FIRST_FRAME_S or (now - self.drawn_at < FRAME_S and not game.is_over):
            return
        if self.live is None:
            self.live = Live(console=self.console, screen=True, auto_refresh=False)
            self.live.start()
        self.live.update(self.view, refresh=True)
        self.drawn_at = time.monotonic()

    def close(self) -> None:
        if self.live is not None:
            self.live.stop()
        if self.view is not None:
            self.console.print(self.view.last_position())


class GameScreen:
    """A game that is being played, drawn as large as the terminal allows.

    80 x 24                                  from 108 x 34 on the board is twice as large
    title                        time
    board          players
    plan           what just happened
    """

    def __init__(
        self, replay: Replay, game: Game, moves: Sequence[Move | None], events: Sequence[Event], seconds: float
    ) -> None:
        self.game = game
        self.moves = moves
        self.events = events
        self.seconds = seconds
        self.specs = [player.spec for player in replay.players]
        self.seat = seat_in_focus(replay.players)
        turn = f"end after turn {game.turn - 1}: {game.reason}" if game.is_over else f"turn {game.turn}"
        self.title = f"{turn}, seed {replay.seed}, {describe_limits(replay.limits)}"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or console.height
        is_large = width >= LARGE[0] and height >= LARGE[1]
        plan = self.plan()
        board = BoardView(self.game.state, self.game.map, self.events, plan.marks, 2 if is_large else 1)
        side = width - board.width - 1
        yield Text(two_ends(self.title, f"{self.seconds:.0f} s", width), "bold", no_wrap=True)
        grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
        grid.add_column(width=board.width)
        grid.add_column(width=side)
        happened = event_list(self.events, short_names(self.specs), self.game.turn - 1)
        left = Group(board, Text(plan.legend, QUIET), Text(HINT, QUIET))
        grid.add_row(left, Group(self.players(side, is_large), Text(""), happened))
        yield grid

    def players(self, width: int, is_large: bool) -> RenderableType:
        draw = players_in_panels if is_large and width >= PANELS_WIDTH else players_in_lines
        return draw(self.game, self.specs, self.moves, self.seat, width)

    def plan(self) -> Overlay:
        """What is left of the plan that the player in focus made for its last move."""
        move = self.moves[self.seat]
        rest = move.thought.plan[1:] if move is not None and move.thought is not None else []
        return plan_overlay(self.game, self.seat, rest)

    def last_position(self) -> RenderableType:
        board = BoardView(self.game.state, self.game.map, self.events)
        return Group(Text(self.title, "bold"), board)
