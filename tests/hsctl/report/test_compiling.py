"""The line that says what is being compiled."""

import io

from rich.console import Console
from rich.text import Text

from hsctl.league.compiling import Progress
from hsctl.report.live import showing


def test_a_terminal_shows_the_line_below_what_one_waits_for():
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    show = showing(console, lambda: Text("the board"))
    assert show is not None
    progress = Progress(["mcts", "the game"], 1)
    with show(progress):
        pass
    shown = console.file.getvalue()
    assert "the board" in shown and "compiling mcts: 0 of 2 parts done, about " in shown
    assert shown.index("the board") < shown.index("compiling mcts")


def test_nothing_is_shown_where_there_is_no_terminal():
    assert showing(Console(file=io.StringIO())) is None
