"""What a bot draws on stderr: marks on cells, paths, a value of the position, words.

    @cell 3 4 12.5 red         a mark on x=3, y=4: a short text and a colour, each may be left out
    @path 0,0 0,1 1,1 blue     a path along these cells; the colour may be left out
    @value 7.3                 what the position is worth to the bot: a chart over the game
    @text going for the box    words beside the board

A drawing is of one turn. Everything in it has a bound, whatever the text holds; a line that can't be read, or that is
one too many, is counted and told.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import category, east_asian_width

from engine.position import Cell
from replays.remarks.grammar import DRAWING, Remark, cell_at, read_cell, remarks_in
from replays.text import clean, is_shown, shorten

# Middle tones, which show on dark and on light; dark ink can be read on all of them.
COLOURS = {
    "red": "#d9705f",
    "orange": "#de8038",
    "yellow": "#c7a23a",
    "green": "#4f9e63",
    "cyan": "#1a9aa8",
    "blue": "#5f8fc4",
    "purple": "#a878d0",
    "grey": "#8f8f8f",
}
MOST_PATHS, MOST_CELLS = 16, 100  # of a turn; of a path
MOST_TEXTS, TEXT_WIDTH = 8, 200
LABEL_WIDTH = 8  # of the text on a cell
HIGHEST = 1e12  # of a value, up or down
SHOWN = 60  # characters of a line that can't be read
FORMS = {
    "cell": "`@cell x y`, then perhaps a text of up to 8 characters and a colour",
    "path": "`@path x,y x,y ...` with 2 to 100 cells, then perhaps a colour",
    "value": "`@value` and a number",
}


class Label(NamedTuple):
    """What stands on a cell; without a colour it has the player's."""

    text: str = ""
    colour: str = ""


class Path(NamedTuple):
    cells: tuple[Cell, ...]
    colour: str = ""


@dataclass
class Drawing:
    """All that a bot drew on a turn."""

    cells: dict[Cell, Label] = field(default_factory=dict)  # the last of each cell
    paths: list[Path] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    value: float | None = None  # the last
    wrong: int = 0  # lines that should draw and don't
    first_wrong: str = ""  # what is wrong with the first of them

    @property
    def is_empty(self) -> bool:
        return not (self.cells or self.paths or self.texts or self.value is not None)

    def take(self, remark: Remark) -> None:
        """Draw what a line says, or note what is wrong with it."""
        match remark.word:
            case "cell" if label := read_label(remark.arguments):
                self.cells[label[0]] = label[1]
            case "path" if path := read_path(remark.arguments):
                if self._has_room(remark, len(self.paths), MOST_PATHS):
                    self.paths.append(path)
            case "value" if (number := read_value(remark.arguments)) is not None:
                self.value = number
            case "text":
                if self._has_room(remark, len(self.texts), MOST_TEXTS):
                    self.texts.append(shorten(clean(" ".join(remark.arguments)), TEXT_WIDTH))
            case word:
                self._note(f"cannot read {remark.text[:SHOWN]!r}: expected {FORMS[word]}")

    def _has_room(self, remark: Remark, count: int, most: int) -> bool:
        if count >= most:
            self._note(f"one @{remark.word} too many: {most} are shown for a turn")
        return count < most

    def _note(self, words: str) -> None:
        self.first_wrong = self.first_wrong or words
        self.wrong += 1


def read_drawing(stderr: str) -> Drawing:
    """What is drawn among all that a bot wrote on a turn."""
    drawing = Drawing()
    for remark in remarks_in(stderr, *DRAWING):
        drawing.take(remark)
    return drawing


def read_label(arguments: Sequence[str]) -> tuple[Cell, Label] | None:
    *rest, colour = split_colour(arguments)
    cell = cell_at(*rest[:2]) if len(rest) in (2, 3) else None
    text = rest[2] if len(rest) == 3 else ""
    if cell is None or len(text) > LABEL_WIDTH or not all(map(is_narrow, text)):
        return None
    return cell, Label(text, colour)


def read_path(arguments: Sequence[str]) -> Path | None:
    *rest, colour = split_colour(arguments)
    cells = [cell for text in rest[: MOST_CELLS + 1] if (cell := read_cell(text))]
    return Path(tuple(cells), colour) if 2 <= len(cells) == len(rest) <= MOST_CELLS else None


def read_value(arguments: Sequence[str]) -> float | None:
    try:
        (value,) = map(float, arguments)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) <= HIGHEST else None


def split_colour(arguments: Sequence[str]) -> list[str]:
    """The arguments with a colour at the end, an empty one if there was none."""
    return list(arguments) if arguments and arguments[-1] in COLOURS else [*arguments, ""]


def is_narrow(character: str) -> bool:
    """Whether it takes exactly one column of a terminal."""
    return is_shown(character) and east_asian_width(character) not in "WF" and category(character)[0] != "M"


def tell_wrong(said: Sequence[str]) -> list[str]:
    """A note about each seat's drawing of a turn that has a fault."""
    drawings = [read_drawing(stderr) for stderr in said]
    return [
        f"player {seat}: {drawing.first_wrong}{f' (and {drawing.wrong - 1} more)' if drawing.wrong > 1 else ''}"
        for seat, drawing in enumerate(drawings)
        if drawing.wrong
    ]
