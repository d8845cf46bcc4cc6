"""What there is to go for in a state, and what it is worth."""

from typing import NamedTuple

import numpy as np

from engine.blast import blast
from engine.board import OPEN_CELLS, ZERO, cell_number
from engine.cells import NOTHING, common, count_cells, flood, has, read, single, union, without
from engine.jit import inline
from engine.state import bomb_in, cell_of, range_of, record, stock_of
from search.common.evaluate import owned_bombs
from search.seeker.params import SeekerParams
from search.seeker.paths import burns

CELL_NUMBERS = np.array([cell_number(x, y) for x, y in OPEN_CELLS], np.uint64)
FEW_BOMBS = 2
NOW, NEVER = 0, 99

WORTH = record([(name, np.float64) for name in ("box", "hidden", "bomb", "spare", "range_", "decay")])


class Goals(NamedTuple):
    """The goals of each state of a plan, best first."""

    cell: np.ndarray  # [level, goal]
    worth: np.ndarray  # [level, goal], once reached
    promise: np.ndarray  # [level, goal], the same, less for each step to it
    drops: np.ndarray  # [level, goal], whether a bomb is to be dropped there
    found: np.ndarray  # [level], how many
    tried: np.ndarray  # [level]


def make_goals(levels: int, most: int) -> Goals:
    shape = (levels, most)
    return Goals(
        cell=np.zeros(shape, np.uint64),
        worth=np.zeros(shape),
        promise=np.zeros(shape),
        drops=np.zeros(shape, np.bool_),
        found=np.zeros(levels, np.int64),
        tried=np.zeros(levels, np.int64),
    )


def make_worth(params: SeekerParams) -> np.record:
    worth = np.zeros(1, WORTH)[0]
    for name in WORTH.names or ():
        worth[name] = getattr(params, name.rstrip("_"))
    return worth


@inline
def bomb_worth(state, map_, cell, bomb_range, unclaimed, worth):
    """What a bomb on the cell is worth: boxes that no known bomb will destroy, more if they hold a bomb."""
    obstacles = union(read(state.blocked), read(state.items))
    hit = common(blast(cell, bomb_range, obstacles), unclaimed)
    return worth.box * count_cells(hit) + worth.hidden * count_cells(common(hit, read(map_.bomb_items)))


@inline
def item_worth(state, map_, player, cell, worth):
    """What the item on the cell is worth."""
    if has(map_.range_items, cell):
        return worth.range_
    return worth.bomb if owned_bombs(state, player) < FEW_BOMBS else worth.spare


@inline
def insert_goal(goals, level, cell, worth, promise, drops):
    """Keep the goal among the best of its state, in order."""
    most = goals.cell.shape[1]
    at = goals.found[level]
    if at == most:
        if promise <= goals.promise[level, most - 1]:
            return
        at = most - 1
    else:
        goals.found[level] += 1
    while at > 0 and goals.promise[level, at - 1] < promise:
        goals.cell[level, at], goals.worth[level, at] = goals.cell[level, at - 1], goals.worth[level, at - 1]
        goals.promise[level, at], goals.drops[level, at] = goals.promise[level, at - 1], goals.drops[level, at - 1]
        at -= 1
    goals.cell[level, at], goals.worth[level, at] = cell, worth
    goals.promise[level, at], goals.drops[level, at] = promise, drops


@inline
def list_goals(goals, ways, level, state, map_, player, worth, horizon):
    """Fill in the goals of a state, whose fires are known already: of the cells that can be walked to when all is over.

    What a goal promises goes by the steps to it, fires left out.
    """
    forecast, me = ways.forecasts[0], state.players[player]
    unclaimed = read(state.boxes)
    for k in range(forecast.rounds):
        unclaimed = without(unclaimed, read(forecast.fire[k]))
    goals.found[level], goals.tried[level] = 0, 0
    reach, found, factor = single(cell_of(me)), NOTHING, 1.0
    for _ in range(horizon + 1):
        for k in range(CELL_NUMBERS.size):
            cell = CELL_NUMBERS[k]
            if not has(reach, cell) or has(found, cell) or has(state.boxes, cell):
                continue
            there = bomb_worth(state, map_, cell, range_of(me), unclaimed, worth)
            drops = there > 0.0
            if has(state.items, cell):
                there += item_worth(state, map_, player, cell, worth)
            if there > 0.0:
                insert_goal(goals, level, cell, there, factor * there, drops)
        found, factor = reach, factor * worth.decay
        reach = flood(reach, read(ways.blocked[forecast.rounds]))
        if found == reach:
            break


@inline
def next_bomb(ways, state, player):
    """From which round on the player has a bomb to drop: NOW, after one of theirs has exploded, or NEVER."""
    if stock_of(state.players[player]) != ZERO:
        return NOW
    soonest = NEVER
    for row in range(state.bombs.size):
        bomb = bomb_in(state.bombs[row], player)
        if bomb != ZERO:
            for k in range(ways.forecasts[0].rounds):
                if burns(ways, cell_of(bomb), k):
                    soonest = min(soonest, k + 1)
                    break
    return soonest
