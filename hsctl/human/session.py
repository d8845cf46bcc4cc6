"""A game with people in it, played in a thread beside the screen: turns can be taken back, and it can be left.

The thread only sends what happens; the record grows where it is shown.
"""

from collections.abc import Callable
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread

from msgspec.structs import replace as with_fields

from engine.game import Game
from hsctl import __version__
from hsctl.arena.finished import FinishedGame
from hsctl.arena.match import play_game
from hsctl.arena.past import Past
from hsctl.arena.seats import Seat
from hsctl.human.hands import Hands, Left, TakenBack
from hsctl.human.seat import PersonSeat
from hsctl.league.games import GameTask, new_game, warm_seats
from replays.playback import Playback, result_of, start_of
from replays.replay import FORMAT, VERSION, Replay, Turn
from replays.viewer.live import Live

WATCHED_TURN_S = 0.25  # while no person lives any more


class Session:
    """One game of a task. `notify` is called from the game's thread whenever there is something to read."""

    def __init__(self, task: GameTask, pace_s: float | None = None, is_practice: bool = False) -> None:
        self.task = task
        self.is_practice = is_practice
        self.people = [seat for seat, player in enumerate(task.players) if player.is_person]
        self.hands = Hands(self.people, pace_s)
        self.seats = seats_of(task, self.hands)
        self.notify: Callable[[], None] = lambda: None
        self.taken_back = 0  # turns
        self.replay = self._start()
        self.record = Live(self.replay)  # the game so far; another one after a turn was taken back
        self.finished: FinishedGame | None = None  # None: it is being played, or was left
        self.error: Exception | None = None  # what ended it
        self._past: Past | None = None
        self._news: SimpleQueue[Turn | Live] = SimpleQueue()
        self._thread = Thread(target=self._run, name="game")

    # The screen's side

    def start(self, notify: Callable[[], None]) -> None:
        self.notify = notify
        self._thread.start()

    def read(self) -> None:
        """Let the record grow by what was played, or go back."""
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
        limits, seed = task.league.limits, task.block.seed
        return Replay(FORMAT, VERSION, __version__, seed, start_of(game), infos, limits, [], result_of(game))

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
            task = self.task
            seed, limits = task.block.seed, task.league.limits
            self.replay, game = play_game(self.seats, new_game(task), limits, seed, self._follow, self._past)
            self.finished = replace(
                game,
                seating=task.seating,
                block_number=task.block_number,
                rotation=task.rotation,
                first_turn=self.replay.start.turn,
            )
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
        self._past = Past(Playback(self.replay), turn)
        self._news.put(Live(self.replay))


def seats_of(task: GameTask, hands: Hands) -> list[Seat]:
    """People, and all others ready for their first turn."""
    others = iter(warm_seats([player for player in task.players if not player.is_person], task.league.terms))
    return [PersonSeat(player.text, hands) if player.is_person else next(others) for player in task.players]
