"""A whole check: all checks in order, a line each, and the report on a screen or as JUnit XML.

If the bot never answers, the rest is left out.
"""

import time
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from engine.game import Game
from engine.notation import format_header, resolve
from hsctl import __version__
from hsctl.analysis.suite import (
    Avoid,
    Demand,
    InStep,
    Play,
    SuiteEntry,
    SuiteInputs,
    Survive,
    Within,
    parse_demand,
    read_inputs,
)
from hsctl.match.user_agents.agent import UserAgent
from hsctl.match.user_agents.contract import CHECKS, Broken, ContractRule
from hsctl.match.user_agents.spec import UserSpec
from hsctl.shell import join_words
from hsctl.testing.check.probes import limit_checks, protocol_checks, robustness_checks
from hsctl.testing.check.session import (
    AGENT_CHAPTERS,
    CHAPTERS,
    FAIL,
    FORMAT,
    PASS,
    VERSION,
    WARN,
    BotSession,
    Chapter,
    Check,
    CheckedBot,
    CheckLine,
    CheckReport,
    Talk,
    Verdict,
    failure_line,
    first_turn,
    line_of,
    play,
    talking,
    write_input,
)
from hsctl.testing.check.strength import strength_checks
from hsctl.testing.check.timing import timing_checks
from replays.render.board import FRAME
from replays.text import LINES, clean

# Suites: positions that the bot, or another, once got wrong. hsctl/analysis/suite has the format.


def suite_checks(suite: dict[str, SuiteEntry]) -> list[Check]:
    return [Check("suite", name, meets_demand(name, entry)) for name, entry in suite.items()]


def meets_demand(name: str, entry: SuiteEntry) -> Callable[[CheckedBot], CheckLine]:
    def run(subject: CheckedBot) -> CheckLine:
        inputs, demands = read_inputs(entry), [parse_demand(text) for text in entry.demands]
        last = len(inputs.turns) - 1
        due = min((demand.ms / 1000 for demand in demands if isinstance(demand, Within)), default=None)
        with talking(subject.command, name, inputs.seat) as talk:
            for turn, text in enumerate(inputs.turns):
                own = text.removeprefix(format_header(inputs.seat)) if turn == 0 else text
                talk.ask(own, due=due if turn == last else None)
                if talk.session.failure is not None:
                    return failure_line(name, FAIL, talk.session)
            for demand in demands:
                broken = breach(demand, inputs, talk)
                if broken:
                    is_doubtful = isinstance(demand, Within) and not is_own_fault(talk.session, last)
                    verdict: Verdict = WARN if is_doubtful else FAIL
                    why = f" ({entry.why})" if entry.why else ""
                    return line_of(name, verdict, talk.session, f"`{demand}`: {broken}{why}", "", last)
        return CheckLine(name, PASS, "; ".join(entry.demands))

    return run


def is_own_fault(session: BotSession, turn: int) -> bool:
    """Whether the bot, and not the machine, made an answer late."""
    late = session.exchanges[turn].answer.late
    return late is not None and late.culprit == "bot"


def breach(demand: Demand, inputs: SuiteInputs, talk: Talk) -> str:
    """How the last answer breaks the demand; empty if it meets it."""
    game, seat = inputs.game, inputs.seat
    last = talk.session.exchanges[len(inputs.turns) - 1]
    order, answered = last.order, f"answered {last.answer.line!r}"
    assert order is not None
    done = resolve(game.state, seat, order)
    match demand:
        case InStep():
            return f"{answered} before its turn" if last.answer.is_ahead else ""
        case Within():
            took = last.answer.wall_s * 1000
            return f"answered after {took:.0f} ms" if took > demand.ms else ""
        case Avoid():
            return answered if resolve(game.state, seat, demand.order) == done else ""
        case Play():
            wanted = {resolve(game.state, seat, each) for each in demand.orders}
            return "" if done in wanted else answered
        case Survive():
            after = position_after(game, seat, done)
            if demand.turns is not None:
                return lives_on(after, seat, demand.turns, talk)
            return "" if after.can_survive(seat) else f"{answered}: no way out of the known bombs"


def position_after(game: Game, seat: int, action: int) -> Game:
    """The position after an action, the others standing still."""
    after = game.copy()
    after.step([action if at == seat else 0 for at in range(game.seats)])
    return after


def lives_on(game: Game, seat: int, turns: int, talk: Talk) -> str:
    """Ask on, the others standing still; how it died, or nothing."""
    session: BotSession = talk.session
    asked = len(session.exchanges)
    play(talk, game, asked + turns - 1)
    lived = 1 + len(session.exchanges) - asked
    if session.failure is not None:
        return f"failed on the way: {session.failure.cause}: {session.failure.detail}"
    return "" if seat in game.living else f"died after {lived} of {turns} turns"


