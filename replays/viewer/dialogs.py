"""The help over the whole screen, and the question for a turn in its last line."""

from collections.abc import Callable
from typing import ClassVar, NamedTuple, Protocol

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from replays.keys import COLUMNS, KeySection
from replays.playback import Playback
from replays.record import Record
from replays.render.board import LEGEND
from replays.render.overlays import Advised
from replays.render.turn import QUIET

Columns = tuple[tuple[KeySection, ...], ...]


def help_view(columns: Columns = COLUMNS) -> RenderableType:
    """All keys in two columns, and what the board shows."""
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_row(*map(section_table, columns))
    whole = Table.grid()
    whole.add_row(grid)
    whole.add_row("")
    whole.add_row(Text(LEGEND, QUIET))
    return whole


def section_table(sections: tuple[KeySection, ...]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for number, section in enumerate(sections):
        if number:
            table.add_row("", "")
        table.add_row("", Text(section.title, QUIET))
        for key in filter(lambda key: key.shown, section.keys):
            table.add_row(Text(key.shown, "bold", justify="right"), key.words)
    return table


class Help(ModalScreen[None]):
    BINDINGS: ClassVar = [Binding("question_mark,escape,q,enter", "dismiss", show=False)]
    DEFAULT_CSS = """
    Help { align: center middle; background: ansi_default; }
    Help > Static { width: auto; height: auto; }
    """

    def __init__(self, columns: Columns = COLUMNS) -> None:
        super().__init__()
        self.columns = columns

    def compose(self) -> ComposeResult:
        yield Static(help_view(self.columns))


class AskTurn(Horizontal):
    """The question for a turn, in place of the status line while it is asked."""

    BINDINGS: ClassVar = [Binding("escape", "give_up", show=False)]
    DEFAULT_CSS = """
    AskTurn { display: none; height: 1; }
    AskTurn.asked { display: block; }
    AskTurn Static { width: auto; height: 1; }
    AskTurn Input, AskTurn Input:focus { width: 8; height: 1; border: none; padding: 0; background: ansi_default; }
    AskTurn #word { color: #d08a1d; }
    """

    class Answered(Message):
        def __init__(self, turn: int | None) -> None:
            super().__init__()
            self.turn = turn  # None: given up

    def __init__(self, turns: range) -> None:
        super().__init__()
        self.turns = turns

    def compose(self) -> ComposeResult:
        yield Static(self.question, id="question")
        yield Input(restrict=r"[0-9]*", max_length=6)
        yield Static("", id="word")

    @property
    def question(self) -> str:
        return f"go to turn ({self.turns[0]} to {self.turns[-1] - 1}, {self.turns[-1]} is the end, Esc: stay): "

    def set_turns(self, turns: range) -> None:
        """Ask for another record's turns from now on."""
        self.turns = turns
        self.query_one("#question", Static).update(self.question)

    def ask(self) -> None:
        self.add_class("asked")
        self.query_one("#word", Static).update("")
        field = self.query_one(Input)
        field.value = ""
        field.focus()

    def answer(self, turn: int | None) -> None:
        self.remove_class("asked")
        self.post_message(self.Answered(turn))

    def action_give_up(self) -> None:
        self.answer(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value and int(event.value) in self.turns:
            self.answer(int(event.value))
        else:
            self.query_one("#word", Static).update("no such turn")


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

    def review(self, record: Record, seat: int, on_turns: Callable[[float], None]) -> Playback:
        """The game with the mistakes of a player as notes; `on_turns` gets the number of turns just reviewed."""


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
