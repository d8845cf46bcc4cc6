"""What is checked: the bot's command, what else is known of it, and what was seen of it so far."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hsctl.check.session import Session
from hsctl.check.sheet import Chapter, Line, Strength, Verdict
from hsctl.suite.entry import Entry
from replays.replay import write_bytes


@dataclass
class Subject:
    command: str
    source: Path | None = None
    suite: dict[str, Entry] = field(default_factory=dict)
    folder: Path | None = None  # for the inputs of what failed
    jobs: int = 1  # games at a time, on the ladder
    first_s: float = 0.0  # until its first answer, start included
    sessions: list[Session] = field(default_factory=list)  # of games that the bot really played
    strength: Strength | None = None

    def session(self, name: str) -> Session | None:
        """A game that was played, if it was."""
        return next((session for session in self.sessions if session.name == name), None)


@dataclass(frozen=True)
class Check:
    """Something to find out about a bot."""

    chapter: Chapter
    name: str
    run: Callable[["Subject"], Line]


def line_of(name: str, verdict: Verdict, session: Session, evidence: str, advice: str, turn: int | None = None) -> Line:
    """A line about a session that went wrong, by default on its last turn."""
    at = len(session.exchanges) - 1 if turn is None else turn
    received = session.received if turn is None else repr(session.exchanges[turn].answer.line)
    return Line(name, verdict, evidence, advice, session.sent_up_to(at), at, received)


def failure_line(name: str, verdict: Verdict, session: Session, advice: str = "") -> Line:
    """A line about a session that ended by a failure of the bot."""
    failure = session.failure
    assert failure is not None
    evidence = f"{session.name}, turn {len(session.exchanges) - 1}: {failure.cause}: {failure.detail}"
    return line_of(name, verdict, session, evidence, advice or ADVICE.get(failure.cause, ""))


ADVICE = {
    "start": "Give a command that can be run from here.",
    "timeout": "Flush the output after every line, and read no more than one turn at a time.",
    "crash": "Feed the input to a debugger.",
    "closed": "Read turns until the input ends: the bot must not end by itself.",
    "flood": "Print one line a turn; debug output belongs on stderr.",
    "invalid": "Print nothing but `MOVE x y` or `BOMB x y` (and a message) on stdout.",
    "memory": "The arena gives 768 MB.",
}


def write_input(folder: Path, line: Line) -> Line:
    """Write what was sent into a file of its own; the line then names it."""
    path = folder / f"{line.chapter}-{re.sub(r'[^a-z0-9]+', '-', line.name.lower()).strip('-')}.txt"
    write_bytes(path, line.sent.encode())
    line.file = str(path)
    return line
