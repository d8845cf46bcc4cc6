"""The state of the race for boxes, as far as it is decided.

OPEN    any player can still have the most boxes
WON     nobody can catch up any more, no matter who gets the remaining boxes
LEVEL   the last opponent can be caught up with, but not overtaken
LOST    not even that, once the bombs on the board have exploded: only a kill can win
"""

import numpy as np

from engine.board import ZERO
from engine.cells import count_cells
from engine.rules import play_round
from engine.state import FUSE, MAX_TURNS, copy_state

OPEN, WON, LEVEL, LOST = range(4)


def race_of(state: np.record, map_: np.record, player: int, rivals: list[int]) -> int:
    """The state of the race for a player."""
    if not rivals:
        return OPEN
    theirs, left = max(int(state.scored[rival]) for rival in rivals), int(count_cells(state.boxes))
    if int(state.scored[player]) > theirs + left:
        return WON
    if len(rivals) > 1:
        return OPEN
    if is_behind(after_bombs(state, map_), player, rivals[0]):
        return LOST
    return LEVEL if theirs >= int(state.scored[player]) + left else OPEN


def is_behind(state: np.record, player: int, rival: int) -> bool:
    """Whether the opponent has more boxes even if the player gets all that are left."""
    return int(state.scored[rival]) > int(state.scored[player]) + int(count_cells(state.boxes))


def after_bombs(state: np.record, map_: np.record) -> np.record:
    """The state after the bombs on the board, if nobody acts; at the latest at the end of the game."""
    later = copy_state(state)
    for _ in range(min(FUSE, MAX_TURNS - int(state.turn))):
        play_round(later, map_, ZERO)
    return later
