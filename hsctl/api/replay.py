"""A recorded game for Python: its turns, events and result as plain data, its positions, and its page in a notebook."""

from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from hsctl.api.game import Game
from hsctl.report.export import decision_rows, event_rows, game_rows, turn_rows
from replays.files import write_bytes
from replays.playback import Playback
from replays.replay import encode
from replays.store import save

Rows = list[dict[str, Any]]


class Replay:
    """A game that was played. Lists of dicts are what pandas and polars take."""

    def __init__(self, playback: Playback, is_played_here: bool = False) -> None:
        self.playback = playback
        self.is_played_here = is_played_here  # so that its players may run again

    def __len__(self) -> int:
        """How many turns it has."""
        return len(self.playback.replay.turns)

    @property
    def seed(self) -> int | None:
        return self.playback.replay.seed

    @property
    def players(self) -> list[str]:
        """As they were written, by seat."""
        return self.playback.specs

    @property
    def ranks(self) -> list[int]:
        """The place of each seat, from 1."""
        return self.playback.replay.result.ranks

    @property
    def boxes(self) -> list[int]:
        """Scored, by seat."""
        return self.playback.replay.result.boxes

    @property
    def reason(self) -> str:
        """Why it ended."""
        return self.playback.replay.result.reason

    @property
    def games(self) -> Rows:
        """One row per seat; docs/reference/export.md has the columns of all four."""
        return list(game_rows(self.playback))

    @property
    def turns(self) -> Rows:
        """One row per turn and living player: where they were, what they did."""
        return list(turn_rows(self.playback))

    @property
    def decisions(self) -> Rows:
        """One row per decision of an agent: nodes, depth, value, plan."""
        return list(decision_rows(self.playback))

    @property
    def events(self) -> Rows:
        """One row per thing that happened."""
        return list(event_rows(self.playback))

    def game_at(self, turn: int) -> Game:
        """The position that turn shows."""
        return Game.of(self.playback.game_at(turn))

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it as a file that every command opens."""
        write_file = save if self.is_played_here else write_bytes
        write_file(Path(path), encode(self.playback.replay))
        return Path(path)

    def to_json(self) -> str:
        return encode(self.playback.replay).decode()

    def __repr__(self) -> str:
        return f"<Replay: {' '.join(self.players)}, seed {self.seed}, {len(self)} turns, ranks {self.ranks}>"

    def _repr_html_(self) -> str:
        """The page, to step through."""
        from replays.export.page import format_page

        page = escape(format_page(self.playback), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:720px;border:0"></iframe>'


def open_replay(path: str | PathLike[str]) -> Replay:
    """A game in a file: a replay, or a game of the arena."""
    from replays.opening import open_game

    return Replay(open_game(Path(path))[0])
