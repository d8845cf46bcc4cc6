"""The sheet as JUnit XML, for build servers: a suite for each chapter, a case for each line."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hsctl.check.sheet import AGENT_CHAPTERS, CHAPTERS, FAIL, PASS, Line, Sheet
from replays.text import LINES, clean


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


def add_case(suite: Element, line: Line) -> None:
    case = SubElement(suite, "testcase", classname=f"check.{line.chapter}", name=clean(line.name))
    if line.verdict == FAIL:
        failure = SubElement(case, "failure", message=clean(line.evidence))
        failure.text = clean(f"{line.advice}\n\nsent:\n{line.sent}\ncame back:\n{line.received}", LINES)
    else:
        said = line.evidence if line.verdict == PASS else f"warning: {line.evidence}. {line.advice}"
        SubElement(case, "system-out").text = clean(said, LINES)
