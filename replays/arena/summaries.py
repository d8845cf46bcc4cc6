"""The arena's summary of a round, line by line, against what happened by the rules.

    $0 moves to 1,0                       the seat in the JSON; in the console a name in its place,
    ann wants to place a bomb but cannot  which is learnt from the first line that fits only one player
    ann: Disintegrated!

Nothing is said about those who stand still. What the arena says about a player's action in the round of their death
isn't compared: the rules drop it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.game import Game
from engine.position import Cell, Player, target_of
from engine.rules import BOMB
from replays.arena.mismatch import Difference, Mismatch
from replays.replay import Move

ACTION = r" (?P<what>moves to \d+,\d+|places a bomb|wants to place a bomb but cannot)"
LINE = re.compile(rf"(?P<who>.*?)(?:{ACTION}|: (?:Disintegrated|Eliminated)!)", re.ASCII)
SEAT = re.compile(r"\$([0-3])")
DEATH = "dies"


class Line(NamedTuple):
    """What somebody did: their name as it stands there, and the rest of the line."""

    who: str
    what: str


class Did(NamedTuple):
    """What a player did by the rules, and where."""

    seat: int
    what: str
    cell: Cell


def parse_summary(text: str) -> list[Line]:
    """The lines that speak of actions and deaths; others are left out."""
    matches = [LINE.fullmatch(line.rstrip("\r")) for line in text.split("\n")]
    return [Line(match["who"], match["what"] or DEATH) for match in matches if match]


def expected_summary(game: Game, moves: Sequence[Move | None], survivors: Sequence[int]) -> list[Did]:
    """What the arena says about those who live on, in its order; `game` is the position that they answered."""
    bombs = {bomb.cell for bomb in game.bombs}
    done: list[Did] = []
    for player in game.players():
        move = moves[player.id]
        if player.id in survivors and move is not None and move.action is not None:
            done += actions_of(game, player, move.action, bombs)
    return done


def actions_of(game: Game, player: Player, action: int, bombs: set[Cell]) -> Iterator[Did]:
    cell = player.cell
    if action >= BOMB:
        can_drop = player.bombs_left > 0 and cell not in bombs
        yield Did(player.id, "places a bomb" if can_drop else "wants to place a bomb but cannot", cell)
    to = target_of(game.state, player, action)
    if to != cell:
        yield Did(player.id, f"moves to {to[0]},{to[1]}", to)


class Round(NamedTuple):
    """A round as the rules played it."""

    turn: int
    done: list[Did]  # by those who live on
    dying: list[int]  # seats that were lost in this round
    dead: list[int]  # and before


class Names:
    """Who is who: the names that lines begin with, by seat."""

    def __init__(self) -> None:
        self.seats: dict[str, int] = {}

    def seat_of(self, line: Line, rounds: Sequence[Round]) -> int | None:
        """Whom a line speaks of. A new name is that of the first player without one whom the line fits."""
        if match := SEAT.fullmatch(line.who):
            return int(match[1])
        if line.who not in self.seats:
            free = [seat for seat in fitting(line, rounds) if seat not in self.seats.values()]
            if not free:
                return None
            self.seats[line.who] = free[0]
        return self.seats[line.who]

    def name(self, seat: int) -> str:
        """As the arena's text has it; `$2` if it is not known."""
        return self.by_seat().get(seat, f"${seat}")

    def by_seat(self) -> dict[int, str]:
        return {seat: name for name, seat in self.seats.items()}


def fitting(line: Line, rounds: Sequence[Round]) -> list[int]:
    """The seats that may have done this; what the lost did in their last round is open."""
    lost = [seat for each in rounds for seat in (*each.dying, *each.dead)]
    if line.what == DEATH:
        return lost
    return [did.seat for each in rounds for did in each.done if did.what == line.what] + lost


def compare_summary(text: str, rounds: Sequence[Round], names: Names, frame: int, is_whole: bool) -> int:
    """Raise Mismatch unless each line tells what was done in one of the rounds. Returns how many were compared.

    `is_whole`: and everything done must be told.
    """
    lines = parse_summary(text)
    left = [did for each in rounds for did in each.done]
    for line in lines:
        seat = names.seat_of(line, rounds)
        done = next((did for did in left if (did.seat, did.what) == (seat, line.what)), None)
        if done is not None:
            left.remove(done)
        elif not is_open(line, seat, rounds):
            raise Mismatch(contradiction(line, seat, rounds, names, frame))
    if left and is_whole:
        did = left[0]
        told = f"say {names.name(did.seat)} {did.what}"
        raise Mismatch(Difference("says nothing of it", told, frame, rounds[-1].turn, did.cell))
    return len(lines)


def is_open(line: Line, seat: int | None, rounds: Sequence[Round]) -> bool:
    """Whether a line tells of a death that there was, or of a player's last round."""
    dying = any(seat in each.dying for each in rounds)
    return dying or (line.what == DEATH and any(seat in each.dead for each in rounds))


def contradiction(line: Line, seat: int | None, rounds: Sequence[Round], names: Names, frame: int) -> Difference:
    """A line that doesn't follow from the rules, with what the player did by them."""
    said = f"says {line.who}{' ' if line.what != DEATH else ': '}{line.what}"
    turn = rounds[-1].turn
    if seat is None:
        return Difference(said, "know of nobody who did that", frame, turn, cell_in(line))
    done = [did for each in rounds for did in each.done if did.seat == seat]
    own = f"say {names.name(seat)} " + (" and ".join(did.what for did in done) or "stands still or is dead")
    return Difference(said, own, frame, turn, cell_in(line) or (done[0].cell if done else None))


def cell_in(line: Line) -> Cell | None:
    match = re.search(r"(\d{1,3}),(\d{1,3})$", line.what, re.ASCII)
    return (int(match[1]), int(match[2])) if match else None
