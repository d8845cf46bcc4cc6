"""The command line: the Typer app, and the one place where errors of the user end."""

import os
import sys

import typer

from hsctl import __version__

app = typer.Typer(
    name="hsctl",
    help="Match play and debugging of Hypersonic, CodinGame's Bomberman.",
    rich_markup_mode=None,
    no_args_is_help=True,
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
    from hsctl.commands import agents, bench, bot, play, replay, verify

    app.command("play")(play.play)
    app.command("bot")(bot.bot)
    app.command("replay")(replay.replay)
    app.command("agents")(agents.agents)
    app.command("bench")(bench.bench)
    app.command("verify")(verify.verify)


def main() -> None:
    """Run hsctl; wrong input ends with one line on stderr and exit code 2."""
    from engine.errors import HsctlError

    add_commands()
    try:
        app()
    except HsctlError as error:
        typer.echo(f"hsctl: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("hsctl: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
