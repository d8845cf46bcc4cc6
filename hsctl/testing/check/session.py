"""A session: one run of the bot, what it was sent turn by turn and what came back.

hsctl waits longer than the arena does, so that it can report how late an answer was.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from engine.game import Game
from engine.maps import CORNERS, START_BOMBS, START_RANGE, draw_boxes
from engine.notation import NotationError, Order, format_header, format_position, parse_order, resolve
from engine.position import BOMB_ITEM, RANGE_ITEM, Bomb, Cell, Item, Player
from engine.rules import BOMB
from engine.state import FUSE, MAX_TURNS
from hsctl.analysis.suite import SuiteEntry
from hsctl.match.bots.answer import BotAnswer, BotFailure
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.counts import Held
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.players import read_player
from hsctl.match.seats import AgentSeat, Seat
from replays.faults import faults_of
from replays.files import write_bytes
from replays.replay import Limits, Move
from replays.schema import format_schema

# The report: what was checked, a line each, with the evidence and what to do about it.
#
# Its JSON Schema is docs/reference/schemas/check.schema.json; after a change of the format, write it again with
#
#     python -m hsctl.testing.check.session > docs/reference/schemas/check.schema.json


FORMAT: Final = "hsctl-check"
VERSION: Final = 1
PASS: Final = "pass"
WARN: Final = "warn"
FAIL: Final = "fail"

Verdict = Literal["pass", "warn", "fail"]
Chapter = Literal["protocol", "timing", "robustness", "limits", "suite", "strength", "contract"]
CHAPTERS: tuple[Chapter, ...] = ("protocol", "timing", "robustness", "limits", "suite", "strength")  # of a bot
AGENT_CHAPTERS: tuple[Chapter, ...] = ("contract", "strength")  # of an agent in Python


class CheckLine(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that was checked."""

    name: str
    verdict: Verdict
    evidence: str  # what was seen, in a sentence
    advice: str = ""  # what to do, unless it passed
    sent: str = ""  # all that the bot was sent, up to where it went wrong
    turn: int | None = None  # of the bot's inputs, from 0: where it went wrong
    received: str = ""  # what came back
    file: str = ""  # that has `sent`, to feed a debugger
    figures: dict[str, float] = {}  # milliseconds, megabytes, counts
    chapter: Chapter = "protocol"


class Strength(msgspec.Struct, forbid_unknown_fields=True):
    """The level of a bot on the ladder; levels count from 1, 0 is below the first."""

    level: float
    low: float  # of the 95 % interval
    high: float
    of: int
    games: int
    seconds: float
    series: dict[str, list[int]]  # player of a level -> won, drawn, lost


class CheckReport(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """All lines, in order of the chapters."""

    format: Literal["hsctl-check"]
    version: Literal[1]
    hsctl: str
    command: str
    is_fit: bool  # nothing failed
    seconds: float
    lines: list[CheckLine]
    left_out: list[str] = []  # checks that made no sense any more
    strength: Strength | None = None

    def count(self, verdict: Verdict) -> int:
        return sum(line.verdict == verdict for line in self.lines)


def encode(report: CheckReport) -> str:
    """As JSON of plain characters: entries of suites and what bots print are strangers'."""
    return json.dumps(msgspec.to_builtins(report), indent=1)


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema(CheckReport, FORMAT, VERSION))


# Scenarios: positions that a bot may meet, each the start of a short game.
#
# A scenario is drawn far from real games where that shows a bot something that real games show seldom: many bombs, long
# ranges, players that are gone. Nothing known on its board kills the bot on the first turns.


SEED = 20160924  # of the boards
LIVELY, QUIET = "simple", "still"  # opponents


class CheckScenario(NamedTuple):
    """Where a bot is put, and for how many turns."""

    name: str
    game: Game
    seat: int
    turns: int = 8
    opponent: str = QUIET
    is_kept_alive: bool = False  # orders that mean death are not carried out


def seats_of(players: int) -> Iterator[CheckScenario]:
    """A game of so many players from every seat."""
    for seat in range(players):
        yield CheckScenario(
            f"{players} players, seat {seat}", Game.start(SEED + players, players), seat, opponent=LIVELY
        )


