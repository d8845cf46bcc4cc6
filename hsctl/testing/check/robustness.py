"""Robustness: input in pieces, late readers, pauses, little memory, no stderr; and whether it plays alike again."""

import shutil
import time
from collections.abc import Callable

from hsctl.files import read_text
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.process import is_portable
from hsctl.match.bots.terms import ORDINARY, Terms
from hsctl.shell import join_words, parse_command
from hsctl.testing.check.session import (
    FAIL,
    PASS,
    WARN,
    BotSession,
    Check,
    CheckedBot,
    CheckLine,
    Deliver,
    Verdict,
    failure_line,
    line_of,
    play,
    short_game,
    talking,
)

# The arena's limits: the size of the source, and one core.


MOST_CHARACTERS = 100_000
NEAR = 0.95
BEYOND = 1.15  # CPU time above the time of the turns: more than one core
FEWEST_S = 0.2  # of turns: less says nothing at the precision of CPU times


def limit_checks(has_source: bool) -> list[Check]:
    runs: dict[str, Callable[[CheckedBot], CheckLine]] = {"one core is enough": check_threads}
    if has_source:
        runs = {"size of the source": check_source, **runs}
    return [Check("limits", name, run) for name, run in runs.items()]


def check_source(subject: CheckedBot) -> CheckLine:
    assert subject.source is not None
    size = len(read_text(subject.source, "the bot's source"))
    said = f"{size:,} of {MOST_CHARACTERS:,} characters"
    name, figures = "size of the source", {"characters": float(size)}
    if size > MOST_CHARACTERS:
        return CheckLine(name, FAIL, said, "Shorten it: strip comments, pack tables.", figures=figures)
    if size > NEAR * MOST_CHARACTERS:
        return CheckLine(name, WARN, said, "There is little room left.", figures=figures)
    return CheckLine(name, PASS, said, figures=figures)


def check_threads(subject: CheckedBot) -> CheckLine:
    """Threads are no fault, but work in them is: the arena has one core for all."""
    name = "one core is enough"
    session = subject.session("a whole game") or short(subject, subject.command, TURNS)
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
        return CheckLine(name, WARN, said, advice, figures=figures)
    return CheckLine(name, PASS, f"{count}, no more CPU time than its turns lasted", figures=figures)


MEMORY_MB = 768  # the arena's
TURNS = 8
PIECES, PAUSE_S = 3, 0.01
LATE_S = 0.15  # until an answer is fetched
REPEATED = 60  # turns
MUCH_STDERR = 4096  # bytes a turn: as much as is kept of it
DISCARDED_STDERR = 'exec "$@" 2>/dev/null'  # closed, it would break Python's input(), and the arena doesn't close it


def robustness_checks() -> list[Check]:
    runs: dict[str, Callable[[CheckedBot], CheckLine]] = {
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
) -> Callable[[CheckedBot], CheckLine]:
    def run(subject: CheckedBot) -> CheckLine:
        session = short(subject, subject.command, TURNS, deliver, terms)
        if session.failure is not None:
            return failure_line(name, verdict, session, advice)
        return CheckLine(name, PASS, f"{len(session.exchanges)} turns answered")

    return run


def short(
    subject: CheckedBot, command: str, turns: int, deliver: Deliver | None = None, terms: Terms = ORDINARY
) -> BotSession:
    scene = short_game(turns)
    with talking(command, scene.name, scene.seat, terms) as talk:
        return play(talk, scene.game, scene.turns, scene.rival, deliver)


# What it has and leaves


def unchecked(name: str) -> CheckLine:
    return CheckLine(name, WARN, "not checked: this system has no guardian for bots", "Check it on Linux.")


def check_pauses(subject: CheckedBot) -> CheckLine:
    name = "stopped between turns"
    return unchecked(name) if is_portable(ORDINARY) else plays(name, terms=Terms(is_paused=True))(subject)


def check_memory(subject: CheckedBot) -> CheckLine:
    """The limit of the arena, for half a game."""
    name = "768 MB of memory"
    if is_portable(ORDINARY):
        return unchecked(name)
    session = short(subject, subject.command, 2 * TURNS, terms=Terms(memory_mb=MEMORY_MB))
    held = max((exchange.held.memory_mb for exchange in session.exchanges), default=0.0)
    if session.failure is not None:
        return failure_line(name, FAIL, session)
    line = CheckLine(name, PASS, f"{held:.0f} MB at most", figures={"memory_mb": round(held, 1)})
    if held > 0.9 * MEMORY_MB:
        line.verdict, line.advice = WARN, "Leave a reserve: what is over the limit is killed."
    return line


def check_discarded_stderr(subject: CheckedBot) -> CheckLine:
    """Debug output must not be what a bot depends on: the arena keeps that of the code in the editor alone."""
    name = "stderr thrown away"
    if shutil.which("sh") is None:
        return CheckLine(name, WARN, "not checked: this system has no sh", "Check it on Linux.")
    command = join_words(["sh", "-c", DISCARDED_STDERR, "sh", *parse_command(subject.command)])
    session = short(subject, command, TURNS)
    if session.failure is not None:
        return failure_line(name, WARN, session, "Don't depend on stderr: it need not be a pipe or a terminal.")
    return CheckLine(name, PASS, f"{len(session.exchanges)} turns answered")


def check_stderr(subject: CheckedBot) -> CheckLine:
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
        return CheckLine(name, WARN, said, "Write less: it costs time, and the arena cuts it off.", figures=figures)
    return CheckLine(name, PASS, f"{len(sizes)} turns, {max(sizes, default=0)} bytes a turn at most", figures=figures)


# Again


def check_repeated(subject: CheckedBot) -> CheckLine:
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
    return CheckLine(name, PASS, f"{len(again.exchanges)} turns alike")
