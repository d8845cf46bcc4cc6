"""Many games on the terminal while they are played: how far they are, and what they say so far."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

REFRESH_S = 0.5  # drawing more often would take time from the players


@contextmanager
def live_view(
    console: Console, total: int | None, view: Callable[[], RenderableType]
) -> Iterator[Callable[[int], None]]:
    """A bar of games above a view of them, gone in the end; yields the function that tells how many are done.

    Nothing is shown where nobody is watching. Without a total the bar has no end.
    """
    if not console.is_terminal:
        yield lambda done: None
        return
    columns = (TextColumn("game"), MofNCompleteColumn(), BarColumn(20), TimeRemainingColumn())
    progress = Progress(*columns, console=console)
    bar = progress.add_task("", total=total)
    with Live(Group(progress, view()), console=console, transient=True, refresh_per_second=1 / REFRESH_S) as live:
        drawn_at = time.monotonic()

        def update(done: int) -> None:
            nonlocal drawn_at
            progress.update(bar, completed=done)
            if time.monotonic() - drawn_at > REFRESH_S:
                live.update(
                    Group(progress, view())
                )  # drawn here, not by the thread of the bar: nothing changes meanwhile
                drawn_at = time.monotonic()

        yield update
