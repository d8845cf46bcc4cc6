"""The game seen from a seat: turn, scores and deaths, followed from nothing but the arena's inputs.

What an input doesn't tell can be worked out. A round's explosions depend on the position alone, never on the
answers to it: so the position before, played on with everybody standing still, has the scores after.
"""

import os
import select

from engine.board import HEIGHT
from engine.game import Game
from engine.notation import NotationError, parse_header, parse_integers, parse_position
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS

CAN_SELECT = os.name == "posix"  # elsewhere only sockets can be waited for
CHUNK = 64 * 1024
LONGEST_LINE = 1024 * 1024  # bytes
MOST_ENTITIES = MAX_PLAYERS + MAX_PLAYERS * FUSE + 113  # players, bombs, an item on every cell


class Input:
    """The arena's messages out of a pipe, with their lines counted."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self.number = 0  # of the line read last
        self._buffer = b""

    def is_waiting(self) -> bool:
        """Whether something can be read at once (its end too); true where the system can't tell."""
        return bool(self._buffer) or not CAN_SELECT or bool(select.select([self.pipe], [], [], 0)[0])

    def wait(self) -> None:
        """Until something can be read, where the system can tell."""
        if not self._buffer and CAN_SELECT:
            select.select([self.pipe], [], [])

    def read_header(self) -> int | None:
        """The own id; None at the end of the stream."""
        line = self._next_filled()
        return parse_header(line, self.number) if line else None

    def read_turn(self) -> tuple[int, str] | None:
        """The number of a turn's first line and its text, whole or cut off by the end; None if there is no more."""
        line = self._next_filled()
        if not line:
            return None
        first = self.number
        lines = [line, *(self._next() for _ in range(HEIGHT))]
        if lines[-1]:
            lines += [self._next() for _ in range(self._entities(lines[-1]))]
        return first, "".join(lines)

    def _entities(self, line: str) -> int:
        (count,) = parse_integers(line, self.number, "number of entities", 1)
        if not 0 <= count <= MOST_ENTITIES:
            raise NotationError(f"line {self.number}: expected 0 to {MOST_ENTITIES} entities, found {count}")
        return count

    def _next(self) -> str:
        """The next line with its end; empty at the end of the stream."""
        while b"\n" not in self._buffer:
            data = os.read(self.pipe, CHUNK)
            if not data:
                break
            self._buffer += data
            if len(self._buffer) > LONGEST_LINE and b"\n" not in data:
                raise NotationError(f"line {self.number + 1}: longer than {LONGEST_LINE} bytes")
        line, end, self._buffer = self._buffer.partition(b"\n")
        self.number += bool(line or end)
        return (line + end).decode(errors="replace")

    def _next_filled(self) -> str:
        """The next line that isn't blank; empty at the end of the stream."""
        while (line := self._next()).isspace():
            pass
        return line


class Follower:
    """The game up to the last input. `game` is as the arena's, but for the counters that end it."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.is_surprised = False  # some input showed other boxes or bombs than the rules allow

    def follow(self, text: str, first_line: int = 1) -> Game:
        """Take in the next turn's input. The map stays the one of the first turn, which shows all contents."""
        if self.game is None:
            self.game = parse_position(text, first_line=first_line)
            return self.game
        expected = self.game.copy()
        expected.step([0] * expected.seats)
        turn = min(expected.turn, MAX_TURNS - 1)  # some referee may go on after the arena's last turn
        game = parse_position(text, turn, expected.boxes, expected.seats, first_line)
        game.map = expected.map
        self.is_surprised |= not is_successor(game, expected)
        self.game = game
        return game


def is_successor(game: Game, expected: Game) -> bool:
    """Whether boxes and bombs are what one round leaves, the bombs just dropped aside."""
    old = {bomb for bomb in game.bombs if bomb.timer < FUSE}
    return old == set(expected.bombs) and game.state.boxes.tolist() == expected.state.boxes.tolist()
