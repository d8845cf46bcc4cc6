"""Live displays on stderr: compile progress, a bar of turns, a bar of games above a view of them.

Nothing here plays: commands report progress, and this shows it. If stderr is not a terminal, it shows nothing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from engine.game import Game
from engine.state import MAX_TURNS
from hsctl.league.standings import Standings
from hsctl.match.compiling import Progress as CompileProgress
from hsctl.match.compiling import Show
from hsctl.match.runner import OnTurn
from replays.render.turn import (
    QUIET,
    short_names,
)
from replays.replay import Replay

REFRESH_S = 0.5  # drawing many games more often would take time from the players
BAR_WIDTH = 20

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
    first = Group(progress, Text("starting workers ...", QUIET), view())  # no game is done yet
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
