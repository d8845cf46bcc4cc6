"""Robustness: input in pieces, late readers, pauses, little memory, no stderr; and whether it plays alike again."""

import shutil
import time
from collections.abc import Callable

from hsctl.bots.bot import Bot
from hsctl.bots.process import is_portable
from hsctl.bots.terms import ORDINARY, Terms
from hsctl.check import scenes
from hsctl.check.session import Deliver, Session, play, talking
from hsctl.check.sheet import FAIL, PASS, WARN, Line, Verdict
from hsctl.check.subject import Check, Subject, failure_line, line_of
from hsctl.shell import join_words, parse_command

MEMORY_MB = 768  # the arena's
TURNS = 8
PIECES, PAUSE_S = 3, 0.01
LATE_S = 0.15  # until an answer is fetched
REPEATED = 60  # turns
MUCH_STDERR = 4096  # bytes a turn: as much as is kept of it
DISCARDED_STDERR = 'exec "$@" 2>/dev/null'  # closed, it would break Python's input(), and the arena doesn't close it


def checks() -> list[Check]:
    runs: dict[str, Callable[[Subject], Line]] = {
        "input in pieces": plays("input in pieces", in_pieces),
        "a slow reader": plays("a slow reader", fetched_late),
        "CRLF": plays("CRLF", with_crlf, verdict=WARN, advice="Cut `\\r` off every line that is read."),
        "stopped between turns": check_pauses,
        "768 MB of memory": check_memory,
        "stderr thrown away": check_discarded_stderr,
        "stderr all the game": check_stderr,
        "the same answers again": check_repeated,
    }
    return [Check("robustness", name, run) for name, run in runs.items()]


# How the input comes


def in_pieces(bot: Bot, text: str) -> str:
    """Parts that end in the middle of lines."""
    size = len(text) // PIECES + 1
    for at in range(0, len(text) - size, size):
        bot.send(text[at : at + size])
        time.sleep(PAUSE_S)
    return text[(len(text) - 1) // size * size :]


def fetched_late(bot: Bot, text: str) -> str:
    """Nobody looks for the answer before some time has passed."""
    bot.send(text)
    time.sleep(LATE_S)
    return ""


def with_crlf(bot: Bot, text: str) -> str:
    return text.replace("\n", "\r\n")


def plays(
    name: str,
    deliver: Deliver | None = None,
    terms: Terms = ORDINARY,
    verdict: Verdict = FAIL,
    advice: str = "",
) -> Callable[[Subject], Line]:
    def run(subject: Subject) -> Line:
        session = short(subject, subject.command, TURNS, deliver, terms)
        if session.failure is not None:
            return failure_line(name, verdict, session, advice)
        return Line(name, PASS, f"{len(session.exchanges)} turns answered")

    return run


def short(
    subject: Subject, command: str, turns: int, deliver: Deliver | None = None, terms: Terms = ORDINARY
) -> Session:
    scene = scenes.short_game(turns)
    with talking(command, scene.name, scene.seat, terms) as talk:
        return play(talk, scene.game, scene.turns, scene.rival, deliver)


# What it has and leaves


def unchecked(name: str) -> Line:
    return Line(name, WARN, "not checked: this system has no guardian for bots", "Check it on Linux.")


def check_pauses(subject: Subject) -> Line:
    name = "stopped between turns"
    return unchecked(name) if is_portable(ORDINARY) else plays(name, terms=Terms(is_paused=True))(subject)


def check_memory(subject: Subject) -> Line:
    """The limit of the arena, for half a game."""
    name = "768 MB of memory"
    if is_portable(ORDINARY):
        return unchecked(name)
    session = short(subject, subject.command, 2 * TURNS, terms=Terms(memory_mb=MEMORY_MB))
    held = max((exchange.held.memory_mb for exchange in session.exchanges), default=0.0)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    line = Line(name, PASS, f"{held:.0f} MB at most", figures={"memory_mb": round(held, 1)})
    if held > 0.9 * MEMORY_MB:
        line.verdict, line.advice = WARN, "Leave a reserve: what is over the limit is killed."
    return line


def check_discarded_stderr(subject: Subject) -> Line:
    """Debug output must not be what a bot depends on: the arena keeps that of the code in the editor alone."""
    name = "stderr thrown away"
    if shutil.which("sh") is None:
        return Line(name, WARN, "not checked: this system has no sh", "Check it on Linux.")
    command = join_words(["sh", "-c", DISCARDED_STDERR, "sh", *parse_command(subject.command)])
    session = short(subject, command, TURNS)
    if session.failure is not None:
        return failure_line(name, WARN, session, "Don't depend on stderr: it need not be a pipe or a terminal.")
    return Line(name, PASS, f"{len(session.exchanges)} turns answered")


def check_stderr(subject: Subject) -> Line:
    """How much it writes; who writes much every turn pays with the time of its turns."""
    name = "stderr all the game"
    session = subject.session("a whole game") or short(subject, subject.command, TURNS)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    sizes = [len(exchange.answer.stderr) for exchange in session.exchanges]
    figures = {"turns": float(len(sizes)), "most_bytes": float(max(sizes, default=0))}
    if max(sizes, default=0) >= MUCH_STDERR:
        turn = sizes.index(max(sizes))
        said = f"{MUCH_STDERR} bytes or more on a turn (turn {turn})"
        return Line(name, WARN, said, "Write less: it costs time, and the arena cuts it off.", figures=figures)
    return Line(name, PASS, f"{len(sizes)} turns, {max(sizes, default=0)} bytes a turn at most", figures=figures)


# Again


def check_repeated(subject: Subject) -> Line:
    """The inputs of a game once more: a bot that then does something else can't be debugged by replay."""
    name = "the same answers again"
    first = subject.session("a whole game") or short(subject, subject.command, 2 * TURNS)
    if first.failure is not None:
        return failure_line(name, FAIL, first)
    with talking(subject.command, "the same inputs again", first.seat) as talk:
        for turn, exchange in enumerate(first.exchanges[:REPEATED]):
            talk.ask(exchange.sent.partition("\n")[2] if turn == 0 else exchange.sent)
            again = talk.session
            if again.failure is not None:
                return failure_line(name, FAIL, again)
            if again.exchanges[turn].order != exchange.order:
                was, is_now = (each.answer.line for each in (exchange, again.exchanges[turn]))
                said = f"turn {turn} of the same inputs: first {was!r}, then {is_now!r}"
                advice = "Fix the seed, and for debugging limit the search by its work and not by the clock."
                return line_of(name, WARN, again, said, advice, turn)
    return Line(name, PASS, f"{len(again.exchanges)} turns alike")
