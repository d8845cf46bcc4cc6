"""The arena's limits: the size of the source, and one core."""

from collections.abc import Callable

from hsctl.check import robustness
from hsctl.check.sheet import FAIL, PASS, WARN, Line
from hsctl.check.subject import Check, Subject, failure_line
from hsctl.files import read_text

MOST_CHARACTERS = 100_000
NEAR = 0.95
BEYOND = 1.15  # CPU time above the time of the turns: more than one core
FEWEST_S = 0.2  # of turns: less says nothing at the precision of CPU times


def checks(has_source: bool) -> list[Check]:
    runs: dict[str, Callable[[Subject], Line]] = {"one core is enough": check_threads}
    if has_source:
        runs = {"size of the source": check_source, **runs}
    return [Check("limits", name, run) for name, run in runs.items()]


def check_source(subject: Subject) -> Line:
    assert subject.source is not None
    size = len(read_text(subject.source, "the bot's source"))
    said = f"{size:,} of {MOST_CHARACTERS:,} characters"
    name, figures = "size of the source", {"characters": float(size)}
    if size > MOST_CHARACTERS:
        return Line(name, FAIL, said, "Shorten it: strip comments, pack tables.", figures=figures)
    if size > NEAR * MOST_CHARACTERS:
        return Line(name, WARN, said, "There is little room left.", figures=figures)
    return Line(name, PASS, said, figures=figures)


def check_threads(subject: Subject) -> Line:
    """Threads are no fault, but work in them is: the arena has one core for all."""
    name = "one core is enough"
    session = subject.session("a whole game") or robustness.short(subject, subject.command, robustness.TURNS)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    later = session.exchanges[1:]
    threads = max((exchange.held.threads for exchange in session.exchanges), default=0)
    wall = sum(exchange.answer.wall_s for exchange in later)
    cpu = sum(exchange.answer.cpu_s or 0.0 for exchange in later)
    figures = {"threads": float(threads), "wall_s": round(wall, 3), "cpu_s": round(cpu, 3)}
    count = "1 thread" if threads == 1 else f"{threads} threads"
    if cpu > FEWEST_S and cpu > BEYOND * wall:
        said = f"{count}, and {cpu / wall:.1f} times as much CPU time as its turns lasted"
        advice = "In the arena all threads share one core, and nobody thinks on others' time."
        return Line(name, WARN, said, advice, figures=figures)
    return Line(name, PASS, f"{count}, no more CPU time than its turns lasted", figures=figures)
