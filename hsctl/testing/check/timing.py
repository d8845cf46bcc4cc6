"""Timing, by the arena's clock alone: 1000 ms from the first input to the first answer, start included, then 100.

Blame for a late answer is judged as in games: time that the machine took is no fault of the bot, but a reason to
measure again.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import fmean, median

from engine.notation import format_position
from hsctl.match.bots.answer import BotAnswer
from hsctl.match.cores import own_cores
from hsctl.testing.check.session import (
    FAIL,
    FIRST_S,
    PASS,
    TURN_S,
    WARN,
    BotSession,
    Check,
    CheckedBot,
    CheckedTurn,
    CheckLine,
    Verdict,
    failure_line,
    first_turn,
    line_of,
    play_short,
    talking,
)

STARTS = 3
HEAD_START_S = 1.5  # to start before the first input comes
SLOW_START_MS = 400.0
NEAR = 0.9  # of the limit: from here on it warns
TURNS = 25
WATCH_CLOCK = "Stop thinking by the clock, not after a fixed amount of work, and keep some milliseconds in reserve."
BUSY = "The machine was busy: measure again on a quiet one."
HOG = "import os\nos.sched_setaffinity(0, {%d})\nprint(flush=True)\np = os.getppid()\nwhile os.getppid() == p: pass"


def timing_checks() -> list[Check]:
    runs: dict[str, Callable[[CheckedBot], CheckLine]] = {
        "first turn": check_first,
        "start-up": check_start,
        "later turns": check_later,
        "on one core": check_one_core,
        "beside a busy neighbour": check_neighbour,
    }
    return [Check("timing", name, run) for name, run in runs.items()]


def percentile(times: Sequence[float], share: float) -> float:
    """The smallest time that this share doesn't exceed."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def own_ms(answer: BotAnswer) -> float:
    """An answer's time without what the machine surely took of it."""
    return (answer.wall_s - (answer.waited_s or 0.0)) * 1000


def figures_of(exchanges: Sequence[CheckedTurn]) -> dict[str, float]:
    answers = [exchange.answer for exchange in exchanges]
    times = [answer.wall_s * 1000 for answer in answers]
    cpu = [answer.cpu_s for answer in answers if answer.cpu_s is not None]
    late = [answer.late for answer in answers if answer.late is not None]
    figures = {
        "median_ms": median(times),
        "p99_ms": percentile(times, 0.99),
        "worst_ms": max(times),
        "own_worst_ms": max(map(own_ms, answers)),
        "waited_ms": fmean(answer.waited_s or 0.0 for answer in answers) * 1000,
        "late": len(late),
        "late_by_bot": sum(each.culprit == "bot" for each in late),
        "turns": len(times),
    }
    if cpu:
        figures["cpu_ms"] = 1000 * fmean(cpu)
    return {name: round(value, 2) for name, value in figures.items()}


def describe(figures: dict[str, float]) -> str:
    said = "median {median_ms:.0f}, 99 % {p99_ms:.0f}, worst {worst_ms:.0f} ms".format(**figures)
    if "cpu_ms" not in figures:
        return said
    return said + "; a turn {cpu_ms:.0f} ms of CPU, {waited_ms:.0f} waiting for a core".format(**figures)


def first_late(exchanges: Sequence[CheckedTurn], culprit: str | None = None) -> int | None:
    """The first late one: of the bot's fault, or of anybody's."""
    late = ((at, each.answer.late) for at, each in enumerate(exchanges) if each.answer.late)
    return next((at for at, each in late if culprit in (None, each.culprit)), None)


def judge(
    name: str,
    session: BotSession,
    exchanges: Sequence[CheckedTurn],
    limit_s: float,
    verdict: Verdict = FAIL,
    skipped: int = 0,
) -> CheckLine:
    """A line about answers that all have one limit; `skipped` turns of the session came before them."""
    figures, limit = figures_of(exchanges), limit_s * 1000
    said = f"{describe(figures)}; the limit is {limit:.0f}"
    turn = first_late(exchanges, "bot")
    if turn is not None:
        said = f"{figures['late_by_bot']:.0f} of {len(exchanges)} turns late, first turn {turn + skipped}: {said}"
        line = line_of(name, verdict, session, said, WATCH_CLOCK, turn + skipped)
    elif (turn := first_late(exchanges)) is not None:
        said = f"{figures['late']:.0f} of {len(exchanges)} turns late, perhaps by the machine's fault: {said}"
        line = line_of(name, WARN, session, said, BUSY, turn + skipped)
    elif figures["own_worst_ms"] > NEAR * limit:
        line = CheckLine(name, WARN, f"near the limit: {said}", WATCH_CLOCK)
    else:
        line = CheckLine(name, PASS, said)
    line.figures = figures
    return line


