"""The command line: the Typer app, and the one place where errors of the user end."""

import sys

import typer
from typer.exceptions import TyperException

from hsctl import __version__

app = typer.Typer(
    name="hsctl",
    help="Match play and debugging of Hypersonic, CodinGame's Bomberman.",
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
    """Match play and debugging of Hypersonic, CodinGame's Bomberman."""


def add_commands() -> None:
    """One file per command; they import what is heavy only when they run."""
    from hsctl.commands import agents, bot, play, replay

    app.command("play")(play.play)
    app.command("bot")(bot.bot)
    app.command("replay")(replay.replay)
    app.command("agents")(agents.agents)


def main() -> None:
    """Run hsctl; wrong input ends with one line on stderr and exit code 2."""
    from engine.errors import HsctlError

    add_commands()
    try:
        sys.exit(app(sys.argv[1:] or ["--help"], prog_name="hsctl", standalone_mode=False))
    except (HsctlError, TyperException) as error:
        message = error.format_message() if isinstance(error, TyperException) else str(error)
        typer.echo(f"hsctl: {message}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
