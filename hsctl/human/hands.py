"""What people have chosen for the turn: the screen's thread presses, the game's thread waits and takes.

Turn by turn, a turn lasts until everybody has chosen. On a clock it lasts so many seconds, and who hasn't chosen stays;
the clock stands still at the start and after a pause, until somebody presses a key.

A bomb is made ready first: the direction that follows drops it and goes there.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition

from engine.board import MOVES
from engine.game import Game
from engine.position import Player, player_of, target_of
from engine.rules import BOMB

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
        self._began_at: float | None = None  # when the clock of this turn began; None: it stands still
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
        """Let everybody choose, in this position; what was typed before is forgotten."""
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
