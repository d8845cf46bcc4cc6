"""What commands say: results on stdout as a view or as JSON, progress and how to go on on stderr; exit codes."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

NO = 1  # exit codes: the answer is no
UNDECIDED = 3
INTERRUPTED = 130


def print_view(view: "RenderableType") -> None:
    from rich.console import Console

    Console(highlight=False).print(view)


def print_json(record: Any, indent: int | None = 1) -> None:
    from json import dumps

    typer.echo(dumps(record, indent=indent))


def announce(text: str) -> None:
    typer.echo(text, err=True)


def this_command() -> str:
    """The command line as it was given, which resumes what it began."""
    return shlex.join(["hsctl", *sys.argv[1:]])
