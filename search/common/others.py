"""The opponent of a search for two: the nearest living one, by path, then by seat.

A path leads over free cells (no box, no bomb); a player without a path is farther away than all others.
"""

from collections.abc import Iterable

import numpy as np

from engine.board import OPEN_CELLS, has_bit
from engine.cells import flood, has, read, single, spread
from engine.jit import entry, inline
from engine.state import MAX_PLAYERS, cell_of

NO_PATH = len(OPEN_CELLS)  # longer than any path


@entry
def path_length(state, player, other):
    """Steps from one player to another; a player on a bomb counts as reachable. NO_PATH if there is no way."""
    home, to = cell_of(state.players[player]), cell_of(state.players[other])
    reach, blocked = single(home), read(state.blocked)
    if home == to:
        return 0
    for steps in range(1, NO_PATH):
        if has(spread(reach), to):
            return steps
        before = reach
        reach = flood(reach, blocked)
        if before == reach:
            break
    return NO_PATH


def nearest_rival(state: np.record, player: int, mates: tuple[int, ...] = ()) -> int | None:
    """The opponent nearest to a living player; None if no opponent lives."""
    living = [other for other in range(MAX_PLAYERS) if state.players[other] and other not in (player, *mates)]
    return min(living, key=lambda other: (path_length(state, player, other), other), default=None)


def empty_seat(state: np.record) -> int:
    """An empty seat, to play against when no opponent lives."""
    return next(seat for seat in range(MAX_PLAYERS) if not state.players[seat])


# Teammates: not hunted, and a loss when they die. A set of players is four bits.


def players_set(players: Iterable[int]) -> np.uint64:
    return np.uint64(sum(1 << player for player in players))


def living_mates(state: np.record, mates: Iterable[int]) -> np.uint64:
    """The living teammates, as a set."""
    return players_set(mate for mate in mates if state.players[mate])


@entry
@inline
def mates_lost(state, mates):
    """How many players of the set are dead."""
    lost = 0.0
    for other in range(MAX_PLAYERS):
        if has_bit(mates, other) and state.players[other] == 0:
            lost += 1.0
    return lost
