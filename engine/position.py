"""A position in plain words: the players, bombs and items of a State as a person would list them.

The core keeps words and slots; all code that shows, writes or explains a position reads it through this module. Record
fields are slow to read from Python, so each is read once, as a list.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.board import DELTAS, PLACES, X_OF, Y_OF, cell_number, cells_of
from engine.rules import BOMB
from engine.state import FUSE, MAX_PLAYERS

Cell = tuple[int, int]  # x, y

RANGE_ITEM = 1
BOMB_ITEM = 2


class Player(NamedTuple):
    id: int
    x: int
    y: int
    bombs_left: int
    range: int
    boxes: int  # scored so far

    @property
    def cell(self) -> Cell:
        return self.x, self.y


class Bomb(NamedTuple):
    owner: int
    x: int
    y: int
    timer: int  # 8 right after it was dropped; at 1 it explodes in the coming round
    range: int

    @property
    def cell(self) -> Cell:
        return self.x, self.y


class Item(NamedTuple):
    x: int
    y: int
    kind: int  # RANGE_ITEM or BOMB_ITEM

    @property
    def cell(self) -> Cell:
        return self.x, self.y


def pack_player(player: Player) -> int:
    """A player as the State holds it (see `engine.state`)."""
    return player.bombs_left << 16 | player.range << 8 | cell_number(player.x, player.y)


def pack_bomb(bomb: Bomb) -> int:
    """A bomb as its slot in the State's ring holds it."""
    return bomb.range << 8 | cell_number(bomb.x, bomb.y)


def ring_place(turn: int, bomb: Bomb) -> tuple[int, int]:
    """The row of the State's ring that holds a bomb on this turn, and the first bit of its slot."""
    return (turn + bomb.timer - 1) % FUSE, 16 * bomb.owner


def unpack(packed: int) -> tuple[int, int, int, int]:
    """x, y, range and bombs left of a player or a bomb (which has none left) of the State."""
    cell = packed & 0xFF
    return int(X_OF[cell]), int(Y_OF[cell]), packed >> 8 & 0xFF, packed >> 16


def living_players(state: np.record) -> list[Player]:
    """The living, by id."""
    players = []
    for at, (packed, boxes) in enumerate(zip(state.players.tolist(), state.scored.tolist(), strict=True)):
        if packed:
            x, y, bomb_range, bombs_left = unpack(packed)
            players.append(Player(at, x, y, bombs_left, bomb_range, boxes))
    return players


def player_of(state: np.record, player: int) -> Player | None:
    """One player; None if dead or absent."""
    return next((other for other in living_players(state) if other.id == player), None)


def bombs_on(state: np.record) -> list[Bomb]:
    """The bombs in order of placement, then of owner, as the arena lists them."""
    bombs = []
    ring, turn = state.bombs.tolist(), int(state.turn)
    for timer in range(1, FUSE + 1):
        row = ring[(turn + timer - 1) % FUSE]
        for owner in range(MAX_PLAYERS):
            slot = row >> 16 * owner & 0xFFFF
            if slot:
                x, y, bomb_range, _ = unpack(slot)
                bombs.append(Bomb(owner, x, y, timer, bomb_range))
    return bombs


def contents_of(map_: np.record, cells: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The item of each cell, visible, in a box or taken: RANGE_ITEM, BOMB_ITEM or 0."""
    ranges, bombs = map_.range_items.tolist(), map_.bomb_items.tolist()
    contents = {}
    for cell in cells:
        word, bit = PLACES[cell]
        contents[cell] = RANGE_ITEM if ranges[word] >> bit & 1 else BOMB_ITEM if bombs[word] >> bit & 1 else 0
    return contents


def items_on(state: np.record, map_: np.record) -> list[Item]:
    """The items lying about, row by row."""
    return [Item(x, y, kind) for (x, y), kind in contents_of(map_, cells_of(state.items)).items()]


def boxes_on(state: np.record, map_: np.record) -> dict[tuple[int, int], int]:
    """(x, y) of every box, with its content."""
    return contents_of(map_, cells_of(state.boxes))


def box_count(state: np.record) -> int:
    return sum(word.bit_count() for word in state.boxes.tolist())


def is_free(state: np.record, x: int, y: int) -> bool:
    """Whether a player may walk onto the cell: on the board, no wall, box or bomb."""
    if (x, y) not in PLACES:
        return False
    word, bit = PLACES[x, y]
    return not int(state.blocked[word]) >> bit & 1


def target_of(state: np.record, player: Player, action: int) -> Cell:
    """Where an action leads: the next cell, or the player's own if that is blocked."""
    dx, dy = DELTAS[action % BOMB]
    x, y = player.x + dx, player.y + dy
    return (x, y) if is_free(state, x, y) else player.cell
