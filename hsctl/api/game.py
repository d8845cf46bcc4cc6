"""A game for Python: from a seed, a text or a replay; legal actions, positions and rounds.

>>> game = Game.from_seed(1, players=2)
>>> game.turn, game.living, game.legal_actions(0)
(0, [0, 1], [0, 2, 4, 5, 7, 9])
>>> game.step([2, 0])
>>> game.players()[0].cell
(1, 0)
>>> int((game.arrays()["boxes"] > 0).sum())
66
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

import engine.game
from engine import variants as teams
from engine.board import HEIGHT, WIDTH, cells_of
from engine.errors import EngineError
from engine.notation import format_position
from engine.position import BOMB_ITEM, RANGE_ITEM, contents_of
from engine.rules import ACTION_NAMES, ACTIONS, legal_actions

if TYPE_CHECKING:
    from hsctl.api.replay import Replay

PLANES = ("walls", "boxes", "range_items", "bomb_items", "fuses", "ranges", "players", "bombs_left")


class Game(engine.game.Game):
    """A position and its rules. `turn`, `living`, `boxes` (scored by seat), `bombs`, `items`, `players()`, `is_over`,
    `reason`, `ranks()`, `copy()`; `state` and `map` are what agents take."""

    @classmethod
    def from_seed(cls, seed: int, players: int = 2, boxes: int | None = None) -> Self:
        """The arena's board of a seed, with everybody in their corner."""
        return cls.start(seed, players, boxes)

    @classmethod
    def from_text(cls, text: str, turn: int = 0, boxes: Sequence[int] = (), players: int | None = None) -> "Game":
        """A position in the arena's text: rows, then entities; `boxes` were scored before, by seat. The dead keep their
        seats: without `players` there are as many as `boxes` has numbers, or else as the text needs."""
        from hsctl.match.start import game_from_text

        return cls.of(game_from_text(text, turn, boxes, players))

    @classmethod
    def from_replay(cls, replay: "Replay | str | PathLike[str]", turn: int = 0) -> "Game":
        """The position of a turn of a recorded game, or of a file with one; a game of teams remains one."""
        from hsctl.api.replay import Replay, open_replay

        found = replay if isinstance(replay, Replay) else open_replay(Path(replay))
        return cls.of(found.playback.game_at(turn))

    @classmethod
    def of(cls, game: engine.game.Game) -> "Game":
        """A game of the engine's, copied."""
        kind = TeamGame if isinstance(game, teams.TeamGame) else cls
        made = kind.__new__(kind)
        made.__dict__.update(game.copy().__dict__)
        return made

    def legal_actions(self, player: int) -> list[int]:
        """The move (stay, left, right, up, down = 0 to 4), plus 5 to drop a bomb first; nothing for the dead."""
        bits = int(legal_actions(self.state, player))
        return [action for action in range(ACTIONS) if bits >> action & 1]

    def step(self, actions: Sequence[int] | Mapping[int, int]) -> None:
        """Play a round: an action per seat, or by seat (a player that isn't named stays). A blocked move stays."""
        if self.is_over:
            raise EngineError(f"turn {self.turn}: the game is over ({self.reason})")
        if isinstance(actions, Mapping):
            actions = [actions.get(seat, 0) for seat in range(self.seats)]
        if len(actions) != self.seats:
            raise EngineError(f"{len(actions)} actions: give one for each of {self.seats} seats")
        super().step([int(action) for action in actions])

    def copy(self) -> Self:
        copied = super().copy()
        assert isinstance(copied, type(self))
        return copied

    def arrays(self) -> dict[str, np.ndarray]:
        """What is where, as planes of 11 rows and 13 columns, [y, x]; see PLANES. 0 is nothing.

        `boxes` is 1 for an empty box, 2 and 3 for one with a range or a bomb item in it; `fuses` and `ranges` are of
        the bomb that explodes first; `players` is the seat + 1 of the first one there, `bombs_left` what they can drop.
        """
        planes = {name: np.zeros((HEIGHT, WIDTH), np.int16) for name in PLANES}
        planes["walls"][1::2, 1::2] = 1
        contents = contents_of(self.map, cells_of(self.state.boxes))
        for (x, y), content in contents.items():
            planes["boxes"][y, x] = 1 + content
        for item in self.items:
            planes["range_items" if item.kind == RANGE_ITEM else "bomb_items"][item.y, item.x] = 1
        for bomb in sorted(self.bombs, key=lambda bomb: -bomb.timer):
            planes["fuses"][bomb.y, bomb.x], planes["ranges"][bomb.y, bomb.x] = bomb.timer, bomb.range
        for player in reversed(self.players()):
            planes["players"][player.y, player.x] = 1 + player.id
            planes["bombs_left"][player.y, player.x] = player.bombs_left
        return planes

    def text(self) -> str:
        """The position in the arena's text."""
        return format_position(self)

    def __str__(self) -> str:
        """The board as the terminal shows it, without colours."""
        from rich.console import Console

        console = Console(width=80, color_system=None, record=True, file=open_nothing())
        console.print(self.view())
        return "\n".join(line.rstrip() for line in console.export_text().splitlines())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: turn {self.turn}, players {self.living} of {self.seats}, boxes {self.boxes}>"

    def _repr_html_(self) -> str:
        return html_of(self.view())

    def view(self) -> Any:
        """The board as a renderable of rich's."""
        from replays.render.turn import PositionView

        names = [f"player {seat}" for seat in range(self.seats)]
        return PositionView(self, names, [None] * self.seats, [], f"turn {self.turn}")


class TeamGame(Game, teams.TeamGame):
    """A game of two teams, seats 0 and 1 against 2 and 3, with their ends and ranks."""


assert BOMB_ITEM == RANGE_ITEM + 1 == 2  # what `arrays` says of boxes
__all__ = ["ACTION_NAMES", "Game"]


def open_nothing() -> Any:
    from io import StringIO

    return StringIO()


def text_of(view: Any, width: int = 80) -> str:
    """A renderable as plain text."""
    from hsctl.report.safe_console import SafeConsole

    console = SafeConsole(width=width, file=open_nothing(), color_system=None)
    with console.capture() as captured:
        console.print(view)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def html_of(view: Any, width: int = 80) -> str:
    """A renderable for a notebook."""
    from rich.console import Console

    console = Console(width=width, record=True, file=open_nothing(), force_terminal=True, color_system="truecolor")
    console.print(view)
    code = '<pre style="line-height:1.2;font-family:monospace">{code}</pre>'
    return console.export_html(inline_styles=True, code_format=code)