def with_dead() -> Iterator[CheckScenario]:
    """Players that are not among the entities: from the start, or from the second turn on."""
    for seat, dead in ((3, (0, 1)), (1, (0, 2)), (0, (1, 2))):
        living = [corner_player(at) for at in range(4) if at not in dead]
        gone = f"players {dead[0]} and {dead[1]} dead"
        yield CheckScenario(f"4 seats, seat {seat}, {gone}", Game.build(boxes_far(), living, seats=4), seat)
    dying = Bomb(1, *CORNERS[1], 1, START_RANGE)
    players = [corner_player(at) for at in range(3)]
    yield CheckScenario("3 players, one dies on turn 0", Game.build(boxes_far(), players, [dying], seats=3), 0)


def crowded() -> Iterator[CheckScenario]:
    """As many bombs as there can be at once, far from the bot, and items everywhere."""
    columns = range(6, 12, 2)
    bombs = [Bomb(owner, columns[owner - 1], timer, timer, 3) for owner in (1, 2, 3) for timer in range(2, FUSE + 1, 2)]
    taken = {bomb.cell for bomb in bombs} | set(CORNERS)
    kinds = (RANGE_ITEM, BOMB_ITEM)
    free = [(x, y) for y in range(0, 11, 2) for x in range(0, 13, 2) if (x, y) not in taken]
    items = [Item(x, y, kinds[at % 2]) for at, (x, y) in enumerate(free)]
    players = [corner_player(at) for at in range(4)]
    yield CheckScenario("many bombs and items", Game.build({(2, 3): 0}, players, bombs, items, seats=4), 0)


def far_reaching() -> Iterator[CheckScenario]:
    """Ranges above 10, of the bot and of bombs, and many bombs in hand."""
    own, other = Player(0, 0, 0, 6, 12, 0), Player(1, 12, 10, 3, 14, 0)
    bombs = [Bomb(1, 12, 8, 6, 14), Bomb(1, 10, 10, 8, 13)]
    yield CheckScenario("ranges above 10", Game.build(boxes_far(), [own, other], bombs, seats=2), 0)
    yield CheckScenario(
        "no bomb in hand", Game.build(boxes_far(), [own._replace(bombs_left=0), other], bombs, seats=2), 0
    )


def contents() -> Iterator[CheckScenario]:
    """Both kinds of items next to the bot, boxes of all contents, and no box at all."""
    players = [corner_player(at) for at in range(2)]
    items = [Item(1, 0, RANGE_ITEM), Item(0, 1, BOMB_ITEM), Item(11, 10, BOMB_ITEM)]
    boxes = {(3, 0): 0, (0, 3): RANGE_ITEM, (2, 2): BOMB_ITEM, (8, 4): 0, (6, 7): RANGE_ITEM, (4, 8): BOMB_ITEM}
    yield CheckScenario("items and boxes of every kind", Game.build(boxes, players, [], items, seats=2), 0)
    yield CheckScenario("no boxes left", Game.build({}, players, [], items, seats=2), 1)


def alone() -> Iterator[CheckScenario]:
    yield CheckScenario("nobody else left", Game.build(boxes_far(), [corner_player(2)], seats=3), 2)


def whole_game(number: int = 0) -> CheckScenario:
    """All 200 turns, if the bot can be kept alive for so long."""
    return CheckScenario(
        "a whole game", Game.start(SEED + number, 3), number % 3, MAX_TURNS, LIVELY, is_kept_alive=True
    )


def first_turn() -> CheckScenario:
    return CheckScenario("4 players, seat 0", Game.start(SEED, 4), 0, 1)


def corner_player(seat: int) -> Player:
    return Player(seat, *CORNERS[seat], START_BOMBS, START_RANGE, 0)


def boxes_far() -> dict[Cell, int]:
    """Those of a board that leave a way around every corner."""
    drawn = draw_boxes(SEED)
    return {cell: content for cell, content in drawn.items() if all(distance(cell, corner) > 2 for corner in CORNERS)}


def distance(cell: Sequence[int], other: Sequence[int]) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


