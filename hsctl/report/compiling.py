"""What is being compiled, for how long still, and above it what one waits for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from hsctl.league.compiling import Progress, Show

REFRESHES_PER_SECOND = 2  # drawing more often would take time from compiling


def showing(console: Console, above: Callable[[], RenderableType] | None = None) -> Show | None:
    """Shows progress as a line that is gone at the end, below something else if there is; None without a terminal."""
    if not console.is_terminal:
        return None

    @contextmanager
    def show(progress: Progress) -> Iterator[None]:
        top = [] if above is None else [above()]
        live = Live(
            get_renderable=lambda: Group(*top, Text(str(progress), style="dim")),
            console=console,
            transient=True,
            refresh_per_second=REFRESHES_PER_SECOND,
            vertical_overflow="crop",
        )
        with live:
            live.refresh()  # at once, not after the first half second
            yield

    return show
