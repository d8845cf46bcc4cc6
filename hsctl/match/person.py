"""People at the keyboard, `hsctl play me beam`: the game runs in a thread next to the screen.

    keys (screen's thread)  ──press──▶  Hands  ◀──take──  PersonSeat (game's thread, like any other player)
    screen                  ◀─────────  PersonSession: plays the game, takes turns back, keeps the record

The thread only sends news; the record grows where it is shown.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Condition, Thread

from msgspec.structs import replace as with_fields

from engine.board import MOVES
from engine.game import Game
from engine.position import Player, player_of, target_of
from engine.rules import BOMB
from hsctl import __version__
from hsctl.match.past import Earlier, Past
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, new_game, play_once
from hsctl.match.seats import Act, Seat, warm_seats
from replays.playback import Live, Playback, result_of, start_of
from replays.replay import FORMAT, VERSION, Limits, Move, PlayerInfo, Replay, Turn

# The choices of people for a turn: the screen's thread presses, the game's thread waits and takes.
#
# Turn by turn, a turn lasts until all have chosen. On a clock it lasts so many seconds, and a person that hasn't chosen
# stays; the clock stops at the start and in a pause, until a key is pressed.
#
# A bomb is made ready first: the direction that follows drops it and goes there.


STAY = 0


class Interruption(Exception):
    """Somebody wants something else than to go on with the game."""


class Left(Interruption):
    """The game is to end here."""


class TakenBack(Interruption):
    """The last turn is to be played again."""


@dataclass
class Hand:
    """What one person has chosen."""

    move: int | None = None
    has_bomb: bool = False  # ready to be dropped with the move
    is_taken: bool = False  # by the game: too late to think again

    @property
    def action(self) -> int:
        return (self.move or STAY) + BOMB * self.has_bomb


class Hands:
    """The hands of all people in a game, by seat. `pace_s` is how long a turn lasts, None: until all have chosen."""

    def __init__(self, seats: Sequence[int], pace_s: float | None = None) -> None:
        self.seats = seats
        self.pace_s = pace_s
        self._changed = Condition()  # guards all that follows
        self._hands = {seat: Hand() for seat in seats}
        self._game: Game | None = None  # the position that is decided on
        self._began_at: float | None = None  # when the clock of this turn began; None: it is stopped
        self._interruption: type[Interruption] | None = None

    # The screen's side

    def move(self, seat: int, move: int) -> str:
        """Choose a move; a word if it can't be done."""
        with self._changed:
            hand, player = self._hands[seat], self._player(seat)
            if player is None or hand.is_taken:
                return ""
            assert self._game is not None
            if move != STAY and target_of(self._game.state, player, move) == player.cell:
                return f"the way {MOVES[move]} is blocked"
            hand.move = move
            self._go_on()
            return ""

    def bomb(self, seat: int) -> str:
        """Make a bomb ready; if one is, drop it and stay."""
        with self._changed:
            hand, player = self._hands[seat], self._player(seat)
            if player is None or hand.is_taken:
                return ""
            if not player.bombs_left:
                return "no bomb left: one comes back when it explodes"
            if hand.has_bomb and hand.move is None:
                hand.move = STAY
            hand.has_bomb = True
            self._go_on()
            return ""

    def put_away(self) -> None:
        """Choose anew: no bomb is ready any more, and no move chosen."""
        with self._changed:
            for seat, hand in self._hands.items():
                if not hand.is_taken:
                    self._hands[seat] = Hand()

    def pause(self) -> None:
        """Let the clock stand still until the next key."""
        with self._changed:
            self._began_at = None
            self._changed.notify_all()

    def interrupt(self, what: type[Interruption]) -> None:
        with self._changed:
            self._interruption = what
            self._changed.notify_all()

    @property
    def is_running(self) -> bool:
        """Whether a clock runs."""
        return self._began_at is not None and self.pace_s is not None

    def has_bomb(self, seat: int) -> bool:
        return self._hands[seat].has_bomb

    def has_chosen(self, seat: int) -> bool:
        return self._hands[seat].move is not None

    # The game's side

    def begin_turn(self, game: Game) -> None:
        """Let all people choose in this position; earlier keys are forgotten."""
        with self._changed:
            for seat in self._hands:
                self._hands[seat] = Hand()
            is_first, self._game = self._game is None, game.copy()
            if not is_first and self._began_at is not None:
                self._began_at = time.monotonic()

    def take(self, seat: int) -> int:
        """Wait until the person has chosen, or the turn is over: their action. Raises an interruption."""
        with self._changed:
            self._raise_interruption()
            while (seconds := self._seconds_left(self._hands[seat])) is None or seconds > 0:
                self._changed.wait(seconds)
                self._raise_interruption()
            self._hands[seat].is_taken = True
            return self._hands[seat].action

    def rest(self, seconds: float | None) -> None:
        """Wait so long, or for ever; raises an interruption."""
        with self._changed:
            self._changed.wait_for(lambda: self._interruption is not None, seconds)
            self._raise_interruption()

    # Under the lock

    def _player(self, seat: int) -> Player | None:
        return None if self._game is None else player_of(self._game.state, seat)

    def _go_on(self) -> None:
        if self._began_at is None:
            self._began_at = time.monotonic()
        self._changed.notify_all()

    def _seconds_left(self, hand: Hand) -> float | None:
        """How long to wait for a hand; None: until something happens."""
        if self.pace_s is None:
            return 0.0 if hand.move is not None else None
        return None if self._began_at is None else self._began_at + self.pace_s - time.monotonic()

    def _raise_interruption(self) -> None:
        what, self._interruption = self._interruption, None
        if what is not None:
            raise what


