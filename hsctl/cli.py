"""The command line: the Typer app, and the one place where errors of the user end."""

import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from engine.errors import HsctlError
from hsctl import __version__
from hsctl.commands.look import explain, replay  # commands import what is heavy only when they run
from hsctl.commands.measure import bench, scale, verify
from hsctl.commands.play import agents, bot, compare, league, play
from hsctl.commands.research import paper

app = typer.Typer(
    name="hsctl",
    help="Match play and debugging of Hypersonic, CodinGame's Bomberman.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("play")(play.play)
app.command("league")(league.league)
app.command("compare")(compare.compare)
app.command("bot")(bot.bot)
app.command("replay")(replay.replay)
app.command("explain")(explain.explain)
app.command("agents")(agents.agents)
app.command("paper")(paper.paper)
app.command("scale")(scale.scale)
app.command("bench")(bench.bench)
app.command("verify")(verify.verify)


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hsctl {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=print_version, is_eager=True, help="Show the version."),
) -> None:
    """Match play and debugging of Hypersonic, CodinGame's Bomberman."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run hsctl and exit; wrong input ends with one line on stderr and exit code 2."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        sys.exit(app(words or ["--help"], prog_name="hsctl", standalone_mode=False))
    except TyperException as error:
        refuse(error.format_message())
    except HsctlError as error:
        refuse(str(error))


def refuse(message: str) -> None:
    typer.echo(f"hsctl: {message}", err=True)
    sys.exit(2)


if __name__ == "__main__":
    main()
