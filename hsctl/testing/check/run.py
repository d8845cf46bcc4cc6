"""The runner: all checks in order, a line each; without any answer of the bot there is nothing else to check."""

import time
from collections.abc import Callable, Sequence

from engine.game import Game
from engine.notation import format_header, resolve
from engine.survival import is_survivable
from hsctl import __version__
from hsctl.analysis.suite.demands import Avoid, Demand, Play, Survive, Within, parse_demand
from hsctl.analysis.suite.entry import SuiteEntry, SuiteInputs, read_inputs
from hsctl.match.user_agents.agent import OwnAgent
from hsctl.match.user_agents.contract import CHECKS, Broken, ContractRule
from hsctl.match.user_agents.spec import OwnSpec
from hsctl.testing.check.protocol import protocol_checks
from hsctl.testing.check.robustness import limit_checks, robustness_checks
from hsctl.testing.check.session import (
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
    Sheet,
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
    """How the last answer breaks the demand; empty if it meets_demand."""
    game, seat = inputs.game, inputs.seat
    last = talk.session.exchanges[len(inputs.turns) - 1]
    order, answered = last.order, f"answered {last.answer.line!r}"
    assert order is not None
    done = resolve(game.state, seat, order)
    match demand:
        case Within():
            took = last.answer.wall_s * 1000
            return f"answered after {took:.0f} ms" if took > demand.ms else ""
        case Avoid():
            return answered if resolve(game.state, seat, demand.order) == done else ""
        case Play():
            wanted = {resolve(game.state, seat, each) for each in demand.orders}
            return "" if done in wanted else answered
        case Survive():
            after = played(game, seat, done)
            if demand.turns is not None:
                return lives_on(after, seat, demand.turns, talk)
            return "" if is_survivable(after.state, after.map, seat) else f"{answered}: no way out of the known bombs"


def played(game: Game, seat: int, action: int) -> Game:
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


def plan(subject: CheckedBot, chapters: Sequence[Chapter], note: Callable[[str], None]) -> list[Check]:
    """What is to be found out, whether it answers first."""
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


def plan_agent(spec: OwnSpec, chapters: Sequence[Chapter], note: Callable[[str], None]) -> list[Check]:
    """What is to be found out about an agent in Python: its contract, and where it stands on the ladder."""
    agent = OwnAgent(spec)
    contract = [Check("contract", name, holds(agent, name, rule)) for name, rule in CHECKS.items()]
    return [*(contract if "contract" in chapters else []), *(strength_checks(note) if "strength" in chapters else [])]


def holds(agent: OwnAgent, name: str, rule: ContractRule) -> Callable[[CheckedBot], CheckLine]:
    """Whether an agent keeps a part of the contract."""

    def run(_: CheckedBot) -> CheckLine:
        try:
            rule.check(agent.renewed)
        except Broken as broken:
            return CheckLine(name, FAIL, str(broken.finding), rule.advice)
        return CheckLine(name, PASS, rule.promise)

    return run


def answers(subject: CheckedBot) -> CheckLine:
    scene = first_turn()
    with talking(subject.command, scene.name, scene.seat) as talk:
        session = play(talk, scene.game, scene.turns)
    if session.failure is not None:
        return failure_line(FIRST, FAIL, session)
    subject.first_s = session.exchanges[0].answer.wall_s
    return CheckLine(FIRST, PASS, session.received)


def run(subject: CheckedBot, checks: Sequence[Check], on_check: Callable[[int, Check], None]) -> Sheet:
    """The whole sheet; `on_check` hears of each check before it begins."""
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
    return Sheet(FORMAT, VERSION, __version__, subject.command, is_fit, seconds, lines, left_out, subject.strength)