FIRST = "an answer"


def plan_checks(subject: CheckedBot, chapters: Sequence[Chapter], note: Callable[[str], None]) -> list[Check]:
    """The checks of a bot; whether it answers comes first."""
    made: dict[Chapter, Callable[[], list[Check]]] = {
        "protocol": protocol_checks,
        "timing": timing_checks,
        "robustness": robustness_checks,
        "limits": lambda: limit_checks(subject.source is not None),
        "suite": lambda: suite_checks(subject.suite),
        "strength": lambda: strength_checks(note),
    }
    rest = [check for chapter, make in made.items() if chapter in chapters for check in make()]
    return [Check("protocol", FIRST, answers), *rest]


def plan_agent_checks(spec: UserSpec, chapters: Sequence[Chapter], note: Callable[[str], None]) -> list[Check]:
    """The checks of an agent in Python: its contract, and its level on the ladder."""
    agent = UserAgent(spec)
    contract = [Check("contract", name, holds(agent, name, rule)) for name, rule in CHECKS.items()]
    return [*(contract if "contract" in chapters else []), *(strength_checks(note) if "strength" in chapters else [])]


def holds(agent: UserAgent, name: str, rule: ContractRule) -> Callable[[CheckedBot], CheckLine]:
    """Whether an agent keeps a part of the contract."""

    def run(_: CheckedBot) -> CheckLine:
        try:
            rule.check(agent.renewed)
        except Broken as broken:
            return CheckLine(name, FAIL, str(broken.finding), rule.advice)
        return CheckLine(name, PASS, rule.promise)

    return run


def answers(subject: CheckedBot) -> CheckLine:
    scenario = first_turn()
    with talking(subject.command, scenario.name, scenario.seat) as talk:
        session = play(talk, scenario.game, scenario.turns)
    if session.failure is not None:
        return failure_line(FIRST, FAIL, session)
    subject.first_s = session.exchanges[0].answer.wall_s
    return CheckLine(FIRST, PASS, session.received)


def run_checks(subject: CheckedBot, checks: Sequence[Check], on_check: Callable[[int, Check], None]) -> CheckReport:
    """The whole report; `on_check` hears of each check before it begins."""
    started = time.monotonic()
    lines: list[CheckLine] = []
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
    return CheckReport(
        FORMAT, VERSION, __version__, subject.command, is_fit, seconds, lines, left_out, subject.strength
    )


# The report on a screen: a line for each check; below, what was sent and came back where something failed.


# The report as JUnit XML, for build servers: a suite for each chapter, a case for each line.


def format_junit(report: CheckReport) -> bytes:
    """Warnings are passed cases with the warning as their output: JUnit has no word for them."""
    root = Element("testsuites", name=f"hsctl check {clean(report.command)}", time=str(report.seconds))
    for chapter in dict.fromkeys((*CHAPTERS, *AGENT_CHAPTERS)):
        lines = [line for line in report.lines if line.chapter == chapter]
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


def report_view(report: CheckReport) -> RenderableType:
    parts: list[RenderableType] = []
    chapter = ""
    for line in report.lines:
        if line.chapter != chapter:
            chapter = line.chapter
            parts.append(Text(chapter, "bold"))
        parts.append(check_row(line))
    wrong = [line for line in report.lines if line.verdict == FAIL and line.sent]
    for line in wrong[:SHOWN]:
        parts += [Text(""), *details(line, report.command)]
    if len(wrong) > SHOWN:
        left = len(wrong) - SHOWN
        more = "1 more failure" if left == 1 else f"{left} more failures"
        parts.append(Text(f"\nand {more}: --json has what was sent and came back", QUIET))
    if report.left_out:
        count = "1 check" if len(report.left_out) == 1 else f"{len(report.left_out)} checks"
        parts.append(Text(f"left out: {count}, without an answer there is nothing to see", QUIET))
    return Group(*parts, Text(""), verdict_line(report))


def check_row(line: CheckLine) -> RenderableType:
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
        Text(how_to_repeat(line, command)),
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


def how_to_repeat(line: CheckLine, command: str) -> str:
    if line.file:
        return f"again: {command} < {join_words([line.file])}"
    return "--out DIR writes all that was sent to a file, for a debugger"


def verdict_line(report: CheckReport) -> Text:
    counts = f"{report.count(PASS)} passed, {report.count(WARN)} warned, {report.count(FAIL)} failed"
    word, style = ("fit for the arena", "bold green") if report.is_fit else ("not fit for the arena", "bold red")
    return Text.assemble((word, style), f": {counts} in {report.seconds:.0f} s")
