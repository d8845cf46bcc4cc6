"""An answer read line by line: 11 rows, the number of entities, the entities, and the scores if they were promised.

Whatever can be drawn and compared is taken, also what can't be on a board of the arena; the rest is refused.
"""

from engine.board import HEIGHT, WIDTH, is_on_board, is_wall
from engine.notation import BOMB_TYPE, CONTENT_OF, ITEM_TYPE, PLAYER_TYPE
from engine.position import Bomb, Cell, Item, Player
from engine.state import MAX_PLAYERS
from hsctl.conform.position import KINDS, Position

SCORES = "scores"
ENTITY = "type owner x y param1 param2"
LARGEST = 10**6  # of a number: more is no stock, range or timer
MOST_ENTITIES = 1000


class UnreadableError(ValueError):
    """A line that is no part of a position: what was expected, what was found."""


class Reader:
    """`expects` says what the next line has to be, and is empty once there is nothing more to come."""

    def __init__(self, has_scores: bool) -> None:
        self.number = 1  # of the next line
        self._has_scores = has_scores
        self._boxes: dict[Cell, int] = {}
        self._count = 0
        self._players: list[Player] = []
        self._bombs: list[Bomb] = []
        self._items: list[Item] = []
        self._scored: tuple[int, ...] | None = None

    @property
    def expects(self) -> str:
        entity = self.number - HEIGHT - 1  # from 1
        if entity < 0:
            return f"row {self.number - 1}"
        if entity == 0:
            return "the number of entities"
        if entity <= self._count:
            return f"entity {entity} of {self._count}"
        return "the scores" if self._has_scores and self._scored is None else ""

    def take(self, line: str) -> None:
        entity = self.number - HEIGHT - 1
        if entity < 0:
            self._boxes |= read_row(self.number - 1, line)
        elif entity == 0:
            (self._count,) = read_numbers(line, "number-of-entities")
            if not 0 <= self._count <= MOST_ENTITIES:
                raise UnreadableError(f"expected 0 to {MOST_ENTITIES} entities, found {line!r}")
        elif entity <= self._count:
            self._take_entity(line)
        else:
            self._scored = read_scores(line)
        self.number += 1

    def _take_entity(self, line: str) -> None:
        kind, owner, x, y, first, second = read_numbers(line, ENTITY)
        expect(is_on_board(x, y) and not is_wall(x, y), "a cell of the board without a wall", line)
        if kind == ITEM_TYPE:
            expect(first in KINDS, "an item of kind 1 (range) or 2 (bomb)", line)
            self._items.append(Item(x, y, first))
            return
        expect(kind in (PLAYER_TYPE, BOMB_TYPE), "type 0 (player), 1 (bomb) or 2 (item)", line)
        expect(0 <= owner < MAX_PLAYERS, f"a player 0 to {MAX_PLAYERS - 1}", line)
        if kind == BOMB_TYPE:
            self._bombs.append(Bomb(owner, x, y, first, second))
        else:
            expect(all(owner != player.id for player in self._players), "each player once", line)
            self._players.append(Player(owner, x, y, first, second, 0))

    def position(self) -> Position:
        return Position(
            self._boxes, tuple(self._players), tuple(self._bombs), tuple(self._items), self._scored
        ).sorted()


def expect(holds: bool, wanted: str, line: str) -> None:
    if not holds:
        raise UnreadableError(f"expected {wanted}, found {line[:80]!r}")


def read_row(y: int, row: str) -> dict[Cell, int]:
    """The boxes of a row."""
    if len(row) != WIDTH or set(row) - set(".X012"):
        raise UnreadableError(f"expected row {y}, {WIDTH} of the characters . X 0 1 2, found {row[:80]!r}")
    for x, mark in enumerate(row):
        wanted = "a wall X" if is_wall(x, y) else "no wall"
        expect((mark == "X") == is_wall(x, y), f"{wanted} at {x},{y}", row)
    return {(x, y): CONTENT_OF[mark] for x, mark in enumerate(row) if mark in CONTENT_OF}


def read_numbers(line: str, form: str) -> list[int]:
    """As many numbers as the form has words."""
    words = line.split()
    try:
        numbers = [int(word) for word in words if len(word) < 10]
    except ValueError:
        numbers = []
    is_fit = len(words) == len(numbers) == len(form.split()) and all(abs(one) <= LARGEST for one in numbers)
    expect(is_fit, f"`{form}`", line)
    return numbers


def read_scores(line: str) -> tuple[int, ...]:
    """Boxes scored since the position that was sent, by player."""
    word, _, numbers = line.partition(" ")
    expect(word == SCORES, f"`{SCORES}` and {MAX_PLAYERS} numbers", line)
    return tuple(read_numbers(numbers, " ".join(f"player{seat}" for seat in range(MAX_PLAYERS))))
