"""`hsctl check`: is a bot fit for the arena, does an agent in Python keep its contract?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import HsctlError
from hsctl.cli.options import AsJson, Jobs, refuse_beside, refuse_several
from hsctl.report.console import INTERRUPTED, NO, announce, print_view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hsctl.match.user_agents.spec import UserSpec
    from hsctl.testing.check.session import Chapter, Check, CheckedBot, CheckReport

EXAMPLES = """
hsctl check ./mybot                              # all, in a few minutes
hsctl check ./myagent.py:MyAgent --quick         # a Python agent, no ladder
hsctl check ./mybot --source mybot.cpp --out in  # then: ./mybot < in/FILE
"""


def check(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="A bot's command line, or your own agent.")],
    quick: Annotated[bool, typer.Option("--quick", help="Skip the ladder.")] = False,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="SECTION,...",
            help="Check only these sections: protocol, timing, robustness, limits, suite, strength.",
        ),
    ] = None,
    suite: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Test the bot with a suite (see `hsctl review --write-suite`).")
    ] = None,
    source: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The bot's source, to check the arena's size limit.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the input of each failed check to a file.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report as JUnit XML.")] = None,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Check a bot before you submit it to the arena.

    hsctl prints one line per check: protocol, timing by the arena's clock, robustness, limits, and how far the bot
    climbs a ladder of built-in players. If a check fails, hsctl shows the input and the bot's answer. For your own
    agent (FILE.py:CLASS), it checks the contract and the ladder.

    The exit code is 1 if a check fails; warnings don't count.
    """
    from hsctl.report.live import bar
    from hsctl.report.safe_console import SafeConsole
    from hsctl.testing.check.run import plan_agent_checks, plan_checks, run_checks
    from hsctl.testing.check.session import encode

    refuse_several({"--quick": quick, "--only": only})
    spec = read_own(command, {"--source": source, "--suite": suite, "--out": out})
    chapters = read_chapters(only, quick, suite, is_agent=spec is not None)
    subject = read_subject(command, source, suite, out, jobs)
    prepare()
    shown = Shown()
    checks = plan_agent_checks(spec, chapters, shown.note) if spec else plan_checks(subject, chapters, shown.note)
    try:
        with bar(SafeConsole(stderr=True), "check", len(checks)) as shown.update:
            report = run_checks(subject, checks, shown.on_check)
    except KeyboardInterrupt:
        announce(f"stopped at {shown.text}")
        raise typer.Exit(INTERRUPTED) from None
    if junit is not None:
        write_junit(junit, report)
    if json:
        typer.echo(encode(report))
    else:
        from hsctl.testing.check.run import report_view

        print_view(report_view(report))
    if not report.is_fit:
        raise typer.Exit(NO)


# What was asked for


def read_own(text: str, of_bots: dict[str, object]) -> "UserSpec | None":
    """An agent of the user's own, if it is one."""
    from hsctl.match.user_agents.spec import UserSpec, names_agent, read_spec

    spec = read_spec(text) if names_agent(text) else None
    if not isinstance(spec, UserSpec):
        return None
    refuse_beside("an agent in Python", of_bots)
    return spec


def read_chapters(only: str | None, is_quick: bool, suite: Path | None, is_agent: bool) -> "Sequence[Chapter]":
    from hsctl.testing.check.session import AGENT_CHAPTERS, CHAPTERS

    chapters = AGENT_CHAPTERS if is_agent else CHAPTERS
    if only is None:
        return [chapter for chapter in chapters if chapter != "strength" or not is_quick]
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in chapters:
            raise HsctlError(f"--only {name}: there is no such section; the sections are {', '.join(chapters)}")
    if "suite" in names and suite is None:
        raise HsctlError("--only suite: add --suite DIR with its entries")
    return [chapter for chapter in chapters if chapter in names]


def read_subject(
    command: str, source: Path | None, suite: Path | None, out: Path | None, jobs: int | None
) -> "CheckedBot":
    """The bot, if it is one that can be started; all files looked at before anything runs."""
    from hsctl.analysis.suite import read_suite
    from hsctl.files import read_text
    from hsctl.match.cores import core_count
    from hsctl.match.players import read_player
    from hsctl.match.user_agents.spec import UserSpec
    from hsctl.testing.check.session import CheckedBot

    spec = read_player(command).spec
    if spec is not None and not isinstance(spec, UserSpec):
        raise HsctlError(f"{command!r} is a built-in player: give a bot's command line, such as 'hsctl bot beam'")
    if source is not None:
        read_text(source, "the bot's source")
    entries = {} if suite is None else read_suite(suite)
    return CheckedBot(command, source, entries, out, jobs or core_count())


def prepare() -> None:
    """Compile the opponents of all scenarios."""
    from hsctl.match.compiling import compile_for
    from hsctl.testing.check.session import LIVELY, QUIET

    compile_for([LIVELY, QUIET], announce)


def write_junit(path: Path, report: "CheckReport") -> None:
    from hsctl.testing.check.run import format_junit
    from replays.files import write_bytes

    write_bytes(path, format_junit(report))


class Shown:
    """How far it is, for a bar of checks: which one is under way, and what it is at."""

    def __init__(self) -> None:
        self.number, self.text = 0, "the start"
        self.update: Callable[[float, str], None] = lambda done, text: None

    def on_check(self, number: int, check: "Check") -> None:
        self.number, self.text = number, f"{check.chapter}: {check.name}"
        self.update(number, self.text)

    def note(self, text: str) -> None:
        """What a long check is at."""
        self.update(self.number, f"{self.text}: {text}")
