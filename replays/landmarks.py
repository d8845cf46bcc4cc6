"""Where a game is worth a look: deaths, explosions, what bots wrote, breaks in a log, boxes and values over time.

All turns are those on whose position it shows: a death on turn 41 is seen in the position of turn 42, the stderr of
turn 41 in that of turn 41.
"""

from collections.abc import Callable, Sequence

from engine.events import Death
from engine.game import Explosion
from engine.state import MAX_TURNS
from replays.playback import Playback
from replays.record import Record, drawing_of, value_of


class Landmarks:
    """Looks through a record once, and through what is added to it."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.turns = range(record.first_turn, record.end_turn + 1)
        self.boxes: list[list[int]] = []  # [turn - first turn, seat]
        self.values: list[list[float | None]] = []  # the same, of what the position was worth to each
        self.drawings: list[int] = []
        self.deaths: list[int] = []
        self.explosions: list[int] = []
        self.stderr: list[int] = []
        self.notes: list[int] = []
        self.died: dict[int, int] = {}  # the turn on which a player is seen dead first, by seat
        for turn in self.turns:
            self._look_at_position(turn)
            self._look_at_answers(turn)

    @property
    def span(self) -> range:
        """The turns that a timeline has room for: in a game that is being played all that there may be."""
        is_live = isinstance(self.record, Playback) and self.record.is_live
        return range(self.turns[0], MAX_TURNS + 1) if is_live else self.turns

    def grow(self) -> None:
        """Look at what was added to a record that grows: what was its end is answered now."""
        known = self.turns
        self.turns = range(known[0], self.record.end_turn + 1)
        self._look_at_answers(known[-1])
        for turn in self.turns[len(known) :]:
            self._look_at_position(turn)
            self._look_at_answers(turn)

    def _look_at_position(self, turn: int) -> None:
        events = self.record.events_before(turn)
        self.boxes.append(self.record.game_at(turn).boxes)
        deaths = [event.player for event in events if isinstance(event, Death)]
        self.died.update(dict.fromkeys(deaths, turn))
        if deaths:
            self.deaths.append(turn)
        if any(isinstance(event, Explosion) for event in events):
            self.explosions.append(turn)

    def _look_at_answers(self, turn: int) -> None:
        moves = self.record.moves_at(turn)
        self.values[turn - self.turns[0] :] = [[value_of(move) for move in moves]]
        if not all(drawing_of(move).is_empty for move in moves):
            self.drawings.append(turn)
        if any(move is not None and move.stderr for move in moves):
            self.stderr.append(turn)
        if self.record.notes_before(turn) and turn not in self.notes[-1:]:
            self.notes.append(turn)

    def last_way_out(self, seat: int) -> int | None:
        """The last turn on which a player that died, or is lost where the record ends, could still survive the known
        bombs; None for the others."""
        if seat not in self.died and not self.is_lost(seat):
            return None
        before = range(self.died.get(seat, self.turns[-1] + 1) - 1, self.turns[0] - 1, -1)
        return next((turn for turn in before if self.record.game_at(turn).can_survive(seat)), None)

    def tell_way_out(self, seat: int) -> tuple[int | None, str]:
        """Where that turn is, if there is one, and a word about it."""
        died = self.died.get(seat)
        turn = self.last_way_out(seat)
        if died is None and self.is_lost(seat):
            since = "on any turn" if turn is None else f"after turn {turn}"
            return turn, f"player {seat} has no way out {since}; what is known ends before the death"
        if died is None:
            return None, f"player {seat} was not seen dying"
        if turn is None:
            return None, f"player {seat} had no way out on any turn"
        if turn == died - 1:
            return turn, f"player {seat} could have survived this turn, but was eliminated for an error"
        return turn, f"last turn on which player {seat} had a way out: died on turn {died - 1}"

    def is_lost(self, seat: int) -> bool:
        """Whether a player is alive where an unfinished record ends, and has no way out any more."""
        is_finished = isinstance(self.record, Playback) and self.record.is_finished
        end = self.record.game_at(self.turns[-1])
        return not is_finished and seat in end.living and not end.can_survive(seat)


def next_in(turns: Sequence[int], turn: int, direction: int) -> int | None:
    """The nearest of the turns after (direction 1) or before (-1) this one."""
    beyond: Callable[[int], bool] = turn.__lt__ if direction > 0 else turn.__gt__
    found = [other for other in turns if beyond(other)]
    return (min if direction > 0 else max)(found) if found else None
