"""What a bot predicted on stderr, and where it was wrong.

    @predict 3,4 .                   the grid of the next input has . at x=3, y=4 (or 0, 1, 2: a box)
    @predict row 4 ..0..????....     row 4 of its grid; ? is not predicted
    @predict 1 0 3 4 7 3             this line is among its entities; ? is not predicted, nor is what is left out
    @predict no 0 1                  no such line is: player 1 is dead
    @predict +3 no 1 ? 3 4           the same for the input three turns later

All in the words of the arena's input, so that a simulator's own text can be printed line by line.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.board import HEIGHT, WIDTH
from engine.game import Game
from engine.notation import format_position
from engine.position import Cell
from engine.state import MAX_TURNS
from replays.remarks.grammar import PREDICT, Remark, read_cell, remarks_in

ANY = "?"
FORMS = "`x,y .`, `row y .X..`, `type owner x y ...` or `no type owner ...`, perhaps after `+turns`"
FIELDS = 6  # of an entity
SHOWN = 60  # characters of a remark


class Wrong(NamedTuple):
    """A prediction that didn't come true, or one that can't be read (`turn` is then that on which it was made)."""

    seat: int
    made: int  # the turn on which it was printed
    turn: int  # whose position it is about
    cell: Cell | None
    words: str

    def describe(self) -> str:
        return f"turn {self.turn}{self.detail}"

    def note(self) -> str:
        """What is to be said on the turn itself."""
        return f"player {self.seat}{self.detail}"

    @property
    def detail(self) -> str:
        at = "" if self.cell is None else f", cell {self.cell[0]},{self.cell[1]}"
        made = "" if self.turn - self.made <= 1 else f" (predicted on turn {self.made})"
        return f"{at}: {self.words}{made}"


class Pending(NamedTuple):
    """A prediction whose turn has not come."""

    seat: int
    made: int
    remark: Remark
    facts: tuple[str, ...]


class Predictions:
    """Those of a game, followed turn by turn. One for a turn after the end is never looked at."""

    def __init__(self) -> None:
        self.checked: dict[int, int] = {}  # by seat
        self.wrong: list[Wrong] = []  # in order of turns
        self._pending: dict[int, list[Pending]] = {}  # by the turn that they are about

    def follow(self, said: Sequence[str], after: Game) -> None:
        """Take in what each seat wrote to stderr on a turn, then look at the position after it."""
        made = after.turn - 1
        for seat, stderr in enumerate(said):
            for remark in remarks_in(stderr, PREDICT):
                self._take(seat, made, remark)
        if due := self._pending.pop(after.turn, []):
            lines = format_position(after).splitlines()
            for pending in due:
                self._check(pending, after.turn, lines)

    def wrong_about(self, turn: int) -> list[Wrong]:
        return [each for each in self.wrong if each.turn == turn]

    def first_wrong(self, seat: int) -> Wrong | None:
        return next((each for each in self.wrong if each.seat == seat), None)

    def count_wrong(self, seat: int) -> int:
        return sum(each.seat == seat for each in self.wrong)

    def _take(self, seat: int, made: int, remark: Remark) -> None:
        facts, ahead = list(remark.arguments), 1
        if facts and facts[0].startswith("+"):
            ahead = int(facts[0][1:]) if facts[0][1:].isdecimal() and len(facts[0]) < 5 else 0
            del facts[0]
        if not 1 <= ahead <= MAX_TURNS or not is_readable(facts):
            words = f"cannot read {remark.text[:SHOWN]!r}: expected @predict and {FORMS}"
            self.wrong.append(Wrong(seat, made, made, None, words))
            return
        pending = Pending(seat, made, remark, tuple(facts))
        self._pending.setdefault(made + ahead, []).append(pending)

    def _check(self, pending: Pending, turn: int, lines: Sequence[str]) -> None:
        seat = pending.seat
        self.checked[seat] = self.checked.get(seat, 0) + 1
        if found := contradict(pending.facts, lines):
            cell, words = found
            self.wrong.append(Wrong(seat, pending.made, turn, cell, words))


def is_readable(facts: Sequence[str]) -> bool:
    match list(facts):
        case ["row", y, row]:
            return y.isdecimal() and int(y) < HEIGHT and len(row) == WIDTH and set(row) <= set(".X012?")
        case ["no", *pattern]:
            return is_pattern(pattern)
        case [cell, mark]:
            return (read_cell(cell) is not None and mark in tuple(".X012")) or is_pattern([cell, mark])
        case pattern:
            return is_pattern(pattern)


def is_pattern(pattern: Sequence[str]) -> bool:
    """The first fields of an entity, of which the type is told."""
    numbers = all(field == ANY or field.removeprefix("-").isdecimal() for field in pattern)
    return 2 <= len(pattern) <= FIELDS and numbers and pattern[0] in ("0", "1", "2")


def contradict(facts: Sequence[str], lines: Sequence[str]) -> tuple[Cell | None, str] | None:
    """Where and how an input differs from what was predicted of it; None if it doesn't."""
    entities = lines[HEIGHT + 1 :]
    if facts[0] == "row":
        return contradict_row(int(facts[1]), facts[2], lines)
    if facts[0] == "no":
        found = [line for line in entities if fits(facts[1:], line)]
        return (cell_of(found[0]), f"predicted no `{' '.join(facts[1:])}`, found `{found[0]}`") if found else None
    cell = read_cell(facts[0])
    if cell is not None:
        mark = lines[cell[1]][cell[0]]
        return None if mark == facts[1] else (cell, f"predicted `{facts[1]}`, found `{mark}`")
    if any(fits(facts, line) for line in entities):
        return None
    nearest = nearest_to(facts, entities)
    words = f"predicted `{' '.join(facts)}`, found {f'`{nearest}`' if nearest else 'no such line'}"
    return predicted_cell(facts) or (cell_of(nearest) if nearest else None), words


def contradict_row(y: int, row: str, lines: Sequence[str]) -> tuple[Cell, str] | None:
    """The first cell of a row that is another."""
    for x, (mark, found) in enumerate(zip(row, lines[y], strict=True)):
        if mark not in (ANY, found):
            return (x, y), f"predicted `{mark}`, found `{found}`"
    return None


def fits(pattern: Sequence[str], line: str) -> bool:
    return all(wanted in (ANY, found) for wanted, found in zip(pattern, line.split(), strict=False))


def nearest_to(facts: Sequence[str], entities: Sequence[str]) -> str | None:
    """The entity of the same type that agrees in the most fields, if one agrees in owner or cell."""
    alike = [line for line in entities if fits(facts[:1], line) and (fits(facts[:2], line) or is_there(facts, line))]
    return max(alike, key=lambda line: agreement(facts, line), default=None)


def agreement(facts: Sequence[str], line: str) -> int:
    return sum(wanted == found for wanted, found in zip(facts, line.split(), strict=False))


def is_there(facts: Sequence[str], line: str) -> bool:
    """Whether an entity is on the predicted cell."""
    return predicted_cell(facts) == cell_of(line)


def predicted_cell(facts: Sequence[str]) -> Cell | None:
    numbers = facts[2:4]
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and ANY not in numbers else None


def cell_of(line: str) -> Cell:
    x, y = line.split()[2:4]
    return int(x), int(y)
