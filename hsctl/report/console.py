"""What commands say: results on stdout as a view or as JSON, progress and hints on stderr; exit codes."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from hsctl.shell import join_words
from replays.text import clean

if TYPE_CHECKING:
    from rich.console import RenderableType

NO = 1  # exit codes: the answer is no
UNDECIDED = 3
INTERRUPTED = 130
CLOSED_PIPE = 141  # nobody reads on: what shells give to the end by SIGPIPE


def print_view(view: "RenderableType") -> None:
    from hsctl.report.safe_console import SafeConsole

    SafeConsole().print(view)


def print_json(record: Any, indent: int | None = 1) -> None:
    from json import dumps

    typer.echo(dumps(record, indent=indent))


def print_json_lines(records: Iterable[Any]) -> None:
    """A list with a line for each record; nothing is printed before all of them are known."""
    from json import dumps

    lines = ",\n".join(map(dumps, records))
    typer.echo(f"[\n{lines}\n]" if lines else "[]")


def print_line(text: str) -> None:
    typer.echo(clean(text))


def announce(text: str) -> None:
    """One line on stderr, whatever the text: a stranger's must not look like another message."""
    typer.echo(clean(text), err=True)


def tell_missing_replays(count: int) -> None:
    """That games for which replays were asked have none."""
    if count:
        have = "1 game from the ledger has" if count == 1 else f"{count} games from the ledger have"
        announce(f"{have} no replay; with another --ledger {'it is' if count == 1 else 'they are'} played again")


@contextmanager
def progress(doing: str, total: float, unit: str = "") -> "Iterator[Callable[[float], None]]":
    """A bar on stderr while something is done; yields what moves it on by so much. `unit`: of what is counted."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hsctl.report.safe_console import SafeConsole

    counted = TextColumn("{task.completed:,.0f} " + unit)
    columns = (TextColumn("{task.description}"), BarColumn(), counted, TimeRemainingColumn()) if unit else ()
    console = SafeConsole(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(doing, total=total)
        yield lambda done: shown.advance(task, done)


def this_command() -> str:
    """The command line as it was typed: it resumes what it began."""
    return join_words(["hsctl", *sys.argv[1:]])
