"""The coming rounds of a position if nobody else acts: fire, cells a player can reach, ways out, where a plan leads.

Only the known bombs count. Times are turns from now: a cell that burns in 1 turn burns in the coming round, a cell
reached in 1 turn is the next one. The engine's forecast gives fire and free cells of each coming round. Going forward
from the player's cell gives the cells it can reach alive, going backward from the last explosion the cells that still
have a way out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.board import DELTAS, OPEN_CELLS, cells_of
from engine.compile.plain import sparing
from engine.game import Game
from engine.position import Cell, player_of
from engine.rules import BOMB
from engine.survival import fill_forecast, new_forecast

Cells = frozenset[Cell]
ALL = frozenset(OPEN_CELLS)
forecast_sparingly = sparing(fill_forecast)


class ComingRound(NamedTuple):
    """One of the coming rounds."""

    fire: Cells
    blocked: Cells  # for its moves


class PlanStep(NamedTuple):
    """Where a plan leads: the cell after some turns, and whether a bomb is dropped there then."""

    turns: int
    x: int
    y: int
    drops_bomb: bool


class Forecast:
    """The coming rounds of a position, until nothing is left to explode, and what they mean for each player."""

    def __init__(self, game: Game) -> None:
        self.game = game
        ahead = new_forecast()
        forecast_sparingly(game.state, game.map, ahead)
        self.rounds = [
            ComingRound(frozenset(cells_of(ahead.fire[k])), frozenset(cells_of(ahead.blocked[k])))
            for k in range(int(ahead.rounds))
        ]

    def burning_turns(self) -> dict[Cell, int]:
        """In how many turns each cell burns first."""
        turns: dict[Cell, int] = {}
        for k, ahead in enumerate(self.rounds, 1):
            for cell in ahead.fire:
                turns.setdefault(cell, k)
        return turns

    def reachable_turns(self, seat: int) -> dict[Cell, int]:
        """In how many turns a player can be on a cell, alive; the player's cell takes 0."""
        player = player_of(self.game.state, seat)
        if player is None:
            return {}
        reach = reach_ahead((player.x, player.y), self.rounds)
        turns: dict[Cell, int] = {}
        for k, reached in enumerate(reach):
            for cell in reached:
                turns.setdefault(cell, k)
        return walk_on(turns, reach[-1], len(self.rounds), self._boxes_left())

    def survivable_turns(self, seat: int) -> dict[Cell, int]:
        """Of those, the cells reached in time to survive all known bombs; nothing if there is no way out."""
        safe = ways_out(self.rounds)
        return {cell: k for cell, k in self.reachable_turns(seat).items() if k >= len(safe) or cell in safe[k]}

    def _boxes_left(self) -> Cells:
        """When everything has exploded."""
        boxes = frozenset(cells_of(self.game.state.boxes))
        return boxes.difference(*(ahead.fire for ahead in self.rounds))


def reach_ahead(start: Cell, rounds: Sequence[ComingRound]) -> list[Cells]:
    """Where a player can be, alive, before each of the rounds and after the last of them."""
    reach = [frozenset({start})]
    for ahead in rounds:
        reach.append(spread(reach[-1] - ahead.fire, ahead.blocked))
    return reach


def ways_out(rounds: Sequence[ComingRound]) -> list[Cells]:
    """From where the rest of the rounds can be survived, before each of them and after the last."""
    safe = [ALL]
    for ahead in reversed(rounds):
        safe.append((safe[-1] | spread(safe[-1] - ahead.blocked)) - ahead.fire)
    return safe[::-1]


def spread(cells: Cells, blocked: Cells = frozenset()) -> Cells:
    """The cells and what one move from them enters."""
    entered = {(x + dx, y + dy) for x, y in cells for dx, dy in DELTAS[1:]} & ALL
    return cells | (entered - blocked)


def walk_on(turns: dict[Cell, int], edge: Cells, start: int, blocked: Cells) -> dict[Cell, int]:
    """Go on from the cells reached last for as long as new ones come; now nothing explodes any more."""
    reached = edge
    for k in range(start + 1, start + len(ALL) + 1):
        grown = spread(reached, blocked)
        if grown == reached:
            break
        for cell in grown - reached:
            turns.setdefault(cell, k)
        reached = grown
    return turns


def plan_ahead(game: Game, seat: int, plan: Sequence[int]) -> list[PlanStep]:
    """Where the plan leads, from the player's cell on, if everybody else stays; it ends where it kills."""
    game = game.copy()
    steps = []
    for turns, action in enumerate([*plan, 0]):
        player = player_of(game.state, seat)
        if player is None:
            break
        steps.append(PlanStep(turns, player.x, player.y, action >= BOMB and turns < len(plan)))
        game.step([action if at == seat else 0 for at in range(game.seats)])
    return steps
