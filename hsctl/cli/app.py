"""The command line: the Typer app, and the one place where errors of the user are reported."""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import typer
from typer.exceptions import TyperException

from engine.errors import HsctlError
from hsctl import __version__
from hsctl.cli.completion import VARIABLE, prepare_completion
from hsctl.cli.help import HsctlGroup, format_jobs
from hsctl.plain import speak_plainly
from hsctl.report.console import CLOSED_PIPE
from hsctl.stopping import leave_orderly
from replays.text import clean, shorten

LONGEST_NAME = 60  # of a file, in an error
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
EXAMPLES = """
hsctl play beam mcts  # play a game
hsctl replay          # step through it
hsctl COMMAND --help  # a command's options and examples
hsctl help players    # who can play; `hsctl help` lists the topics
"""

app = typer.Typer(
    name="hsctl",
    cls=HsctlGroup,
    subcommand_metavar="COMMAND [ARGUMENT ...]",
    epilog=EXAMPLES,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hsctl {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=print_version, is_eager=True, help="Show the version."),
) -> None:
    """Play, replay and debug games of Hypersonic, CodinGame's Bomberman."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run hsctl and exit; wrong input ends with one line on stderr and exit code 2."""
    words = sys.argv[1:] if arguments is None else arguments
    leave_orderly()
    prepare_completion()
    speak_plainly(sys.stdout, sys.stderr)
    try:
        if not words and VARIABLE not in os.environ:
            typer.echo(format_jobs())
            sys.exit(0)
        hint_at_renamed(words)
        sys.exit(app(words, prog_name="hsctl", standalone_mode=False))
    except TyperException as error:
        refuse(error.format_message())
    except HsctlError as error:
        refuse(str(error))
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # wherever a name is first looked at
            refuse(f"{shorten(str(error.filename), LONGEST_NAME)}: {error.strerror}; no file can have this name")
        if error.errno not in DISK_FULL:
            raise
        refuse(f"can't write: {error.strerror}")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # as Typer and rich end then, with the code for "no"
            sys.exit(CLOSED_PIPE)
        raise


def hint_at_renamed(words: Sequence[str]) -> None:
    """Presets that have another name today still work; say which."""
    if any(":" in word for word in words):
        from search.spec import former_names

        for former, name in former_names(" ".join(words)).items():
            typer.echo(f"hsctl: {former} is called {name} today", err=True)


def refuse(message: str) -> None:
    with suppress(BrokenPipeError):
        typer.echo(f"hsctl: {clean(message)}", err=True)
    sys.exit(2)
