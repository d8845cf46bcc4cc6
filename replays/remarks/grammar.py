"""What a bot says to hsctl on stderr: lines that begin with @, a word, and what the word is about.

    @predict 3,4 .             @ and a word of small letters at the very start of the line,
    @cell 3 4 12.5 red         then arguments to its end, separated by spaces

One grammar for all of them, read here and nowhere else; each word's arguments are read by whoever knows the word. Other
lines, and words that nobody knows, are just text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from engine.board import is_on_board
from engine.position import Cell

REMARK = re.compile(r"@([a-z]+)(?: +(\S.*?))? *\r?")

PREDICT = "predict"
DRAWING = ("cell", "path", "value", "text")


class Remark(NamedTuple):
    word: str
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it was written, but for the spaces."""
        return " ".join([f"@{self.word}", *self.arguments])


def remarks_in(stderr: str, *words: str) -> Iterator[Remark]:
    """The remarks with these words among all that a bot wrote on a turn."""
    if "@" in stderr:
        for line in stderr.split("\n"):
            match = REMARK.fullmatch(line) if line.startswith("@") else None
            if match and match[1] in words:
                yield Remark(match[1], tuple((match[2] or "").split()))


def read_cell(text: str) -> Cell | None:
    """`3,4` as a cell of the board."""
    x, _, y = text.partition(",")
    return cell_at(x, y)


def cell_at(x: str, y: str) -> Cell | None:
    """The cell of two numbers, if it is on the board."""
    if not (is_small(x) and is_small(y) and is_on_board(int(x), int(y))):
        return None
    return int(x), int(y)


def is_small(text: str) -> bool:
    """Whether it is a number of one or two digits."""
    return len(text) < 3 and text.isdecimal()
