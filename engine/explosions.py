"""The explosions of one round one by one, in the arena's order: bombs that are due, then each as the chain reaches it.

Which bombs explode and what burns doesn't depend on any order, and `engine.blast` works it out at once. The order
shows in one place: items freed in the same round are listed by it.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

import numpy as np

from engine.board import DELTAS, cells_of, is_on_board, is_wall
from engine.position import Bomb, Cell


@dataclass(frozen=True, slots=True)
class Explosion:
    """A bomb went off, by itself or lit by another bomb (given as owner, x, y)."""

    x: int
    y: int
    owner: int
    range: int
    cells: tuple[Cell, ...]  # that it covers: its own first, then left, right, up, down, outwards
    lit_by: tuple[int, int, int] | None = None


def explosions_of(state: np.record, bombs: Sequence[Bomb]) -> list[Explosion]:
    """All that goes off in the coming round; `bombs` are those of the state, in the order they are listed."""
    stops = {*cells_of(state.boxes), *cells_of(state.items), *(bomb.cell for bomb in bombs)}
    queue: list[tuple[Bomb, Bomb | None]] = [(bomb, None) for bomb in bombs if bomb.timer == 1]
    waiting = [bomb for bomb in bombs if bomb.timer > 1]
    explosions = []
    for bomb, lit_by in queue:  # which grows
        cells = cells_covered(bomb, stops)
        explosions.append(Explosion(bomb.x, bomb.y, bomb.owner, bomb.range, cells, lit_by and lit_by[:3]))
        reached = sorted((other for other in waiting if other[1:3] in cells), key=lambda other: cells.index(other[1:3]))
        queue += [(other, bomb) for other in reached]
        waiting = [other for other in waiting if other not in reached]
    return explosions


def cells_covered(bomb: Bomb, stops: Set[Cell]) -> tuple[Cell, ...]:
    """A bomb's own cell, and arms that end before walls or on the first box, item or bomb."""
    return (bomb.cell, *(cell for delta in DELTAS[1:] for cell in arm(bomb, delta, stops)))


def arm(bomb: Bomb, delta: Cell, stops: Set[Cell]) -> Iterator[Cell]:
    for distance in range(1, bomb.range):
        x, y = bomb.x + distance * delta[0], bomb.y + distance * delta[1]
        if not is_on_board(x, y) or is_wall(x, y):
            return
        yield x, y
        if (x, y) in stops:
            return
