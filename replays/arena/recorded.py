"""What the arena recorded of a game, whatever dress it came in: who played, what they answered, how it ended."""

import re
from dataclasses import dataclass, field

from engine.position import Cell
from replays.replay import ReplayError

MOST_PLAYERS = 4
MOST_FRAMES = 1 + MOST_PLAYERS * 200
COLOUR = re.compile(r"[¤§][A-Z_]+[¤§]")


class ArenaError(ReplayError):
    """A file that is not a game of the arena, or lacks what is needed to play it again."""


@dataclass(frozen=True)
class Frame:
    """One player's answer."""

    number: int  # as the source counts
    seat: int | None  # None: the source doesn't say; the next of the living
    stdout: str | None  # None: nothing came
    stderr: str = ""
    information: str = ""  # what the arena said about it
    error: str = ""  # what the player's program ended with


@dataclass(frozen=True)
class Summary:
    """What the arena said about one round, or about all rounds that end in a group of frames."""

    last: int  # the position in `frames` of the last frame that it is about
    text: str


@dataclass
class Recorded:
    """A game of the arena. Lists are by seat, and empty where the source doesn't tell."""

    source: str  # what kind of text it was
    frames: list[Frame]
    summaries: list[Summary] = field(default_factory=list)
    has_round_summaries: bool = True  # False: a summary may be about several rounds
    options: str = ""  # the referee's input
    names: list[str] = field(default_factory=list)
    own: list[int] = field(default_factory=list)  # seats of the code in the editor
    board: dict[Cell, int] = field(default_factory=dict)  # the boxes of the first picture
    scores: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)  # from 0
    places: list[tuple[str, int]] = field(default_factory=list)  # names and ranks from 1, in no order of seats
    seats: int | None = None
    first_frame: int = 1  # the number of the first answer
    is_copied: bool = False  # by hand, from a screen: its end may be missing
    padding: int = 0  # so many frames at the end may be none


def plain(text: str) -> str:
    """Without the arena's marks for colours."""
    return COLOUR.sub("", text).strip()
