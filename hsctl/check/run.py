"""The runner: all checks in order, a line each; without any answer of the bot there is nothing else to check."""

import time
from collections.abc import Callable, Sequence

from hsctl import __version__
from hsctl.check import limits, protocol, robustness, scenes, strength, suite, timing
from hsctl.check.session import play, talking
from hsctl.check.sheet import FAIL, FORMAT, PASS, VERSION, Chapter, Line, Sheet
from hsctl.check.subject import Check, Subject, failure_line, write_input
from hsctl.own.agent import OwnAgent
from hsctl.own.contract import CHECKS, Broken, Rule
from hsctl.own.spec import OwnSpec

FIRST = "an answer"


def plan(subject: Subject, chapters: Sequence[Chapter], note: Callable[[str], None]) -> list[Check]:
    """What is to be found out, whether it answers first."""
    made: dict[Chapter, Callable[[], list[Check]]] = {
        "protocol": protocol.checks,
        "timing": timing.checks,
        "robustness": robustness.checks,
        "limits": lambda: limits.checks(subject.source is not None),
        "suite": lambda: suite.checks(subject.suite),
        "strength": lambda: strength.checks(note),
    }
    rest = [check for chapter, make in made.items() if chapter in chapters for check in make()]
    return [Check("protocol", FIRST, answers), *rest]


def plan_agent(spec: OwnSpec, chapters: Sequence[Chapter], note: Callable[[str], None]) -> list[Check]:
    """What is to be found out about an agent in Python: its contract, and where it stands on the ladder."""
    agent = OwnAgent(spec)
    contract = [Check("contract", name, holds(agent, name, rule)) for name, rule in CHECKS.items()]
    return [*(contract if "contract" in chapters else []), *(strength.checks(note) if "strength" in chapters else [])]


def holds(agent: OwnAgent, name: str, rule: Rule) -> Callable[[Subject], Line]:
    """Whether an agent keeps a part of the contract."""

    def run(_: Subject) -> Line:
        try:
            rule.check(agent.renewed)
        except Broken as broken:
            return Line(name, FAIL, str(broken.finding), rule.advice)
        return Line(name, PASS, rule.promise)

    return run


def answers(subject: Subject) -> Line:
    scene = scenes.first_turn()
    with talking(subject.command, scene.name, scene.seat) as talk:
        session = play(talk, scene.game, scene.turns)
    if session.failure is not None:
        return failure_line(FIRST, FAIL, session)
    subject.first_s = session.exchanges[0].answer.wall_s
    return Line(FIRST, PASS, session.received)


def run(subject: Subject, checks: Sequence[Check], on_check: Callable[[int, Check], None]) -> Sheet:
    """The whole sheet; `on_check` hears of each check before it begins."""
    started = time.monotonic()
    lines: list[Line] = []
    for number, check in enumerate(checks):
        on_check(number, check)
        line = check.run(subject)
        line.chapter = check.chapter
        if subject.folder is not None and line.sent:
            write_input(subject.folder, line)
        lines.append(line)
        if check.name == FIRST and line.verdict == FAIL:
            break
    left_out = [f"{check.chapter}: {check.name}" for check in checks[len(lines) :]]
    is_fit = all(line.verdict != FAIL for line in lines)
    seconds = round(time.monotonic() - started, 1)
    return Sheet(FORMAT, VERSION, __version__, subject.command, is_fit, seconds, lines, left_out, subject.strength)
