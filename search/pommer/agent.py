"""The agent `pommer`: the cells of the last turns, and the first rule that applies."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from engine.board import OPEN_CELLS, cells_of
from engine.position import Bomb, Cell, Player, bombs_on, living_players, player_of
from engine.rules import BOMB
from search.agent import Agent, Budget, Decision
from search.pommer.params import PommerParams

# The rules of `pommer` in order, on a position in plain words.


STEPS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))  # [move], as engine.rules has them
OPEN = frozenset(OPEN_CELLS)


@dataclass(frozen=True)
class View:
    """A position as the bot sees it."""

    me: Player
    rivals: frozenset[Cell]
    bombs: list[Bomb]
    boxes: frozenset[Cell]
    items: frozenset[Cell]
    sight: int

    @cached_property
    def free(self) -> frozenset[Cell]:
        return OPEN - self.boxes - {bomb.cell for bomb in self.bombs}

    @cached_property
    def ways(self) -> dict[Cell, list[int]]:
        """Every cell within sight that can be walked to, with the moves of a shortest way."""
        found: dict[Cell, list[int]] = {self.me.cell: []}
        edge = [self.me.cell]
        for _ in range(self.sight):
            edge = [to for cell in edge for move, to in neighbours(cell) if self.is_new(found, cell, move, to)]
        return found

    def is_new(self, found: dict[Cell, list[int]], cell: Cell, move: int, to: Cell) -> bool:
        if to in found or to not in self.free:
            return False
        found[to] = [*found[cell], move]
        return True

    @property
    def can_drop(self) -> bool:
        return self.me.bombs_left > 0 and self.me.cell not in {bomb.cell for bomb in self.bombs}

    def is_in_line(self, cell: Cell) -> bool:
        """Whether a bomb would reach the cell with nothing in between."""
        return any(reaches(bomb.cell, bomb.range, cell) for bomb in self.bombs)

    def can_bomb(self) -> bool:
        """Whether a bomb can be dropped, and some cell walked to that it doesn't reach."""
        return self.can_drop and any(not reaches(self.me.cell, self.me.range, cell) for cell in self.ways)

    def nearest(self, cells: Collection[Cell], within: int) -> Cell | None:
        """The nearest of the cells that can be walked to in so many steps; the first of equals, by row."""
        near = [cell for cell in cells if cell in self.ways and 0 < len(self.ways[cell]) <= within]
        return min(near, key=lambda cell: (len(self.ways[cell]), cell[1], cell[0]), default=None)


def look(state: np.record, player: int, mates: Iterable[int], params: PommerParams) -> View:
    players = {each.id: each for each in living_players(state)}
    rivals = frozenset(each.cell for at, each in players.items() if at not in (player, *mates))
    boxes, items = frozenset(cells_of(state.boxes)), frozenset(cells_of(state.items))
    return View(players[player], rivals, bombs_on(state), boxes, items, params.sight)


def neighbours(cell: Cell) -> Iterator[tuple[int, Cell]]:
    """The four moves and where they lead, on the board or not."""
    return ((move, (cell[0] + STEPS[move][0], cell[1] + STEPS[move][1])) for move in range(1, len(STEPS)))


def reaches(bomb: Cell, bomb_range: int, cell: Cell) -> bool:
    """Whether a cell is in line with a bomb and near enough, whatever is in between."""
    apart = abs(bomb[0] - cell[0]) + abs(bomb[1] - cell[1])
    return (bomb[0] == cell[0] or bomb[1] == cell[1]) and apart < bomb_range


def choose(view: View, recent: Collection[Cell], params: PommerParams, chance: Random) -> int:
    """The action of the first rule that applies."""
    if view.is_in_line(view.me.cell):
        return flee(view, chance)
    beside = {to for _move, to in neighbours(view.me.cell)} | {view.me.cell}
    if view.rivals & beside and view.can_bomb():
        return BOMB
    for goals, within in ((view.rivals, params.rival), (view.items, params.item)):
        if (goal := view.nearest(goals, within)) and not view.is_in_line(first_cell(view, goal)):
            return view.ways[goal][0]
    if view.boxes & beside and view.can_bomb():
        return BOMB
    places = {to for box in view.boxes for _move, to in neighbours(box) if to in view.free}
    place = view.nearest(places, params.box - 1) if view.me.bombs_left else None
    if place and not view.is_in_line(first_cell(view, place)):
        return view.ways[place][0]
    return wander(view, recent, chance)


def first_cell(view: View, goal: Cell) -> Cell:
    """The first cell of the way to a goal."""
    step = STEPS[view.ways[goal][0]]
    return view.me.x + step[0], view.me.y + step[1]


def flee(view: View, chance: Random) -> int:
    """A step out of all lines; else one after which another leads out; else the first step of any way out; else any."""
    steps = [(move, to) for move, to in neighbours(view.me.cell) if to in view.free]
    out = [move for move, to in steps if not view.is_in_line(to)]
    if not out:
        safe = view.nearest([cell for cell in view.ways if not view.is_in_line(cell)], view.sight)
        out = [view.ways[safe][0]] if safe else [move for move, _to in steps]
    return chance.choice(out) if out else 0


def wander(view: View, recent: Collection[Cell], chance: Random) -> int:
    """A step into no bomb's line, if possible onto a cell that was not visited lately."""
    steps = [(move, to) for move, to in neighbours(view.me.cell) if to in view.free and not view.is_in_line(to)]
    new = [move for move, to in steps if to not in recent]
    moves = new or [move for move, _to in steps]
    return chance.choice(moves) if moves else 0


class PommerAgent(Agent):
    params: PommerParams

    def __init__(self, params: PommerParams) -> None:
        super().__init__(params)
        self.trail: dict[int, Cell] = {}  # turn -> the player's cell

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.trail = {}

    def see(self, state: np.record, player: int) -> None:
        me = player_of(state, player)
        assert me is not None
        self.trail[int(state.turn)] = me.cell

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        self.see(state, player)
        turn = int(state.turn)
        recent = {self.trail[at] for at in range(turn - self.params.memory, turn) if at in self.trail}
        view = look(state, player, self.mates, self.params)
        action = choose(view, recent, self.params, Random(self.seed_of(state)))
        return Decision(action, (action,), None, 0, {"own": 0}, 1)
