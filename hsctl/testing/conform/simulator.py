"""The user's program on the line protocol: positions and actions in, the next position out.

    hsctl                        simulator
    hsctl-conform 1         ->
                            <-   hsctl-conform 1 [scores]
    state                   ->                              begin from this position
    11 rows, n, n entities  ->
    actions 2               ->                              a line for each living player
    0 BOMB 1 0              ->
    1 MOVE 5 4              ->
                            <-   11 rows, n, n entities [scores 0 1 0 0]
    actions 1 ...           ->                              the next round, or a new state

Rounds of one position are sent together, before the first answer is read. A program that does not answer, or not with a
position, is stopped with the evidence and started anew for the next state.
"""

from collections.abc import Iterator, Sequence
from time import monotonic
from types import TracebackType
from typing import Self

from engine.errors import HsctlError
from hsctl.match.bots.answer import SHOWN, BotFailure
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.testing.conform.case import SCORES, Position, PositionReader, UnreadableError, format_position

GREETING = "hsctl-conform 1"
STARTUP_S = 5.0


class NoAnswerError(Exception):
    """The simulator failed to answer with a position: why, with the evidence, in one line."""

    def __init__(self, words: str, is_timeout: bool = False) -> None:
        super().__init__(words)
        self.is_timeout = is_timeout


class Simulator:
    """`seconds` is the time for one answer. `tells_scores` is known once it was greeted."""

    def __init__(self, command: str, seconds: float, bot_limits: BotLimits = ORDINARY) -> None:
        self.command = command
        self.seconds = seconds
        self.bot_limits = bot_limits
        self.tells_scores = False
        self._bot: Bot | None = None
        self._unread = 0  # answers
        self._is_greeted = False
        self._deadline = 0.0

    def __enter__(self) -> Self:
        self._greet()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._stop()

    def ask(self, position: Position, rounds: Sequence[list[str]]) -> Iterator[Position]:
        """The positions after each round from there on; raises NoAnswerError, after which it begins anew.

        All rounds are sent at once, so that nobody waits for the other; answers that were not fetched are passed over.
        """
        self._pass_over()
        if self._bot is None:
            self._greet()
        text = request_of(position, rounds)
        self._unread = len(rounds)
        for _ in rounds:
            try:
                yield self._read_position(text)
            except NoAnswerError:
                self._stop()
                raise
            text = ""

    def _pass_over(self) -> None:
        try:
            while self._unread:
                self._read_position("")
        except NoAnswerError:
            self._stop()

    def _greet(self) -> None:
        """Start the program; one that does not know the protocol is refused."""
        self._is_greeted = False
        self._bot = Bot(self.command, startup_s=STARTUP_S, bot_limits=self.bot_limits)
        self._bot.start()
        self._deadline = monotonic() + self.seconds  # and STARTUP_S, which the bot knows of
        try:
            line = self._line(f"{GREETING}\n", f"greeting `{GREETING}`")
        except NoAnswerError as error:
            self._stop()
            raise HsctlError(f"{self.command}: {error}") from None
        if line.split() not in (GREETING.split(), [*GREETING.split(), SCORES]):
            self._stop()
            raise HsctlError(
                f"{self.command}: expected the line `{GREETING}` (or `{GREETING} {SCORES}`) first, found {line[:80]!r}"
            )
        self.tells_scores = line.endswith(SCORES)
        self._is_greeted = True

    def _stop(self) -> None:
        if self._bot is not None:
            self._bot.stop()
            self._bot = None
        self._unread = 0

    def _read_position(self, text: str) -> Position:
        reader = PositionReader(self.tells_scores)
        self._deadline = monotonic() + self.seconds
        while reader.expects:
            line = self._line(text, f"line {reader.number} of its answer, {reader.expects}")
            text = ""
            try:
                reader.take(line)
            except UnreadableError as error:
                raise NoAnswerError(f"line {reader.number} of its answer: {error}{self._last_words()}") from None
        self._unread -= 1
        return reader.position()

    def _line(self, text: str, what: str) -> str:
        """The next line of its output; `what` it should be, for the error."""
        assert self._bot is not None
        if not text and (line := self._bot.take_waiting()) is not None:
            return line.rstrip()
        answer = self._bot.ask(text, max(0.0, self._deadline - monotonic()))
        if answer.line is None:
            assert answer.failure is not None
            is_timeout = answer.failure.cause == "timeout"
            waited = self.seconds if self._is_greeted else self.seconds + STARTUP_S
            raise NoAnswerError(describe(answer.failure, what, waited), is_timeout)
        return answer.line.rstrip()

    def _last_words(self) -> str:
        """The end of what it wrote to stderr since it was asked."""
        assert self._bot is not None
        stderr = self._bot.reject("").stderr.strip()
        return f"; stderr ends {stderr.splitlines()[-1][-SHOWN:]!r}" if stderr else ""


def request_of(position: Position, rounds: Sequence[list[str]]) -> str:
    """A position and the actions of the rounds from there on, as they are sent."""
    actions = (f"actions {len(lines)}\n" + "".join(f"{line}\n" for line in lines) for lines in rounds)
    return f"state\n{format_position(position)}{''.join(actions)}"


def describe(failure: BotFailure, what: str, seconds: float) -> str:
    """The failure and what was waited for."""
    described = failure.describe()
    if failure.cause == "start":
        return f"cannot be started: {described}"
    if failure.cause == "timeout":
        _, _, evidence = described.partition("; ")
        return f"no {what} within {1000 * seconds:.0f} ms{'; ' if evidence else ''}{evidence}"
    return f"{failure.cause} instead of {what}: {described}"
