"""Mates, who are on the own side: not hunted, and missed when they die. A set of players is four bits."""

from collections.abc import Iterable

import numpy as np

from engine.board import has_bit
from engine.jit import entry, inline
from engine.state import MAX_PLAYERS


def players_set(players: Iterable[int]) -> np.uint64:
    return np.uint64(sum(1 << player for player in players))


def living_mates(state: np.record, mates: Iterable[int]) -> np.uint64:
    """The mates that live, as a set: whom there is to lose."""
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
