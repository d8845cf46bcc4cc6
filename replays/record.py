"""What can be stepped through: a replay played again, or the inputs that a bot had, one after the other.

position   first_turn ... t      t + 1 ... end_turn
moves          |          |        |          none
                          +--------^ events (and notes) before t + 1
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from engine.events import Event
from engine.game import Game
from replays.annotations import BotDrawing, read_drawing
from replays.replay import Move, PlayerInfo


class Better(NamedTuple):
    """What a player should have done from a turn on: actions."""

    seat: int
    line: tuple[int, ...]


class Record(Protocol):
    """Positions in a row, each with what led to it and what everybody answered."""

    @property
    def seats(self) -> int: ...

    @property
    def specs(self) -> list[str]:
        """Who plays, by seat."""

    @property
    def seed(self) -> int | None:
        """Of the board and of all decisions, where it is known."""

    @property
    def own_seat(self) -> int | None:
        """Whose record it is, if it is somebody's."""

    @property
    def first_turn(self) -> int: ...

    @property
    def end_turn(self) -> int:
        """The number of the last position, which nobody answered."""

    def game_at(self, turn: int) -> Game:
        """The position of a turn; a copy that the caller may step."""

    def seen_at(self, turn: int, seat: int) -> Game | None:
        """The position as a living player was sent it, if that was not all of it."""

    def moves_at(self, turn: int) -> list[Move | None]:
        """What each seat answered; None for the dead and for what isn't known."""

    def events_before(self, turn: int) -> list[Event]:
        """What led to the position of this turn."""

    def notes_before(self, turn: int) -> list[str]:
        """What must be said about the way to this position: where it doesn't follow from the one before."""

    def better_at(self, turn: int) -> Better | None:
        """What would have been better than the answer to this turn, if somebody found out."""

    def title_at(self, turn: int) -> str:
        """Which turn this is, in words."""


# What a move shows


def value_of(move: Move | None) -> float | None:
    """What the position was worth to a player: to an agent, or to a bot that said so."""
    if move is None:
        return None
    return read_drawing(move.stderr).value if move.thought is None else move.thought.value


def drawing_of(move: Move | None) -> BotDrawing:
    return read_drawing(move.stderr if move else "")


def seat_in_focus(players: Sequence[PlayerInfo], own_seat: int | None = None) -> int:
    """The player that a user looks at first: the owner of the record, else the first external bot, else seat 0."""
    bots = [seat for seat, player in enumerate(players) if not player.is_agent]
    return next((seat for seat in [own_seat, *bots] if seat is not None), 0)
