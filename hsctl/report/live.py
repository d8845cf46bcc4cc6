"""Live displays on stderr: compile progress, a bar of turns, a bar of games above a view of them.

Nothing here plays: commands report progress, and this shows it. If stderr is not a terminal, it shows nothing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from engine.events import Event
from engine.game import Game
from engine.state import MAX_TURNS
from hsctl.league.standings import Standings
from hsctl.match.compiling import Progress as CompileProgress
from hsctl.match.compiling import Show
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

REFRESH_S = 0.5  # drawing many games more often would take time from the players
BAR_WIDTH = 20
FIRST_FRAME_S = 0.3  # a game that is over by then is not shown
FRAME_S = 1 / 20
LEAST = (80, 24)  # a smaller terminal shows a bar
LARGE = (108, 34)  # columns and lines from which the board is drawn large, as in the stepper
HINT = "Ctrl-C stops the game; --no-board hides it"

Update = Callable[[float, str], None]  # how much is done, and a text next to the bar


# One game


@contextmanager
def turn_bar(console: Console, names: Sequence[str]) -> Iterator[OnTurn]:
    """A bar of turns with the boxes so far; yields the watcher of the game."""
    shown = short_names(names)
    with bar(console, "turn", MAX_TURNS, TimeElapsedColumn()) as update:

        def on_turn(_: Replay, game: Game) -> None:
            boxes = ", ".join(f"{name} {count}" for name, count in zip(shown, game.boxes, strict=True))
            update(game.turn, f"boxes {boxes}")

        yield on_turn


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


# Many games


def running_score(standings: Standings) -> str:
    """`wins simple 12, random 3, draws 2`."""
    players = zip(short_names(standings.names), standings.players, strict=True)
    draws = sum(game.is_drawn for game in standings.games)
    return "wins " + ", ".join([*(f"{name} {player.wins}" for name, player in players), f"draws {draws}"])


@contextmanager
def bar(
    console: Console, what: str, total: int, clock: TimeElapsedColumn | TimeRemainingColumn | None = None
) -> Iterator[Update]:
    """A bar that disappears at the end, by default with the time left; yields the function that moves it."""
    text = TextColumn("{task.description}", markup=False)
    columns = (TextColumn(what), MofNCompleteColumn(), BarColumn(BAR_WIDTH), clock or TimeRemainingColumn(), text)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        only = progress.add_task("", total=total)
        yield lambda completed, text: progress.update(only, completed=completed, description=text)


@contextmanager
def live_view(
    console: Console, total: int | None, view: Callable[[], RenderableType]
) -> Iterator[Callable[[int], None]]:
    """A bar of games above a view of them, gone at the end; yields the function to call with how many are done.

    Without a total the bar has no end.
    """
    if not console.is_terminal:
        yield lambda done: None
        return
    columns = (TextColumn("game"), MofNCompleteColumn(), BarColumn(BAR_WIDTH), TimeRemainingColumn())
    progress = Progress(*columns, console=console)
    only = progress.add_task("", total=total)
    first = Group(Text("starting workers ...", QUIET), view())  # no game is done yet
    with Live(first, console=console, transient=True, refresh_per_second=1 / REFRESH_S) as live:
        drawn_at = -REFRESH_S

        def update(done: int) -> None:
            nonlocal drawn_at
            progress.update(only, completed=done)
            if time.monotonic() - drawn_at > REFRESH_S:
                # Made here, not in the thread of the bar: nothing changes while it is made.
                live.update(Group(progress, view()))
                drawn_at = time.monotonic()

        yield update


# Compiling


COMPILE_REFRESHES_PER_S = 2  # drawing more often would take time from compiling


def showing(console: Console, above: Callable[[], RenderableType] | None = None) -> Show | None:
    """Shows progress as a line that is gone at the end, below something else if there is; None without a terminal."""
    if not console.is_terminal:
        return None

    @contextmanager
    def show(progress: CompileProgress) -> Iterator[None]:
        top = [] if above is None else [above()]
        live = Live(
            get_renderable=lambda: Group(*top, Text(str(progress), style="dim")),
            console=console,
            transient=True,
            refresh_per_second=COMPILE_REFRESHES_PER_S,
            vertical_overflow="crop",
        )
        with live:
            live.refresh()  # at once, not after the first half second
            yield

    return show
