"""How fast the environments are: `python -m tests.hsctl.env.measure STEPS`.

A rollout of that many steps of a random policy through the vector env, then what a step is made of, each the best of
many short slices: games stepped by the bare kernel, the same with ends, rewards and observations, and with what the
interface adds. A step is one action of the agent's in one environment.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from engine.batch import GIVEN, RANDOM, Batch, Episodes, pack_actions
from engine.state import MAP, new_states
from hsctl.env.hypersonic_v0 import parallel_env
from hsctl.env.single import HypersonicEnv
from hsctl.env.vector import HypersonicVectorEnv
from hsctl.research.bench.measure import Task, measure
from hsctl.research.bench.report import PUBLISHED

ROLLOUT_ENVS = 1024
ENVS = 256  # of the slices: a step of them fits well into one
ROUNDS = 100


def roll_out(steps: int) -> None:
    env = HypersonicVectorEnv(ROLLOUT_ENVS)
    env.reset(seed=0)
    env.action_space.seed(0)
    env.step(env.action_space.sample())  # compiles
    env.reset(seed=0)
    ended, started, cpu = 0, time.perf_counter(), time.process_time()
    for _ in range(-(-steps // ROLLOUT_ENVS)):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        ended += int((terminated | truncated).sum())
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    steps = -(-steps // ROLLOUT_ENVS) * ROLLOUT_ENVS
    print(f"{steps:,} steps of a random policy, {ROLLOUT_ENVS} environments, {ended:,} games")
    print(f"{wall:.2f} s, {cpu:.2f} s of CPU")
    print(f"{steps / wall:,.0f} steps/s, {steps / cpu:,.0f} by CPU time")


def actions_of(seats: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 10, (64, ENVS, seats))  # [round, game, seat]


def repeat(step: Callable[[np.ndarray], object], actions: np.ndarray) -> Callable[[int], None]:
    def play(count: int) -> None:
        for k in range(count):
            step(actions[k % len(actions)])

    return play


def bare_step() -> Callable[[int], None]:
    episodes = Episodes(ENVS, (GIVEN, GIVEN), {})
    episodes.start(range(ENVS))
    starts, maps = episodes.batch.states.copy(), episodes.batch.maps
    joints, batch = [pack_actions(actions) for actions in actions_of(2)], Batch(new_states(ENVS), np.zeros(ENVS, MAP))
    batch.maps[:] = maps

    def play(count: int) -> None:
        for k in range(count):
            if k % len(joints) == 0:
                batch.states[:] = starts
            batch.step(joints[k % len(joints)])

    return play


def episode_step() -> Callable[[int], None]:
    episodes, actions = Episodes(ENVS, (GIVEN, RANDOM), {"win": 1.0}), actions_of(1)
    episodes.start(range(ENVS))
    return repeat(episodes.step, actions)


def vector_step(copy: bool, opponent: str) -> Callable[[int], None]:
    env, actions = HypersonicVectorEnv(ENVS, (opponent,), copy=copy), actions_of(1).reshape(64, ENVS)
    env.reset(seed=0)
    return repeat(env.step, actions)


def single_step() -> Callable[[int], None]:
    env, actions = HypersonicEnv(("random",)), actions_of(1)[:, :, 0].ravel()
    env.reset(seed=0)

    def play(count: int) -> None:
        for k in range(count):
            if any(env.step(actions[k % len(actions)])[2:4]):
                env.reset()

    return play


def parallel_step() -> Callable[[int], None]:
    env, actions = parallel_env(2), actions_of(2).reshape(-1, 2)
    env.reset(seed=0)

    def play(count: int) -> None:
        for k in range(count):
            env.step(dict(zip(env.agents, actions[k % len(actions)], strict=True)))
            if not env.agents:
                env.reset()

    return play


def main(steps: int) -> None:
    roll_out(steps)
    measured = {
        "bare step (Batch.step, everyone random)": (Task(bare_step()), ENVS),
        "with ends, rewards, observations (Episodes.step)": (Task(episode_step()), ENVS),
        "through the vector env, copy=False": (Task(vector_step(False, "random")), ENVS),
        "through the vector env": (Task(vector_step(True, "random")), ENVS),
        "the same, both seats the agent's": (Task(vector_step(True, "self")), ENVS),
        "through the single env, against random": (Task(single_step()), 1),
        "through the parallel env (dicts), both agents": (Task(parallel_step()), 2),
    }
    measure([task for task, _ in measured.values()], ROUNDS, lambda: None)
    for name, (task, count) in measured.items():
        print(f"{name:50} {1e9 * count / task.best_ns:12,.0f} steps/s")
    for other in PUBLISHED:
        print(f"published: {other.engine:39} {other.steps_per_second:12,} steps/s  ({other.source})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
