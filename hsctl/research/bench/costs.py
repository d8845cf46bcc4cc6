"""What single calls cost (copy, step, is_survivable, the mask, can_kill), and how a step's cost grows.

Each is called over a pool of states from random games, so that no branch always goes the same way.
"""

from collections.abc import Iterable, Sequence
from random import Random

import numpy as np

from engine.board import CELLS, OPEN_CELLS, cells_of
from engine.game import Game, add_cell
from engine.notation import parse_position
from engine.position import boxes_on
from engine.state import FUSE, MAX_PLAYERS, new_states
from engine.survival import KILL_SCRATCH, new_forecast
from hsctl.behaviour import MIDGAME_4
from hsctl.research.bench.kernels import (
    ask_can_kill,
    ask_mask,
    ask_survivable,
    collect,
    copy_states,
    draw_joints,
    step_states,
)
from hsctl.research.bench.measure import Task, mean
from hsctl.research.bench.positions import Measured

POOL = 1024  # states
ROOM = 64  # where copies go, in turn
GROWTH_POOL = 256
BOMB_COUNTS = range(0, MAX_PLAYERS * FUSE + 1, 4)
RANGES = range(3, 14)
USUAL_RANGE = 5  # of the bombs that are counted
USUAL_BOMBS = 8  # whose range grows
SLOTS = [(owner, fuse) for owner in range(MAX_PLAYERS) for fuse in range(1, FUSE + 1)]


def cost_tasks(positions: Sequence[Measured]) -> list[tuple[str, Task]]:
    return [entry for position in positions for entry in tasks_at(position)]


def tasks_at(position: Measured) -> list[tuple[str, Task]]:
    """A task for each cost, over states from random games that start in the position."""
    states, pool, joints, room = new_states(2), new_states(POOL), np.zeros(POOL, np.uint64), new_states(ROOM)
    states[0] = position.state
    map_, future, scratch = position.map, new_forecast(), new_states(KILL_SCRATCH)
    collect(states, map_, pool, joints)
    return [
        ("copy", Task(lambda count: copy_states(pool, room, count))),
        ("step", Task(lambda count: step_states(pool, room, map_, joints, count))),
        ("is_survivable", Task(lambda count: ask_survivable(pool, map_, count))),
        ("mask", Task(lambda count: ask_mask(pool, map_, future, count))),
        ("can_kill", Task(lambda count: ask_can_kill(pool, map_, scratch, count))),
    ]


def growth_tasks() -> list[tuple[tuple[str, int], Task]]:
    """A step's cost on one board with more and more bombs, and with bombs of longer and longer range."""
    bombs = [(("bombs", count), growth_task(count, USUAL_RANGE)) for count in BOMB_COUNTS]
    return bombs + [(("ranges", reach), growth_task(USUAL_BOMBS, reach)) for reach in RANGES]


def growth_task(bombs: int, bomb_range: int) -> Task:
    """Steps from many positions with this many bombs of this range on the board of a midgame."""
    pool, joints, room = new_states(GROWTH_POOL), np.zeros(GROWTH_POOL, np.uint64), new_states(ROOM)
    midgame = parse_position(MIDGAME_4)
    boxes = boxes_on(midgame.state, midgame.map)
    board = Game.build(boxes, midgame.players(), items=midgame.items, seats=MAX_PLAYERS)
    random = Random(bombs)
    for i in range(GROWTH_POOL):
        pool[i] = board.state
        scatter_bombs(pool[i], bombs, bomb_range, random)
    draw_joints(pool, joints)
    return Task(lambda count: step_states(pool, room, board.map, joints, count))


def scatter_bombs(state: np.record, count: int, bomb_range: int, random: Random) -> None:
    """Put bombs of any owner and fuse on free cells of a state at turn 0."""
    taken = set(cells_of(state.boxes | state.items))
    cells = random.sample([cell for cell in OPEN_CELLS if cell not in taken], count)
    for (owner, fuse), (x, y) in zip(random.sample(SLOTS, count), cells, strict=True):
        add_cell(state.blocked, x, y)
        state.bombs[fuse - 1] |= np.uint64((bomb_range << 8 | int(CELLS[y, x])) << 16 * owner)


def mean_costs(measured: Iterable[tuple[str, Task]]) -> dict[str, float]:
    """Nanoseconds by name, on average over all positions."""
    by_name: dict[str, list[float]] = {}
    for name, task in measured:
        by_name.setdefault(name, []).append(task.best_ns)
    return {name: round(mean(costs), 1) for name, costs in by_name.items()}


def make_growth(measured: Iterable[tuple[tuple[str, int], Task]]) -> dict[str, dict[int, float]]:
    """Nanoseconds of a step by number of bombs, and by range."""
    growth: dict[str, dict[int, float]] = {"bombs": {}, "ranges": {}}
    for (what, amount), task in measured:
        growth[what][amount] = round(task.best_ns, 1)
    return growth
