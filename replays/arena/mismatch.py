"""Where a record of the arena and our rules differ: the frame, the turn, the cell, and both sides."""

import msgspec

from engine.position import Cell
from replays.text import clean, shorten

LONGEST = 120  # characters of a side


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference. A frame is numbered as its source does it."""

    arena: str  # what the record says
    rules: str  # what follows from the rules
    frame: int | None = None
    turn: int | None = None
    cell: Cell | None = None

    def describe(self) -> str:
        """One line, whatever characters the record has."""
        places = [
            f"frame {self.frame}" if self.frame is not None else "",
            f"turn {self.turn}" if self.turn is not None else "",
            f"cell {self.cell[0]},{self.cell[1]}" if self.cell is not None else "",
        ]
        where = ", ".join(filter(None, places))
        arena, rules = (shorten(clean(side), LONGEST) for side in (self.arena, self.rules))
        return f"{where}{': ' if where else ''}the arena {arena}, the rules {rules}"


class Mismatch(Exception):
    """Raised at the first difference of a game: what comes after it follows from it."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.describe())
        self.difference = difference
