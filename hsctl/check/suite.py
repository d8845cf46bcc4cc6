"""Suites: positions that the bot, or another, once got wrong. Each entry is a line; hsctl/suite/ has the format."""

from collections.abc import Callable

from engine.game import Game
from engine.notation import format_header, resolve
from engine.survival import is_survivable
from hsctl.check.session import Session, Talk, play, talking
from hsctl.check.sheet import FAIL, PASS, WARN, Line, Verdict
from hsctl.check.subject import Check, Subject, failure_line, line_of
from hsctl.suite.demands import Avoid, Demand, Play, Survive, Within, parse_demand
from hsctl.suite.entry import Entry, Inputs, read_inputs


def checks(suite: dict[str, Entry]) -> list[Check]:
    return [Check("suite", name, holds(name, entry)) for name, entry in suite.items()]


def holds(name: str, entry: Entry) -> Callable[[Subject], Line]:
    def run(subject: Subject) -> Line:
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
        return Line(name, PASS, "; ".join(entry.demands))

    return run


def is_own_fault(session: Session, turn: int) -> bool:
    """Whether the bot, and not the machine, made an answer late."""
    late = session.exchanges[turn].answer.late
    return late is not None and late.culprit == "bot"


def breach(demand: Demand, inputs: Inputs, talk: Talk) -> str:
    """How the last answer breaks the demand; empty if it holds."""
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
    session: Session = talk.session
    asked = len(session.exchanges)
    play(talk, game, asked + turns - 1)
    lived = 1 + len(session.exchanges) - asked
    if session.failure is not None:
        return f"failed on the way: {session.failure.cause}: {session.failure.detail}"
    return "" if seat in game.living else f"died after {lived} of {turns} turns"
