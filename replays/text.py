"""Text that strangers wrote (names, messages, files), made fit for a terminal.

A terminal obeys control characters: a name may move the cursor, fill the clipboard or reverse the line. Here they
become the escapes that a programmer would write, as `\\x1b`, and do nothing.
"""

import math
from unicodedata import category

LINES = "\n\t"  # what text of several lines may keep
SPACE = "Zs"  # of any width: Python calls only the plain one printable


def clean(text: str, keep: str = "") -> str:
    """The text with every character that could steer a terminal, or isn't seen, written out, but for those to keep."""
    return text if text.isprintable() else "".join(one if is_shown(one) or one in keep else escape(one) for one in text)


def is_shown(character: str) -> bool:
    return character.isprintable() or category(character) == SPACE


def escape(character: str) -> str:
    """As Python would write it in quotes."""
    return repr(character)[1:-1]


def shorten(text: str, width: int) -> str:
    """At most so many characters, with a mark where it was cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


def fit(text: str, width: int) -> str:
    """At most so many characters: a number is rounded, other text is cut."""
    if len(text) <= width:
        return text
    try:
        return fit_number(float(text), width)
    except ValueError:
        return text[:width]


def fit_number(value: float, width: int) -> str:
    """As exactly as so many characters can tell it: 12.5, 12, 1k, 2M."""
    if not math.isfinite(value):
        raise ValueError(f"no finite number: {value}")
    tried = [f"{value:.6g}", *(f"{value:.{digits}f}" for digits in (3, 2, 1, 0))]
    for size, letter in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")):
        tried += [f"{value / size:.0f}{letter}"] * (abs(value) >= size / 2)
    return next((text for text in tried if len(text) <= width and "e" not in text), "…"[:width])


def counted(count: int, thing: str) -> str:
    """`1 turn`, `2 turns`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def describe_turns(first: int, count: int) -> str:
    """How long a game was: `170 turns`, or `turns 30 to 199` if it didn't start on turn 0."""
    return f"turns {first} to {first + count - 1}" if first and count else counted(count, "turn")


def name_turns(first: int, end: int) -> str:
    """The positions of a game: `turns 0 to 58, and 59 is its end`. The last turn is the last that players answered."""
    return f"turns {first} to {end - 1}, and {end} is its end" if end > first else f"turn {first}, its end"
