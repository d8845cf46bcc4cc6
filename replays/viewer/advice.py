"""Whom the stepper can ask about a position: agents, which it doesn't know; whoever opens it brings them along."""

from typing import ClassVar, NamedTuple, Protocol

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from replays.playback import Playback
from replays.record import Record
from replays.render.overlays import Advised


class Asked(NamedTuple):
    """An answer on the screen, and what it is about."""

    turn: int
    seat: int
    agent: str
    advised: Advised


class Adviser(Protocol):
    """Every call may take seconds, and raises HsctlError for what can't be asked."""

    agents: list[str]

    def advise(self, record: Record, turn: int, seat: int, agent: str) -> Advised:
        """What an agent would do."""

    def explain(self, record: Record, turn: int, seat: int, agent: str) -> RenderableType:
        """Why, at length."""

    def play_on(self, record: Record, turn: int, agent: str) -> Playback:
        """The game played on from a turn by agents."""


class AdviceScreen(ModalScreen[None]):
    """The whole answer of an agent, to scroll through."""

    BINDINGS: ClassVar = [
        Binding("escape,q,m,enter", "dismiss", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(20)", show=False),
        Binding("pageup", "scroll(-20)", show=False),
    ]
    DEFAULT_CSS = """
    Explanation { background: ansi_default; }
    Explanation Static { height: auto; }
    """

    def __init__(self, content: RenderableType) -> None:
        super().__init__()
        self.content = content

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield Static(self.content)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
