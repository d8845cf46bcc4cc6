"""What a bot says to hsctl on stderr: lines that begin with @, a word, and what the word is about.

    @predict 3,4 .             @ and a word of small letters at the very start of the line,
    @predict 0 0 5 6           then arguments to its end, separated by spaces

One grammar for all of them, read here and nowhere else; each word's arguments are read by whoever knows the word. Other
lines, and words that nobody knows, are just text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

REMARK = re.compile(r"@([a-z]+)(?: +(\S.*?))? *\r?")

PREDICT = "predict"


class Remark(NamedTuple):
    word: str
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it was written, but for the spaces."""
        return " ".join([f"@{self.word}", *self.arguments])


def remarks_in(stderr: str, word: str) -> Iterator[Remark]:
    """The remarks with this word among all that a bot wrote on a turn."""
    if f"@{word}" in stderr:
        for line in stderr.split("\n"):
            match = REMARK.fullmatch(line)
            if match and match[1] == word:
                yield Remark(word, tuple((match[2] or "").split()))