# A person in a seat: asked like any other player, answers by keys and has no limit but the clock of the keyboard.


class PersonSeat:
    def __init__(self, text: str, hands: Hands) -> None:
        self.info = PlayerInfo(text, False)
        self.hands = hands
        self.seat = 0

    def warm_up(self) -> None:
        pass

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.seat = seat

    def recall(self, earlier: Earlier) -> str | None:
        return None  # people remember by themselves

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        started = time.perf_counter()
        move = Move(self.hands.take(self.seat))
        ms = (time.perf_counter() - started) * 1000
        if limits.nodes is None:
            move.time_ms = round(ms, 3)
        return Act(move, ms)

    def end(self) -> None:
        pass


WATCHED_TURN_S = 0.25  # while no person lives any more


class PersonSession:
    """One game of a task. `notify` is called from the game's thread whenever there is something to read."""

    def __init__(self, task: GameTask, pace_s: float | None = None, is_practice: bool = False) -> None:
        self.task = task
        self.is_practice = is_practice
        self.people = [seat for seat, player in enumerate(task.living) if player.is_person]
        self.hands = Hands(self.people, pace_s)
        self.seats = seats_with_people(task, self.hands)
        self.notify: Callable[[], None] = lambda: None
        self.taken_back = 0  # turns
        self.replay = self._start()
        self.record = Live(self.replay)  # the game so far; another one after a turn was taken back
        self.finished: GameResult | None = None  # None: it is being played, or was left
        self.error: Exception | None = None  # what ended it
        self._news: SimpleQueue[Turn | Live] = SimpleQueue()
        self._thread = Thread(target=self._run, name="game")

    # The screen's side

    def start(self, notify: Callable[[], None]) -> None:
        self.notify = notify
        self._thread.start()

    def read(self) -> None:
        """Add the turns that were played to the record, or take some back."""
        while True:
            try:
                news = self._news.get_nowait()
            except Empty:
                return
            if isinstance(news, Live):
                self.record = news
            else:
                self.record.grow(news)

    def end(self) -> None:
        """Leave the game if it is being played, and wait until all players are gone."""
        self.record.is_stopped = True
        self.hands.interrupt(Left)
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def can_take_back(self) -> bool:
        return self.is_practice and self.record.end_turn > self.record.first_turn

    # The game's thread

    def _start(self) -> Replay:
        game, task = new_game(self.task), self.task
        infos = [seat.info for seat in self.seats]
        return Replay(FORMAT, VERSION, __version__, task.seed, start_of(game), infos, task.limits, [], result_of(game))

    def _run(self) -> None:
        try:
            while self._play():
                pass
        except Left:
            pass
        except Exception as error:
            self.error = error
            self.notify()

    def _play(self) -> bool:
        """Play until the end or until a turn is taken back; whether to play again."""
        try:
            self.replay, self.finished = play_once(self.task, self._follow, self.seats)
            self.notify()
            if self.is_practice:
                self.hands.rest(None)
            return False
        except TakenBack:
            self._take_back()
            return True

    def _follow(self, replay: Replay, game: Game) -> None:
        """A position that players are asked about next, or the last."""
        if len(replay.turns) > len(self.replay.turns):
            self._news.put(replay.turns[-1])
        self.replay = with_fields(replay, turns=replay.turns.copy())
        self.hands.begin_turn(game)
        self.notify()
        is_watched = not game.is_over and not set(self.people) & set(game.living)
        self.hands.rest(WATCHED_TURN_S if is_watched else 0.0)

    def _take_back(self) -> None:
        """Back to the last turn on which a person was asked."""
        played = Playback(self.replay)
        turn = played.end_turn - 1
        while turn > played.first_turn and not set(self.people) & set(played.game_at(turn).living):
            turn -= 1
        turns = self.replay.turns[: turn - played.first_turn]
        self.replay = with_fields(self.replay, turns=turns, result=result_of(played.game_at(turn)))
        self.finished = None
        self.taken_back += played.end_turn - turn
        for seat in self.people:
            self.seats[seat].info.params = {"taken_back": self.taken_back}
        self.task = replace(self.task, past=Past(self.replay, turn))
        self._news.put(Live(self.replay))


def seats_with_people(task: GameTask, hands: Hands) -> list[Seat]:
    """People, and all others ready for their first turn."""
    others = iter(warm_seats([player for player in task.living if not player.is_person], task.bot_limits))
    return [PersonSeat(player.text, hands) if player.is_person else next(others) for player in task.living]
