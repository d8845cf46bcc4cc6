"""Nothing that is shown is a command to the terminal, or markup."""

import io

import pytest
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hsctl.report.safe_console import SafeConsole

EVIL = ["\x1b]52;c;ZXZpbA==\x07", "[/x]", "[link=file:///etc/passwd]x[/link]", "\u202egnp.exe", "a\x1b[2Jb", ":smile:"]


@pytest.mark.parametrize("text", EVIL)
def test_names_are_shown_as_they_are_written(text: str) -> None:
    table = Table(text)
    table.add_row(text)
    table.title = text
    console = SafeConsole(file=io.StringIO(), force_terminal=True, width=100)
    console.print(text)
    console.print(Group(table, Panel(Text(text)), text))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b]52" not in shown and "\x1b[2J" not in shown and "\x07" not in shown and "\u202e" not in shown
    if text.isprintable():
        assert text in shown


def test_styles_still_reach_the_terminal() -> None:
    console = SafeConsole(file=io.StringIO(), force_terminal=True, width=40)
    console.print(Text("red", "bold red"))
    assert "\x1b[1;31m" in console.file.getvalue()  # type: ignore[attr-defined]
