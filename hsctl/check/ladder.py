"""The ladder: built-in players in order of strength, limited by nodes so that they play alike on any machine.

ladder.json has their ratings by a league; `python -m hsctl.check.remake` plays it again.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import msgspec

FORMAT: Final = "hsctl-ladder"
VERSION: Final = 1
EVEN = 0.5
FILE = Path(__file__).with_name("ladder.json")


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A share of points, 0 to 1, with its 95 % interval."""

    value: float
    low: float
    high: float


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of the ladder: its rating in Elo, and its score against the level below (None for the first).

    `low` and `high` are the rating's 95 % interval; an end that no game bounds is None.
    """

    player: str
    elo: float
    low: float | None
    high: float | None
    score: Score | None

    @property
    def is_above(self) -> bool:
        """Whether it is surely better than the level below."""
        return self.score is None or self.score.low > EVEN


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All levels, the weakest first."""

    format: Literal["hsctl-ladder"]
    version: Literal[1]
    games: int  # of the league
    seed: int  # of its first board
    levels: list[Level]

    def unsettled(self) -> list[int]:
        """Levels, from 0, that aren't surely better than the one below."""
        return [at for at, level in enumerate(self.levels) if not level.is_above]


@lru_cache(1)
def read_ladder() -> Ladder:
    return msgspec.json.decode(FILE.read_bytes(), type=Ladder)


def write_ladder(path: Path, ladder: Ladder) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(ladder), indent=1) + b"\n")
