"""`hsctl doctor`: what this machine gives hsctl, and what to fix first in a bot."""

from typing import Annotated

import typer

from engine.errors import HsctlError
from hsctl import __version__
from hsctl.cli.options import AsJson
from hsctl.report.console import announce, print_json, print_line, print_view

EXAMPLES = """
hsctl doctor          # examine this machine, to paste into a bug report
hsctl doctor ./mybot  # also: what to fix first in a bot
"""


def doctor(
    command: Annotated[
        str | None, typer.Argument(metavar="[COMMAND]", help="A bot's command line, or your own agent.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Examine this machine and, if you name one, a bot.

    hsctl lists its versions, the processor it compiles for, whether it uses the shipped code (if not, why), its
    folders, what protects you from bots, whether it can time turns of 100 ms fairly, the terminal, and extras.

    With a bot, hsctl also checks it, plays a short series against `simple`, reviews the games, and lists what to fix
    first.
    """
    from hsctl.testing.doctor.bot import examine_bot
    from hsctl.testing.doctor.facts import machine_view, problem_lines, report_record
    from hsctl.testing.doctor.machine import examine_machine

    if command is not None:
        refuse_built_in(command)
    sections = examine_machine()
    if not json:
        print_view(machine_view(sections))
    problems = examine_bot(command, announce) if command is not None else []
    if json:
        print_json(report_record(__version__, sections, command, problems))
    elif command is not None:
        for line in problem_lines(command, problems):
            print_line(line)


def refuse_built_in(command: str) -> None:
    from hsctl.match.players import read_player
    from hsctl.match.user_agents.spec import UserSpec

    spec = read_player(command).spec
    if spec is not None and not isinstance(spec, UserSpec):
        raise HsctlError(f"{command!r} is a built-in player: name a bot's command line, such as './mybot'")
