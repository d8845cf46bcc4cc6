"""A session: one run of the bot, what it was sent turn by turn and what came back.

The bot is waited for longer than the arena would, so that a late answer is told with its time and not taken for none.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine.game import Game
from engine.notation import NotationError, Order, format_header, format_position, parse_order, resolve
from engine.rules import BOMB
from engine.state import MAX_TURNS
from engine.survival import is_survivable
from hsctl.arena.players import read_player
from hsctl.arena.seats import AgentSeat, Seat
from hsctl.bots.answer import Answer, Failure
from hsctl.bots.bot import Bot
from hsctl.bots.guarded.counts import Held
from hsctl.bots.terms import ORDINARY, Terms
from replays.look.faults import faults_of
from replays.replay import Limits, Move

FIRST_S, TURN_S = 1.0, 0.1  # the arena's clock
PATIENCE_S = 10.0  # for an answer, however late
BY_NODES = Limits(nodes=1000)  # of rivals
NOTHING = Held(0, 0.0)
Deliver = Callable[[Bot, str], str]  # sends what comes before the last of a turn's input, and returns that


@dataclass(frozen=True)
class Exchange:
    """One turn."""

    sent: str
    answer: Answer
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
class Session:
    """All turns. The first input of a bot has its header in front."""

    name: str
    seat: int
    exchanges: list[Exchange] = field(default_factory=list)
    failure: Failure | None = None
    saved: list[int] = field(default_factory=list)  # turns whose orders meant death and were not carried out

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

    def __init__(self, bot: Bot, session: Session) -> None:
        self.bot = bot
        self.session = session

    def ask(self, text: str, deliver: Deliver | None = None, due: float | None = None) -> Answer:
        """The answer to a turn's input, late after `due` seconds; a line that is no order is a failure, too."""
        session = self.session
        is_first = not session.exchanges
        whole = format_header(session.seat) + text if is_first else text
        rest = whole if deliver is None else deliver(self.bot, whole)
        answer = self.bot.ask(rest, PATIENCE_S, due or (FIRST_S if is_first else TURN_S))
        held = NOTHING if answer.failure else self.bot.held()
        exchange = Exchange(whole, answer, held=held)
        session.exchanges.append(exchange)
        session.failure = answer.failure
        if answer.failure is None and exchange.order is None:
            session.failure = self.bot.reject(f"expected `MOVE x y` or `BOMB x y`, found {str(answer.line)[:80]!r}")
        return answer

    def note_faults(self, faults: Sequence[str]) -> None:
        """Of the last answer."""
        last = self.session.exchanges[-1]
        self.session.exchanges[-1] = Exchange(last.sent, last.answer, faults, last.held)


@contextmanager
def talking(command: str, name: str, seat: int, terms: Terms = ORDINARY, core: int | None = None) -> Iterator[Talk]:
    """A fresh process of the bot, on the arena's clock: its start counts."""
    with Bot(command, startup_s=0.0, terms=terms, core=core) as bot:
        yield Talk(bot, Session(name, seat))


def tell(command: str, name: str, seat: int, inputs: Sequence[str], terms: Terms = ORDINARY) -> Session:
    """Send inputs one after the other, whatever is answered."""
    with talking(command, name, seat, terms) as talk:
        for text in inputs:
            if talk.session.failure is None:
                talk.ask(text)
        return talk.session


def play(
    talk: Talk,
    game: Game,
    turns: int,
    rival: str = "still",
    deliver: Deliver | None = None,
    is_kept_alive: bool = False,
) -> Session:
    """Play on from a position, the end of the game passed over, while the bot lives and answers."""
    session = talk.session
    rivals = seat_rivals(game, session.seat, rival)
    while session.seat in game.living and len(session.exchanges) < turns and game.turn < MAX_TURNS:
        talk.ask(format_position(game), deliver)
        order = session.exchanges[-1].order
        if session.failure is not None or order is None:
            break
        action = resolve(game.state, session.seat, order)
        answer = session.exchanges[-1].answer
        talk.note_faults(faults_of(game, session.seat, Move(action, line=answer.line or "", ahead=answer.is_ahead)))
        actions = [0] * game.seats
        for seat, player in rivals.items():
            if seat in game.living:
                actions[seat] = player.act(game, BY_NODES, False).move.action or 0
        actions[session.seat] = action
        if is_kept_alive and (way_out := other_way(game, session.seat, actions)) is not None:
            session.saved.append(game.turn)
            actions[session.seat] = way_out
        game.step(actions)
    return session


def other_way(game: Game, seat: int, actions: Sequence[int]) -> int | None:
    """A move after which the known bombs can be survived, if they can't be after the player's own action; None also if
    there is no such move."""
    for action in (actions[seat], *range(BOMB)):
        after = game.copy()
        after.step([action if at == seat else other for at, other in enumerate(actions)])
        if is_survivable(after.state, after.map, seat):
            return None if action == actions[seat] else action
    return None


def seat_rivals(game: Game, own: int, rival: str) -> dict[int, Seat]:
    """The others, by seat."""
    seats: dict[int, Seat] = {}
    for seat in game.living:
        if seat != own:
            seats[seat] = AgentSeat(read_player(rival))
            seats[seat].begin(game, seat, 0, BY_NODES)
    return seats
