"""A whole game: Map and State, and the facts that the fast core doesn't keep.

The core forgets in which order items appeared and bombs were listed, how long nothing has happened, and when
players died. Arena and playback need these facts; this module keeps them, around the one compiled `step`.

A death on turn t happens in the round that the actions of turn t led to; hsctl shows this number. The arena ranks by
death rounds: t + 1 for a blast, t for an error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np

from engine.board import DELTAS, PLACES, cells_of, is_on_board, is_wall
from engine.compile.plain import sparing
from engine.errors import EngineError
from engine.maps import CORNERS, START_BOMBS, START_RANGE, draw_boxes
from engine.position import (
    RANGE_ITEM,
    Bomb,
    Cell,
    Item,
    Player,
    bombs_on,
    box_count,
    contents_of,
    items_on,
    living_players,
    pack_bomb,
    pack_player,
    ring_place,
    unpack,
)
from engine.rules import ACTIONS, play_round
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS, copy_state, new_map, new_state
from engine.survival import is_survivable


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
    """The explosions of the coming round; `bombs` are those of the state, in listed order."""
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


play_sparingly = sparing(play_round)  # the rest of a round is Python anyway
survive_sparingly = sparing(is_survivable)

IDLE_LIMIT = 20  # rounds
LAST_BOX_ROUNDS = 20  # updates with no box left, the one that destroyed the last included
SURVIVOR_VALUE = 1_000_000
DEATH_ROUND_VALUE = 100

ONE_LEFT = "one player left"
NONE_LEFT = "nobody left"
TURN_LIMIT = "200 turns"
NO_BOXES = "no boxes left"
IDLE = "20 idle rounds"

# When a game ends, and how it ranks players.
ARENA = "arena"  # also when nothing is left to win; survivors, then the later dead, then boxes
SURVIVAL = "survival"  # when one is left or the turns are over; survivors, then the later dead, boxes never
ENDS = (ARENA, SURVIVAL)


def pack_actions(actions: Sequence[int]) -> np.uint64:
    """One action per player as the core takes them."""
    packed = 0
    for at, action in enumerate(actions):
        if not 0 <= action < ACTIONS:
            raise EngineError(f"player {at}: action {action} is none of 0 to {ACTIONS - 1}")
        packed |= action << 4 * at
    return np.uint64(packed)


class Game:
    """One game, stepped round by round. `state` and `map` are the core's; change them only through methods."""

    def __init__(self, map_: np.record, state: np.record, seats: int) -> None:
        self.map = map_
        self.state = state
        self.seats = seats
        self.item_order: list[Cell] = [item.cell for item in items_on(state, map_)]
        self.bomb_order: list[Bomb] = bombs_on(state)
        self.death_rounds: list[int | None] = [None if state.players[at] else 0 for at in range(seats)]
        self.death_turns: list[int | None] = [None] * seats  # whose actions were played; None: alive, or dead before
        self.idle_rounds = 0
        self.last_box_counter = LAST_BOX_ROUNDS
        self.ends = ARENA
        self.reason: str | None = None  # why it ended

    @classmethod
    def start(cls, seed: int, seats: int, boxes: int | None = None) -> Self:
        """The arena's board of a seed (and of the option `boxes`, see `draw_boxes`), with everybody in their corner."""
        if not 2 <= seats <= MAX_PLAYERS:
            raise EngineError(f"a game has 2 to {MAX_PLAYERS} players, not {seats}")
        players = [Player(at, *CORNERS[at], START_BOMBS, START_RANGE, 0) for at in range(seats)]
        return cls.build(draw_boxes(seed, boxes), players, seats=seats)

    @classmethod
    def build(
        cls,
        boxes: Mapping[tuple[int, int], int],
        players: Iterable[Player],
        bombs: Sequence[Bomb] = (),
        items: Sequence[Item] = (),
        *,
        seats: int,
        turn: int = 0,
    ) -> Self:
        """A game from the contents of a board, unchecked (the notation checks them). Keeps listed orders."""
        map_, state = new_map(), new_state()
        state.turn = turn
        for (x, y), content in boxes.items():
            add_cell(state.boxes, x, y)
            add_cell(state.blocked, x, y)
            add_content(map_, x, y, content)
        for item in items:
            add_cell(state.items, item.x, item.y)
            add_content(map_, item.x, item.y, item.kind)
        for bomb in bombs:
            add_cell(state.blocked, bomb.x, bomb.y)
            row, bit = ring_place(turn, bomb)
            state.bombs[row] |= np.uint64(pack_bomb(bomb) << bit)
        for player in players:
            state.players[player.id] = pack_player(player)
            state.scored[player.id] = player.boxes
        game = cls(map_, state, seats)
        game.item_order = [item.cell for item in items]
        game.bomb_order = list(bombs)
        return game

    def copy(self) -> "Game":
        other = copy(self)
        other.state = copy_state(self.state)
        other.item_order = self.item_order.copy()
        other.bomb_order = self.bomb_order.copy()
        other.death_rounds = self.death_rounds.copy()
        other.death_turns = self.death_turns.copy()
        return other

    @property
    def turn(self) -> int:
        """The round to be played next, from 0."""
        return int(self.state.turn)

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    @property
    def living(self) -> list[int]:
        return [at for at, packed in enumerate(self.state.players.tolist()) if packed]

    @property
    def boxes(self) -> list[int]:
        """Boxes scored per seat."""
        return self.state.scored.tolist()[: self.seats]

    @property
    def items(self) -> list[Item]:
        """The items lying about, in order of appearance."""
        return [Item(x, y, kind) for (x, y), kind in contents_of(self.map, self.item_order).items()]

    @property
    def bombs(self) -> list[Bomb]:
        """The bombs in listed order: by placement, unless the start position lists them differently."""
        return self.bomb_order

    def can_survive(self, player: int) -> bool:
        """Whether a player lives and can survive the known bombs while everybody else stays."""
        return bool(survive_sparingly(self.state, self.map, player))

    def set_scores(self, boxes: Sequence[int]) -> None:
        """Set the boxes scored before a position that came as text, which has no scores."""
        for at, count in enumerate(boxes):
            self.state.scored[at] = count

    def eliminate(self, player: int) -> None:
        """Take out a player for an error on this turn, before its update. Their bombs stay."""
        self.state.players[player] = 0
        self.death_rounds[player] = self.death_turns[player] = self.turn

    def step(self, actions: Sequence[int]) -> None:
        """Play one round with one action per seat (ignored for the dead)."""
        before = copy_state(self.state)
        play_sparingly(self.state, self.map, pack_actions(actions))
        self._follow_items(before)
        self._follow_bombs()
        self._follow_deaths(before)
        self._follow_ends(before)

    def _follow_items(self, before: np.record) -> None:
        if before.items.tolist() == self.state.items.tolist():
            return
        items = set(cells_of(self.state.items))
        freed = items - set(cells_of(before.items))
        self.item_order = [cell for cell in self.item_order if cell in items] + self._arena_order(before, freed)

    def _arena_order(self, before: np.record, freed: set[Cell]) -> list[Cell]:
        """Items freed in one round: by bucket, those of a bucket as the fires found their boxes."""
        if len(freed) < 2:
            return list(freed)
        found = [cell for explosion in explosions_of(before, self.bomb_order) for cell in explosion.cells]
        return sorted(freed, key=lambda cell: (bucket_of(cell), found.index(cell)))

    def _follow_bombs(self) -> None:
        left = {(bomb.owner, bomb.timer): bomb for bomb in bombs_on(self.state)}
        aged = [(bomb.owner, bomb.timer - 1) for bomb in self.bomb_order]
        new = [key for key in left if key[1] == FUSE]
        self.bomb_order = [left[key] for key in [*aged, *new] if key in left]

    def _follow_deaths(self, before: np.record) -> None:
        for at, (was, is_now) in enumerate(zip(before.players.tolist(), self.state.players.tolist(), strict=True)):
            if was and not is_now:
                self.death_rounds[at] = self.turn
                self.death_turns[at] = self.turn - 1

    def _follow_ends(self, before: np.record) -> None:
        if self.ends == ARENA:
            self._follow_idleness(before)
        self.reason = self._end_reason()

    def _follow_idleness(self, before: np.record) -> None:
        quiet = not any(before.bombs.tolist()) and not self.bomb_order
        players = zip(before.players.tolist(), self.state.players.tolist(), strict=True)
        moved = any(unpack(was)[:2] != unpack(is_now)[:2] for was, is_now in players)
        self.idle_rounds = self.idle_rounds + 1 if quiet and not moved else 0
        if box_count(self.state) == 0:
            self.last_box_counter -= 1

    def _end_reason(self) -> str | None:
        living = len(self.living)
        if living < 2:
            return ONE_LEFT if living else NONE_LEFT
        if self.turn >= MAX_TURNS:
            return TURN_LIMIT
        if self.last_box_counter <= 0:
            return NO_BOXES
        return IDLE if self.idle_rounds >= IDLE_LIMIT else None

    def values(self) -> list[int]:
        """The values to rank by: survivors first, then later deaths; in the arena boxes break ties."""
        if self.ends == SURVIVAL:
            return self._lasting()
        return [
            boxes + (SURVIVOR_VALUE if died is None else DEATH_ROUND_VALUE * died)
            for boxes, died in zip(self.boxes, self.death_rounds, strict=True)
        ]

    def _lasting(self) -> list[int]:
        """How long each seat lived."""
        return [SURVIVOR_VALUE if died is None else died for died in self.death_rounds]

    def ranks(self) -> list[int]:
        """The place of each seat, from 1; equal values share one."""
        values = self.values()
        return [1 + sum(other > value for other in values) for value in values]

    def players(self) -> list[Player]:
        return living_players(self.state)


def bucket_of(cell: Cell) -> int:
    """The bucket of an item in the hash table from which the arena lists freed items."""
    return (961 + 31 * cell[0] + cell[1]) % 16


def add_cell(words: np.ndarray, x: int, y: int) -> None:
    word, bit = PLACES[x, y]
    words[word] |= np.uint64(1 << bit)


def add_content(map_: np.record, x: int, y: int, content: int) -> None:
    if content:
        add_cell(map_.range_items if content == RANGE_ITEM else map_.bomb_items, x, y)
