"""The State of a game: one record of 160 bytes that the core copies and steps.

    field     type      holds
    blocked   3 words   where nobody can walk: boxes, bombs, PADDING
    boxes     3 words
    items     3 words   visible items; their kinds are in the Map
    bombs     8 x 4     a ring by the round of explosion: bombs[round % 8] has one 16-bit slot per owner
    players   4 x 32    per player: cell, range, bombs left; 0 = dead or absent
    scored    4 bytes   boxes destroyed per player
    turn      16 bits   the round to be played next

    a player  | 0 | bombs left | range | cell |      a bomb  | range | cell |      0 = none
              31  23           15      7     0               15      7     0

A kernel takes a packed player or bomb apart by `cell_of`, `range_of` and `stock_of`.

The ring needs no upkeep: slot (round r, owner p) is p's bomb that explodes in round r. Nothing is counted
down, sorted or moved, and "does anything explode now" is one load. All fuses are 8, so a player has at
most one bomb per round, 8 in all, and a round's new bombs take the place of those that just exploded.

The contents of boxes never change within a game: they are the Map, a separate record.
"""

from typing import Any

import numpy as np

from engine.board import FOUR, PADDING, SEVEN, U64
from engine.jit import entry, inline

MAX_PLAYERS = 4
FUSE = 8  # rounds from placing to exploding
MAX_TURNS = 200
MAX_RANGE = 127  # the most a slot of the ring can hold; a game reaches 27
MAX_STOCK = 255

BYTE = U64(0xFF)
RANGE_SHIFT = U64(8)
STOCK_SHIFT = U64(16)
ONE_RANGE = U64(1 << 8)  # added to a packed player
ONE_BOMB = U64(1 << 16)
SLOT = U64(0xFFFF)
SLOT_BITS = U64(16)


def record(fields: list[Any]) -> np.dtype:
    """A record type: named fields, aligned (a packed record would be copied byte by byte).

    A field with the name of one of numpy's own attributes would be hidden wherever kernels run as plain Python.
    """
    hidden = [name for name, *_type in fields if hasattr(np.record, name)]
    assert not hidden, f"numpy has attributes of its own called {', '.join(hidden)}"
    return np.dtype((np.record, np.dtype(fields, align=True)))


STATE = record(
    [
        ("blocked", np.uint64, 3),
        ("boxes", np.uint64, 3),
        ("items", np.uint64, 3),
        ("bombs", np.uint64, FUSE),  # [round % 8] of 4 slots of 16 bits, owner 0 lowest
        ("players", np.uint32, MAX_PLAYERS),
        ("scored", np.uint8, MAX_PLAYERS),
        ("turn", np.uint16),
    ]
)

# The item of each cell once its box is gone (or now, for visible items): never changes.
MAP = record([("range_items", np.uint64, 3), ("bomb_items", np.uint64, 3)])


def new_states(count: int) -> np.ndarray:
    """An array of empty boards: no boxes, no players, turn 0."""
    states = np.zeros(count, STATE)
    states["blocked"] = PADDING
    return states


def new_state() -> np.record:
    return new_states(1)[0]


def new_map() -> np.record:
    return np.zeros(1, MAP)[0]


def copy_state(state: np.record) -> np.record:
    copied = np.zeros(1, STATE)
    copied[0] = state
    return copied[0]


@entry
@inline
def cell_of(packed):
    """The cell of a packed player or bomb."""
    return U64(packed) & BYTE


@inline
def range_of(packed):
    """The range of a packed player or bomb."""
    return (U64(packed) >> RANGE_SHIFT) & BYTE


@inline
def stock_of(player):
    """How many bombs a packed player has left to drop."""
    return U64(player) >> STOCK_SHIFT


@inline
def pack_bomb(cell, bomb_range):
    return U64(cell) | U64(bomb_range) << RANGE_SHIFT


@inline
def pack_player(cell, bomb_range, stock):
    return pack_bomb(cell, bomb_range) | U64(stock) << STOCK_SHIFT


@inline
def dropped_by(player):
    """The packed bomb that a packed player drops: the player's cell and range."""
    return U64(player) & SLOT


@inline
def slot_of(bomb, owner):
    """A packed bomb at its owner's place in a row of the ring."""
    return U64(bomb) << (U64(owner) << FOUR)


@inline
def bomb_in(row, owner):
    """The owner's packed bomb in a row of the ring; 0 = none."""
    return (row >> (U64(owner) << FOUR)) & SLOT


@inline
def row_in(state, rounds):
    """Which row of the ring explodes so many rounds from now: 0 = in the coming round, 7 = the bombs dropped last."""
    return (U64(state.turn) + U64(rounds)) & SEVEN
