"""What the doctor reports: facts in sections, each with advice where something is wrong, on a screen or as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, Literal, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

FORMAT: Final = "hsctl-doctor"
VERSION: Final = 1
Level = Literal["ok", "note", "problem"]
OK: Final = "ok"
NOTE: Final = "note"  # works, and could be better
PROBLEM: Final = "problem"  # something that people want doesn't work

LINE, INDENT = 79, "   "
MARKS: dict[Level, tuple[str, str]] = {OK: (" ", ""), NOTE: ("-", "yellow"), PROBLEM: ("!", "bold red")}


class Fact(NamedTuple):
    name: str
    value: str
    level: Level = OK
    advice: str = ""  # what to do about it


class BotProblem(NamedTuple):
    """Something that costs a bot games."""

    what: str
    evidence: str
    advice: str = ""
    command: str = ""  # shows more


Sections = Mapping[str, Sequence[Fact]]


def all_facts(sections: Sections) -> Iterator[tuple[str, Fact]]:
    return ((title, fact) for title, facts in sections.items() for fact in facts)


def report_record(version: str, sections: Sections, bot: str | None, problems: Sequence[BotProblem]) -> dict[str, Any]:
    """The whole report as JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "hsctl": version,
        "sections": {title: [fact._asdict() for fact in facts] for title, facts in sections.items()},
        "bot": bot,
        "fix_first": [problem._asdict() for problem in problems],
    }


def machine_view(sections: Sections) -> RenderableType:
    """A block for each section; advice stands below its fact."""
    width = max(len(fact.name) for _, fact in all_facts(sections))
    return Group(*(section_view(title, facts, width) for title, facts in sections.items()))


def section_view(title: str, facts: Sequence[Fact], width: int) -> RenderableType:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=1)
    table.add_column(width=width, no_wrap=True)
    table.add_column(overflow="fold")
    for fact in facts:
        mark, style = MARKS[fact.level]
        table.add_row(Text(mark, style), Text(fact.name), Text(fact.value))
        if fact.advice:
            table.add_row("", "", Text(fact.advice, style or "dim"))
    return Group(Text(title, "bold"), table)


def problem_lines(bot: str, problems: Sequence[BotProblem]) -> Iterator[str]:
    """The ranked list. Commands are never wrapped, so that they can be pasted."""
    if not problems:
        yield f"{bot}: found nothing to fix"
        return
    yield f"{bot}: fix this first"
    for number, problem in enumerate(problems, 1):
        yield f"{number}. {problem.what}"
        for text in filter(None, (problem.evidence, problem.advice)):
            yield from wrap(text, LINE, initial_indent=INDENT, subsequent_indent=INDENT)
        if problem.command:
            yield f"{INDENT}{problem.command}"


def shorten_home(path: Path | str) -> str:
    """A path to show to others: without the name of the user."""
    try:
        return f"~/{Path(path).relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):  # elsewhere, or nobody's home
        return str(path)