def start(subject: CheckedBot, head_start_s: float = 0.0) -> BotSession:
    """A fresh process that is asked once, at once or after it had time to start."""
    scenario = first_turn()
    with talking(subject.command, scenario.name, scenario.seat) as talk:
        time.sleep(head_start_s)
        talk.ask(format_position(scenario.game))
        return talk.session


def check_first(subject: CheckedBot) -> CheckLine:
    """Several starts: the worst counts, of those that are the bot's fault if there are any."""
    name, sessions = "first turn", [start(subject) for _ in range(STARTS)]
    for session in sessions:
        if session.failure is not None:
            return failure_line(name, FAIL, session)
    blamed = [session for session in sessions if first_late(session.exchanges, "bot") is not None]
    worst = max(blamed or sessions, key=lambda each: each.exchanges[0].answer.wall_s)
    line = judge(name, worst, worst.exchanges, FIRST_S)
    all_ms = ", ".join(f"{each.exchanges[0].answer.wall_s * 1000:.0f}" for each in sessions)
    of_worst = "{waited_ms:.0f} of {worst_ms:.0f} waiting for a core".format(**line.figures)
    line.evidence = f"answered after {all_ms} ms, the start included ({of_worst}); the limit is {FIRST_S * 1000:.0f}"
    if line.verdict == FAIL:
        line.advice = "The start counts: the arena has no start-up allowance. Do less before the first answer."
    return line


def check_start(subject: CheckedBot) -> CheckLine:
    """What of the first answer's time is start: what it takes less with a head start."""
    name = "start-up"
    cold, warm = start(subject), start(subject, HEAD_START_S)
    for session in (cold, warm):
        if session.failure is not None:
            return failure_line(name, FAIL, session)
    cold_ms, warm_ms = (own_ms(session.exchanges[0].answer) for session in (cold, warm))
    took = max(0.0, cold_ms - warm_ms)
    said = f"{took:.0f} ms of {cold_ms:.0f} until the first answer"
    figures = {"start_ms": round(took, 1), "first_ms": round(cold_ms, 1)}
    if took <= SLOW_START_MS:
        return CheckLine(name, PASS, said, figures=figures)
    advice = "A language that starts slowly has less of the first second: leave it a reserve there."
    return CheckLine(name, WARN, said, advice, figures=figures)


def check_later(subject: CheckedBot) -> CheckLine:
    """The games of the chapter on the protocol, or one of its own."""
    name = "later turns"
    session = subject.session("a whole game")
    if session is None or len(session.exchanges) < TURNS:
        session = play_short(subject.command, TURNS)
    if len(session.exchanges) < 2:
        return unplayed(name, session)
    return judge(name, session, session.exchanges[1:], TURN_S, skipped=1)


def check_one_core(subject: CheckedBot) -> CheckLine:
    session = play_short(subject.command, TURNS, core=spare_core())
    if len(session.exchanges) < 2:
        return unplayed("on one core", session)
    return judge("on one core", session, session.exchanges[1:], TURN_S, skipped=1)


def check_neighbour(subject: CheckedBot) -> CheckLine:
    """Half a core: no fault if it is late, but a sign that it doesn't look at the clock."""
    name, core = "beside a busy neighbour", spare_core()
    if core is None:
        return CheckLine(name, WARN, "this system doesn't let a program stay on a core", "Check it on Linux.")
    with hog(core):
        session = play_short(subject.command, TURNS, core=core)
    if len(session.exchanges) < 2:
        return unplayed(name, session)
    line = judge(name, session, session.exchanges[1:], TURN_S, WARN, skipped=1)
    if line.verdict == WARN and line.figures["late"]:
        line.advice = WATCH_CLOCK
    return line


def unplayed(name: str, session: BotSession) -> CheckLine:
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    return CheckLine(name, WARN, "it died on its first turn", "Play a game: hsctl play --watch.")


def spare_core() -> int | None:
    """The last of this process's cores; None where there is no such thing."""
    return own_cores()[-1] if own_cores() else None


@contextmanager
def hog(core: int) -> Iterator[None]:
    """A neighbour that never rests, on this core."""
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", HOG % core], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()