FIRST_S, TURN_S = 1.0, 0.1  # the arena's clock
PATIENCE_S = 10.0  # for an answer, however late
BY_NODES = Limits(nodes=1000)  # of opponents
NOTHING = Held(0, 0.0)
Deliver = Callable[[Bot, str], str]  # sends what comes before the last of a turn's input, and returns that


@dataclass(frozen=True)
class CheckedTurn:
    """One turn."""

    sent: str
    answer: BotAnswer
    faults: Sequence[str] = ()
    held: Held = NOTHING

    @property
    def order(self) -> Order | None:
        """None if the answer was none."""
        try:
            return None if self.answer.line is None else parse_order(self.answer.line)
        except NotationError:
            return None


@dataclass
class BotSession:
    """All turns. The first input of a bot has its header in front."""

    name: str
    seat: int
    exchanges: list[CheckedTurn] = field(default_factory=list)
    failure: BotFailure | None = None
    saved: list[int] = field(default_factory=list)  # turns whose orders meant death and were not carried out
    fatal: dict[int, int] = field(default_factory=dict)  # turns whose orders meant death -> a move that didn't

    @property
    def sent(self) -> str:
        return "".join(exchange.sent for exchange in self.exchanges)

    @property
    def received(self) -> str:
        """The last answer, and what was on stderr."""
        if not self.exchanges:
            return ""
        answer = self.exchanges[-1].answer
        said = "no answer" if answer.line is None else repr(answer.line)
        if self.failure is None or not self.failure.stderr.strip():
            return said
        return f"{said}\n{self.failure.stderr.rstrip()}"

    def sent_up_to(self, turn: int) -> str:
        return "".join(exchange.sent for exchange in self.exchanges[: turn + 1])

    def first_fault(self, name: str) -> int | None:
        """The turn, from 0."""
        return next((turn for turn, each in enumerate(self.exchanges) if name in each.faults), None)


class Talk:
    """A bot that is being asked, and the session that this makes."""

    def __init__(self, bot: Bot, session: BotSession) -> None:
        self.bot = bot
        self.session = session

    def ask(self, text: str, deliver: Deliver | None = None, due: float | None = None) -> BotAnswer:
        """The answer to a turn's input, late after `due` seconds; a line that is no order is a failure, too."""
        session = self.session
        is_first = not session.exchanges
        whole = format_header(session.seat) + text if is_first else text
        rest = whole if deliver is None else deliver(self.bot, whole)
        answer = self.bot.ask(rest, PATIENCE_S, due or (FIRST_S if is_first else TURN_S))
        held = NOTHING if answer.failure else self.bot.held()
        exchange = CheckedTurn(whole, answer, held=held)
        session.exchanges.append(exchange)
        session.failure = answer.failure
        if answer.failure is None and exchange.order is None:
            session.failure = self.bot.reject(f"expected `MOVE x y` or `BOMB x y`, found {str(answer.line)[:80]!r}")
        return answer

    def note_faults(self, faults: Sequence[str]) -> None:
        """Of the last answer."""
        last = self.session.exchanges[-1]
        self.session.exchanges[-1] = CheckedTurn(last.sent, last.answer, faults, last.held)


@contextmanager
def talking(
    command: str, name: str, seat: int, bot_limits: BotLimits = ORDINARY, core: int | None = None
) -> Iterator[Talk]:
    """A fresh process of the bot, on the arena's clock: its start counts."""
    with Bot(command, startup_s=0.0, bot_limits=bot_limits, core=core) as bot:
        yield Talk(bot, BotSession(name, seat))


def tell(command: str, name: str, seat: int, inputs: Sequence[str], bot_limits: BotLimits = ORDINARY) -> BotSession:
    """Send inputs one after the other, whatever is answered."""
    with talking(command, name, seat, bot_limits) as talk:
        for text in inputs:
            if talk.session.failure is None:
                talk.ask(text)
        return talk.session


