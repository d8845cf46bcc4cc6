"""Steps per second of many games stepped together, by their number and by threads.

Random games in which everyone acts, from the measured positions; every batch starts again after 15 rounds. The random
actions are drawn beforehand: what is measured is `Batch.step`, Python's part of it included.
"""

import os
from collections.abc import Iterable, Sequence

import numpy as np

from engine.batch import Batch
from engine.state import MAP, STATE
from hsctl.research.bench.kernels import ACTIONS_A_GAME, draw_joints
from hsctl.research.bench.measure import Task
from hsctl.research.bench.positions import Measured

SIZES = (1, 16, 256, 4096, 65536)
NS_PER_SECOND = 1_000_000_000

Key = tuple[int, int]  # games, threads
Batches = dict[int, dict[int, int]]  # [threads][games] -> steps per second


def thread_counts() -> list[int]:
    """1, 2, 4 ... as many as there are cores to use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return sorted({*(1 << k for k in range(cores.bit_length()) if 1 << k <= cores), cores})


def batch_tasks(positions: Sequence[Measured]) -> list[tuple[Key, Task]]:
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


def make_batches(measured: Iterable[tuple[Key, Task]]) -> Batches:
    """Steps per second, by threads and games."""
    batches: Batches = {}
    for (size, threads), task in measured:
        batches.setdefault(threads, {})[size] = round(NS_PER_SECOND * size / task.best_ns)
    return batches
