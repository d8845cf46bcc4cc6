"""Variants of the game: limited sight, and two teams. First: a player's view of a game, with remembered boxes.

    within R cells      all of it (the larger of the x and y distance counts)
    beyond              no players, bombs or items; boxes as they were last seen, at first all of them, content unknown

A view is a Game like any other: hsctl sends its text, State and Map to the player. An agent gets the Map once,
at the start: it is `Sight.map`, one record that is filled in as boxes come into sight. Boxes that others scored are
known as of the last sight of them.
"""

from functools import lru_cache

import numpy as np

from engine.board import OPEN_CELLS, PADDING, words_of
from engine.errors import EngineError
from engine.game import NONE_LEFT, SURVIVAL, SURVIVOR_VALUE, Game
from engine.position import Cell, player_of, ring_place
from engine.state import SLOT, new_map


@lru_cache(4096)
def cells_within(x: int, y: int, radius: int) -> frozenset[Cell]:
    """The open cells that a player on (x, y) sees."""
    return frozenset(cell for cell in OPEN_CELLS if max(abs(cell[0] - x), abs(cell[1] - y)) <= radius)


@lru_cache(4096)
def words_within(x: int, y: int, radius: int) -> np.ndarray:
    """cells_within as a set of the core."""
    return words_of(sorted(cells_within(x, y, radius)))


class Sight:
    """One player's sight and memory: create it before their first turn, call `look` on every turn."""

    def __init__(self, game: Game, seat: int, radius: int) -> None:
        self.seat = seat
        self.radius = radius
        self.map = new_map()
        self._boxes = game.state.boxes.copy()
        self._scored = game.state.scored.copy()

    def look(self, game: Game) -> Game:
        """The player's view of the game; the player must be alive."""
        me = player_of(game.state, self.seat)
        assert me is not None
        seen, cells = words_within(me.x, me.y, self.radius), cells_within(me.x, me.y, self.radius)
        self._remember(game, seen)
        view = game.copy()
        view.map = self.map.copy()
        view.item_order = [cell for cell in game.item_order if cell in cells]
        view.bomb_order = [bomb for bomb in game.bomb_order if bomb.cell in cells]
        state = view.state
        state.boxes[:] = self._boxes
        state.items[:] &= seen
        state.blocked[:] = game.state.blocked & seen | (self._boxes | PADDING) & ~seen
        for bomb in game.bomb_order:
            if bomb.cell not in cells:
                row, bit = ring_place(game.turn, bomb)
                state.bombs[row] &= ~(SLOT << np.uint64(bit))
        for player in game.players():
            if player.cell in cells:
                self._scored[player.id] = player.boxes
            else:
                state.players[player.id] = 0
        state.scored[:] = self._scored
        return view

    def _remember(self, game: Game, seen: np.ndarray) -> None:
        self._boxes = game.state.boxes & seen | self._boxes & ~seen
        for name in ("range_items", "bomb_items"):
            self.map[name][:] = game.map[name] & seen | self.map[name] & ~seen


# Two against two: seats 0 and 1, in opposite corners, against seats 2 and 3.
#
# A round follows the usual rules, friendly fire included; only ends and ranks differ:
#
#     end     a team is out when both of its players are; when one is out, the game is over
#     ranks   the team with more survivors wins, then the one with more boxes; both of its players share its rank.
#             By survival (`Game.ends`) the team whose last player lived longer wins


TEAMS = ((0, 1), (2, 3))  # seats
TEAM_OF = (0, 0, 1, 1)  # [seat]
SEATS = len(TEAM_OF)
MATES = 2  # players of a team
ONE_TEAM_LEFT = "one team left"


class TeamGame(Game):
    """A game of two teams."""

    @property
    def teams_left(self) -> int:
        """How many teams have a living player."""
        return len({TEAM_OF[at] for at in self.living})

    def _end_reason(self) -> str | None:
        if self.teams_left == len(TEAMS):
            return super()._end_reason()
        return ONE_TEAM_LEFT if self.teams_left else NONE_LEFT

    def values(self) -> list[int]:
        """Survivors of a player's team first, then its boxes; by survival, how long its last player lived."""
        if self.ends == SURVIVAL:
            lasting = self._lasting()
            return [max(lasting[mate] for mate in TEAMS[team]) for team in TEAM_OF]
        own = [
            boxes + (SURVIVOR_VALUE if died is None else 0)
            for boxes, died in zip(self.boxes, self.death_rounds, strict=True)
        ]
        return [sum(own[mate] for mate in TEAMS[team]) for team in TEAM_OF]


def in_teams(game: Game) -> TeamGame:
    """The same position as a game of two teams; takes over the given game."""
    if game.seats != SEATS:
        raise EngineError(f"a game of teams has {SEATS} seats, not {game.seats}")
    teamed = TeamGame(game.map, game.state, game.seats)
    teamed.__dict__.update(game.__dict__)
    return teamed


def mates_of(game: Game, seat: int) -> tuple[int, ...]:
    """The teammates of a player."""
    return tuple(at for at in TEAMS[TEAM_OF[seat]] if at != seat) if isinstance(game, TeamGame) else ()