def play(
    talk: Talk,
    game: Game,
    turns: int,
    opponent: str = "still",
    deliver: Deliver | None = None,
    is_kept_alive: bool = False,
) -> BotSession:
    """Play on from a position, the end of the game passed over, while the bot lives and answers."""
    session = talk.session
    opponents = seat_opponents(game, session.seat, opponent)
    while session.seat in game.living and len(session.exchanges) < turns and game.turn < MAX_TURNS:
        talk.ask(format_position(game), deliver)
        order = session.exchanges[-1].order
        if session.failure is not None or order is None:
            break
        action = resolve(game.state, session.seat, order)
        answer = session.exchanges[-1].answer
        talk.note_faults(faults_of(game, session.seat, Move(action, line=answer.line or "", ahead=answer.is_ahead)))
        actions = [0] * game.seats
        for seat, player in opponents.items():
            if seat in game.living:
                actions[seat] = player.act(game, BY_NODES, False).move.action or 0
        actions[session.seat] = action
        alone = [action if seat == session.seat else 0 for seat in range(game.seats)]
        if (better := other_way(game, session.seat, alone)) is not None:
            session.fatal[len(session.exchanges) - 1] = better
        if is_kept_alive and (way_out := other_way(game, session.seat, actions)) is not None:
            session.saved.append(game.turn)
            actions[session.seat] = way_out
        game.step(actions)
    return session


def play_short(
    command: str, turns: int, deliver: Deliver | None = None, bot_limits: BotLimits = ORDINARY, core: int | None = None
) -> BotSession:
    """A short game of a fresh process."""
    scenario = CheckScenario("a short game", Game.start(SEED + 7, 2), 0, turns, LIVELY)
    with talking(command, scenario.name, scenario.seat, bot_limits, core) as talk:
        return play(talk, scenario.game, scenario.turns, scenario.opponent, deliver)


def other_way(game: Game, seat: int, actions: Sequence[int]) -> int | None:
    """A move after which the known bombs can be survived, if they can't be after the player's own action; None also if
    there is no such move."""
    for action in (actions[seat], *range(BOMB)):
        after = game.copy()
        after.step([action if at == seat else other for at, other in enumerate(actions)])
        if after.can_survive(seat):
            return None if action == actions[seat] else action
    return None


def seat_opponents(game: Game, own: int, opponent: str) -> dict[int, Seat]:
    """The others, by seat."""
    seats: dict[int, Seat] = {}
    for seat in game.living:
        if seat != own:
            seats[seat] = AgentSeat(read_player(opponent))
            seats[seat].begin(game, seat, 0, BY_NODES)
    return seats


# What is checked: the bot's command, what else is known of it, and what was seen of it so far.


@dataclass
class CheckedBot:
    command: str
    source: Path | None = None
    suite: dict[str, SuiteEntry] = field(default_factory=dict)
    folder: Path | None = None  # for the inputs of what failed
    jobs: int = 1  # games at a time, on the ladder
    first_s: float = 0.0  # until its first answer, start included
    sessions: list[BotSession] = field(default_factory=list)  # of games that the bot really played
    strength: Strength | None = None

    def session(self, name: str) -> BotSession | None:
        """A game that was played, if it was."""
        return next((session for session in self.sessions if session.name == name), None)


@dataclass(frozen=True)
class Check:
    """Something to find out about a bot."""

    chapter: Chapter
    name: str
    run: Callable[["CheckedBot"], CheckLine]


def line_of(
    name: str, verdict: Verdict, session: BotSession, evidence: str, advice: str, turn: int | None = None
) -> CheckLine:
    """A line about a session that went wrong, by default on its last turn."""
    at = len(session.exchanges) - 1 if turn is None else turn
    received = session.received if turn is None else repr(session.exchanges[turn].answer.line)
    return CheckLine(name, verdict, evidence, advice, session.sent_up_to(at), at, received)


def failure_line(name: str, verdict: Verdict, session: BotSession, advice: str = "") -> CheckLine:
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


def write_input(folder: Path, line: CheckLine) -> CheckLine:
    """Write what was sent into a file of its own; the line then names it."""
    path = folder / f"{line.chapter}-{re.sub(r'[^a-z0-9]+', '-', line.name.lower()).strip('-')}.txt"
    write_bytes(path, line.sent.encode())
    line.file = str(path)
    return line
