"""The vector env: many games at once, each the game that it would be alone, and started again when it is over."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from engine.errors import HsctlError
from engine.game import Game
from hsctl.env import hypersonic_v0
from hsctl.env.vector import HypersonicVectorEnv

ENVS = 12


def new_env(**options: Any) -> HypersonicVectorEnv:
    made = gymnasium.make_vec("hsctl.env:Hypersonic-v0", ENVS, **options)
    assert isinstance(made.unwrapped, HypersonicVectorEnv)
    return made.unwrapped


def test_it_declares_how_episodes_begin_again_and_what_it_returns() -> None:
    env = new_env()
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, infos = env.reset(seed=0)
    assert env.observation_space.contains(observations)
    assert np.array_equal(infos["action_mask"], observations["action_mask"])
    observations, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
    assert env.observation_space.contains(observations)
    assert rewards.shape == terminated.shape == truncated.shape == (ENVS,)
    assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float32, bool, bool)


@pytest.mark.parametrize("seed", [5, [9, 1, 4, 4, 3, 2, 1, 0, 6, 7, 8, 2**40]])
def test_seeds_are_the_arenas(seed: int | list[int]) -> None:
    env = new_env()
    _, infos = env.reset(seed=seed)
    assert infos["seed"].tolist() == (list(range(5, 5 + ENVS)) if isinstance(seed, int) else seed)
    for at, board in enumerate(infos["seed"].tolist()):
        assert env.episodes.batch.states[at] == Game.start(board, 2).state


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    ends = []
    for seed in (1, 1, 2):
        env = new_env(opponents=("random", "random"))
        env.reset(seed=seed)
        env.action_space.seed(0)
        for _ in range(60):
            observations, *_ = env.step(env.action_space.sample())
        ends.append(observations["observation"])
    assert np.array_equal(ends[0], ends[1]) and not np.array_equal(ends[0], ends[2])


def test_with_all_seats_the_agents_own_it_plays_what_the_parallel_env_plays() -> None:
    env, random = new_env(opponents=("self", "self"), reward="shaped"), np.random.default_rng(0)
    seen, _ = env.reset(seed=20)
    alone = [hypersonic_v0.parallel_env(3, reward="shaped") for _ in range(ENVS // 3)]
    for game, other in enumerate(alone):
        other.reset(seed=20 + game)
    for _ in range(30):
        actions = random.integers(0, 10, ENVS)
        seen, rewards, terminated, _, _ = env.step(actions)
        for at in range(ENVS):
            other, agent = alone[at // 3], f"player_{at % 3}"
            if at % 3 == 0:
                acting = {name: int(actions[at + other.seats[name]]) for name in other.agents}
                told = other.step(acting) if acting else None
            if told and agent in told[0]:
                assert np.array_equal(seen["observation"][at], told[0][agent]["observation"])
                assert rewards[at] == np.float32(told[1][agent])
                assert terminated[at] == (not other.agents)


def test_an_ended_episode_starts_anew_with_the_next_step_whatever_the_action() -> None:
    env = new_env(opponents=("still",), max_cycles=4)
    env.reset(seed=0)
    for _ in range(4):
        *_, terminated, truncated, infos = env.step(np.zeros(ENVS, int))
    assert truncated.all() and not terminated.any()
    observations, rewards, terminated, truncated, later = env.step(np.full(ENVS, 5))
    assert not (truncated | terminated).any() and not rewards.any()
    assert not observations["observation"][:, -1].any()  # turn 0
    assert not observations["observation"][:, 4].any()  # and no bomb
    assert not set(later["seed"].tolist()) & set(infos["seed"].tolist())


def test_copies_stay_and_what_is_not_copied_is_written_again() -> None:
    for copy in (True, False):
        env = new_env(copy=copy)
        first, _ = env.reset(seed=0)
        kept = first["observation"].copy()
        second, *_ = env.step(np.full(ENVS, 5))
        assert np.array_equal(first["observation"], kept) == copy
        assert np.shares_memory(first["observation"], second["observation"]) != copy


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: HypersonicVectorEnv(4, opponents=("beam",)), "self, random, still"),
        (lambda: HypersonicVectorEnv(4, opponents="random"), "as in"),
        (lambda: HypersonicVectorEnv(4, opponents=("still",) * 4), "5 players"),
        (lambda: HypersonicVectorEnv(5, opponents=("self",)), "a multiple of 2"),
        (lambda: HypersonicVectorEnv(2).reset(seed=[1]), "1 seeds"),
    ],
)
def test_wrong_options_are_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(HsctlError, match=said):
        make()


# Uses every kind of environment in a process where `cache --warm env` has been, and prints what was compiled after it.
COMPILED_LATER = """
from search.warm import play_an_episode
play_an_episode()
from numba.core.event import RecordingListener, install_listener
import gymnasium
import numpy as np
from hsctl.env import hypersonic_v0
with install_listener("numba:compile", listener := RecordingListener()):
    many = gymnasium.make_vec("hsctl.env:Hypersonic-v0", 3)
    many.reset(seed=0)
    many.step(np.zeros(3, np.int64))
    pair = hypersonic_v0.parallel_env(players=4)
    pair.reset(seed=0)
    pair.step({agent: 0 for agent in pair.agents})
print([event.data["dispatcher"].py_func.__name__ for _, event in listener.buffer])
"""


@pytest.mark.slow
def test_nothing_is_compiled_for_environments_that_was_not_compiled_beforehand() -> None:
    done = subprocess.run([sys.executable, "-c", COMPILED_LATER], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
