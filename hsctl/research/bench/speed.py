"""What is measured: steps of both engines, the cost of single calls, and steps per second of batches."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random

import numpy as np

from engine.batch import Batch
from engine.board import CELLS, OPEN_CELLS, cells_of
from engine.game import Game, add_cell
from engine.notation import parse_position
from engine.position import boxes_on
from engine.spec.bridge import from_state
from engine.spec.naive import new_naives
from engine.state import FUSE, MAP, MAX_PLAYERS, STATE, new_states
from engine.survival import KILL_SCRATCH, new_forecast
from hsctl.behaviour import MIDGAME_4
from hsctl.research.bench.kernels import (
    ACTIONS_A_GAME,
    ask_can_kill,
    ask_judge,
    ask_mask,
    ask_survivable,
    collect,
    copy_states,
    draw_joints,
    play_bitwise,
    play_naive,
    step_states,
)
from hsctl.research.bench.measure import Measured, Task, mean
from search.winning.model import load_weights, new_judge_memory
from search.winning.places import ABSENT

# Both engines on this machine: steps in 500 ms of random games, as in Table 1 of the paper.
#
# The paper counts the actions of a random agent "during 500ms starting from example midgame situation with 2, 3, and 4
# players, resetting every 15 actions or death". Here the others stand still (`one`) or are random too (`all`). Both
# engines are compiled by the same compiler and play the same games.


NAIVE, BITWISE = "naive", "bitwise"
ONE, ALL = "one", "all"
NS_PER_ENTRY = 500_000_000  # the paper counts what is done in 500 ms

StepsKey = tuple[str, int, str]  # engine, players, who acts
Steps = dict[str, dict[int, dict[str, int]]]  # [engine][players][who acts]


def engine_tasks(positions: Sequence[Measured]) -> list[tuple[StepsKey, Task]]:
    """What to measure: both engines and both settings for each position."""
    tasks = []
    for position in positions:
        for who in (ONE, ALL):
            tasks.append(((BITWISE, position.players, who), bitwise_task(position, who == ALL)))
            tasks.append(((NAIVE, position.players, who), naive_task(position, who == ALL)))
    return tasks


def bitwise_task(position: Measured, everybody: bool) -> Task:
    states = new_states(2)
    states[0] = position.state
    return Task(lambda count: play_bitwise(states, position.map, everybody, count))


def naive_task(position: Measured, everybody: bool) -> Task:
    naives = new_naives(2)
    naives[0] = from_state(position.state, position.map)
    return Task(lambda count: play_naive(naives, everybody, count))


def make_steps(measured: Sequence[tuple[StepsKey, Task]]) -> Steps:
    """Steps in 500 ms; several positions with the same number of players give their mean."""
    measurements = defaultdict(list)
    for key, task in measured:
        measurements[key].append(NS_PER_ENTRY / task.best_ns)
    steps: Steps = {NAIVE: defaultdict(dict), BITWISE: defaultdict(dict)}
    for (engine, players, who), counts in sorted(measurements.items(), key=lambda entry: entry[0][1]):
        steps[engine][players][who] = round(mean(counts))
    return steps


def ratio_of(steps: Steps, players: int, who: str) -> float:
    """How many times faster the bitwise engine is."""
    return steps[BITWISE][players][who] / steps[NAIVE][players][who]


# Costs of single calls (copy, step, is_survivable, the mask, can_kill), and how a step's cost grows. Each is called
# over a pool of states from random games, so that no branch always goes the same way.


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
    judging, values = new_judge_memory(load_weights()), np.full(MAX_PLAYERS, ABSENT, np.int64)
    collect(states, map_, pool, joints)
    return [
        ("copy", Task(lambda count: copy_states(pool, room, count))),
        ("step", Task(lambda count: step_states(pool, room, map_, joints, count))),
        ("is_survivable", Task(lambda count: ask_survivable(pool, map_, count))),
        ("mask", Task(lambda count: ask_mask(pool, map_, future, count))),
        ("can_kill", Task(lambda count: ask_can_kill(pool, map_, scratch, count))),
        ("judge", Task(lambda count: ask_judge(pool, map_, values, judging, count))),
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


# Steps per second of many games stepped together, by their number and by threads.
#
# Random games in which everyone acts, from the measured positions; every batch starts again after 15 rounds. The random
# actions are drawn beforehand: the time is that of `Batch.step`, Python's part of it included.


SIZES = (1, 16, 256, 4096, 65536)
NS_PER_SECOND = 1_000_000_000

BatchKey = tuple[int, int]  # games, threads
Batches = dict[int, dict[int, int]]  # [threads][games] -> steps per second


def thread_counts() -> list[int]:
    """1, 2, 4 ... as many as there are cores to use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return sorted({*(1 << k for k in range(cores.bit_length()) if 1 << k <= cores), cores})


def batch_tasks(positions: Sequence[Measured]) -> list[tuple[BatchKey, Task]]:
    return [((size, threads), batch_task(positions, size, threads)) for threads in thread_counts() for size in SIZES]


def batch_task(positions: Sequence[Measured], size: int, threads: int) -> Task:
    """Rounds of a batch. The games lie in memory in the order of the positions, over and over."""
    starts, maps = np.zeros(size, STATE), np.zeros(size, MAP)
    for at, position in enumerate(positions):
        starts[at :: len(positions)], maps[at :: len(positions)] = position.state, position.map
    batch = Batch(starts.copy(), maps, threads)
    rounds = draw_rounds(Batch(starts.copy(), maps))

    def play(count: int) -> None:
        for k in range(count):
            if k % ACTIONS_A_GAME == 0:
                batch.states[:] = starts
            batch.step(rounds[k % ACTIONS_A_GAME])

    return Task(play)


def draw_rounds(batch: Batch) -> np.ndarray:
    """Random legal actions for the rounds of a batch, which is played: [round, game]."""
    rounds = np.zeros((ACTIONS_A_GAME, len(batch)), np.uint64)
    for joints in rounds:
        draw_joints(batch.states, joints)
        batch.step(joints)
    return rounds


def make_batches(measured: Iterable[tuple[BatchKey, Task]]) -> Batches:
    """Steps per second, by threads and games."""
    batches: Batches = {}
    for (size, threads), task in measured:
        batches.setdefault(threads, {})[size] = round(NS_PER_SECOND * size / task.best_ns)
    return batches
