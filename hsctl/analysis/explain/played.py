"""What a player did on a turn, and whether it could be survived: what somebody else's advice is compared with."""

from dataclasses import dataclass

from engine.events import Death
from engine.rules import ACTION_NAMES
from engine.state import FUSE
from replays.playback import play_moves
from replays.record import Record
from replays.text import clean


@dataclass(frozen=True)
class Played:
    """`action` is None for a player who failed."""

    action: int | None
    words: str  # `stay (can't be survived; dies on turn 18)`


def played_at(record: Record, turn: int, seat: int) -> Played | None:
    """What a player did, with what followed from it; None if that isn't known."""
    move = record.moves_at(turn)[seat]
    if move is None:
        return None
    if move.action is None:
        return Played(None, f"nothing ({clean(move.failure.cause)})" if move.failure else "nothing")
    after = record.game_at(turn)
    play_moves(after, record.moves_at(turn))
    name = ACTION_NAMES[move.action]
    if after.can_survive(seat):
        return Played(move.action, name)
    died = death_after(record, turn, seat)
    when = "" if died is None else "; dies now" if died == turn else f"; dies on turn {died}"
    return Played(move.action, f"{name} (can't be survived{when})")


def death_after(record: Record, turn: int, seat: int) -> int | None:
    """The turn on which the bombs of this one kill a player."""
    for each in range(turn + 1, min(turn + FUSE + 1, record.end_turn) + 1):
        if any(isinstance(event, Death) and event.player == seat for event in record.events_before(each)):
            return each - 1
    return None
