"""The sheet on a screen: a line for each check, below it what was sent and came back where something failed."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hsctl.shell import join_words
from hsctl.testing.check.session import AGENT_CHAPTERS, CHAPTERS, FAIL, PASS, WARN, CheckLine, Sheet
from replays.render.board import FRAME
from replays.text import LINES, clean

# The sheet as JUnit XML, for build servers: a suite for each chapter, a case for each line.


def format_junit(sheet: Sheet) -> bytes:
    """Warnings are passed cases with the warning as their output: JUnit has no word for them."""
    root = Element("testsuites", name=f"hsctl check {clean(sheet.command)}", time=str(sheet.seconds))
    for chapter in dict.fromkeys((*CHAPTERS, *AGENT_CHAPTERS)):
        lines = [line for line in sheet.lines if line.chapter == chapter]
        if lines:
            failures = sum(line.verdict == FAIL for line in lines)
            suite = SubElement(root, "testsuite", name=chapter, tests=str(len(lines)), failures=str(failures))
            for line in lines:
                add_case(suite, line)
    indent(root)
    text: bytes = tostring(root, "utf-8", xml_declaration=True)
    return text + b"\n"


def add_case(suite: Element, line: CheckLine) -> None:
    case = SubElement(suite, "testcase", classname=f"check.{line.chapter}", name=clean(line.name))
    if line.verdict == FAIL:
        failure = SubElement(case, "failure", message=clean(line.evidence))
        failure.text = clean(f"{line.advice}\n\nsent:\n{line.sent}\ncame back:\n{line.received}", LINES)
    else:
        said = line.evidence if line.verdict == PASS else f"warning: {line.evidence}. {line.advice}"
        SubElement(case, "system-out").text = clean(said, LINES)


MARKS = {PASS: ("pass", "green"), WARN: ("warn", "bold #d08a1d"), FAIL: ("FAIL", "bold red")}
QUIET = FRAME.style
NAME_WIDTH = 29
SHOWN = 3  # failures with what was sent
MOST_LINES = 12  # of what came back


def sheet_view(sheet: Sheet) -> RenderableType:
    parts: list[RenderableType] = []
    chapter = ""
    for line in sheet.lines:
        if line.chapter != chapter:
            chapter = line.chapter
            parts.append(Text(chapter, "bold"))
        parts.append(row(line))
    wrong = [line for line in sheet.lines if line.verdict == FAIL and line.sent]
    for line in wrong[:SHOWN]:
        parts += [Text(""), *details(line, sheet.command)]
    if len(wrong) > SHOWN:
        left = len(wrong) - SHOWN
        more = "1 more failure" if left == 1 else f"{left} more failures"
        parts.append(Text(f"\nand {more}: --json has what was sent and came back", QUIET))
    if sheet.left_out:
        count = "1 check" if len(sheet.left_out) == 1 else f"{len(sheet.left_out)} checks"
        parts.append(Text(f"left out: {count}, without an answer there is nothing to see", QUIET))
    return Group(*parts, Text(""), verdict(sheet))


def row(line: CheckLine) -> RenderableType:
    word, style = MARKS[line.verdict]
    grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(width=4)
    grid.add_column(width=NAME_WIDTH, overflow="fold")
    grid.add_column(overflow="fold")
    grid.add_row(Text(word, style), Text(line.name), Text(line.evidence))
    if line.verdict != PASS and line.advice:
        grid.add_row("", "", Text(line.advice, QUIET))
    return Padding(grid, (0, 0, 0, 1))


def details(line: CheckLine, command: str) -> list[RenderableType]:
    """What was sent on the turn that went wrong, what came back, and how to see it again."""
    return [
        Text(f"{line.name}: sent on turn {line.turn}", "bold"),
        Text(last_turn(line), QUIET),
        Text("came back", "bold"),
        Text(tail(line.received)),
        Text(again(line, command)),
    ]


def last_turn(line: CheckLine) -> str:
    """The end of all that was sent: one turn, with the first line before the first one."""
    lines = line.sent.splitlines()
    starts = [at for at in range(len(lines) - 11) if is_board(lines[at : at + 11])]
    start = starts[-1] if starts else 0
    return "\n".join(lines[0 if start <= 1 else start :])


def is_board(rows: list[str]) -> bool:
    return all(len(row) == 13 and set(row) <= set(".X012") for row in rows)


def tail(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:1], *lines[1:][-MOST_LINES:]])


def again(line: CheckLine, command: str) -> str:
    if line.file:
        return f"again: {command} < {join_words([line.file])}"
    return "--out DIR writes all that was sent to a file, for a debugger"


def verdict(sheet: Sheet) -> Text:
    counts = f"{sheet.count(PASS)} passed, {sheet.count(WARN)} warned, {sheet.count(FAIL)} failed"
    word, style = ("fit for the arena", "bold green") if sheet.is_fit else ("not fit for the arena", "bold red")
    return Text.assemble((word, style), f": {counts} in {sheet.seconds:.0f} s")
