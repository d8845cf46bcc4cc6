"""The console on which everything is shown: what strangers wrote is text, never a command or markup."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from replays.text import LINES, clean


class SafeConsole(Console):
    """A console of rich without markup, emoji codes or highlighting, on which control characters are written out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(clean(segment.text, LINES), segment.style)
