"""Hypersonic for Gymnasium, many games at once: kernels play them and write observations straight into arrays.

An environment is a seat of the agent's. With opponents `random` and `still` there is one in every game; a seat of
`self` is the agent's too, so that two of them in a game are two environments next to each other, which end together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from engine.batch import CUT_NUMBER, GIVEN, RANDOM, STILL, Episodes
from engine.errors import HsctlError
from engine.state import MAX_TURNS
from hsctl.env.hypersonic_v0 import (
    MOST_DRAWN,
    Reward,
    Seen,
    check_options,
    new_action_space,
    new_observation_space,
    parse_reward,
)

OPPONENTS = {"self": GIVEN, "random": RANDOM, "still": STILL}


class HypersonicVectorEnv(VectorEnv[Seen, np.ndarray, np.ndarray]):
    """`num_envs` seats of the agent's; the step after an episode's end starts the next one, its action ignored.

    With `copy=False` every step writes into the arrays that the step before returned.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str] = ("random",),
        reward: Reward = "win",
        max_cycles: int = MAX_TURNS,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        policies = (GIVEN, *parse_opponents(opponents))
        check_options(len(policies), max_cycles)
        self.own = policies.count(GIVEN)  # environments of a game
        if num_envs < 1 or num_envs % self.own:
            raise HsctlError(f"num_envs={num_envs}: choose a multiple of {self.own}, the agent's seats in a game")
        self.num_envs = num_envs
        self.copy = copy
        self.episodes = Episodes(num_envs // self.own, policies, parse_reward(reward), max_cycles, threads)
        self.single_observation_space = new_observation_space()
        self.single_action_space = new_action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        planes, masks = self.episodes.planes, self.episodes.masks
        self.seen = {
            "observation": planes.reshape(num_envs, *planes.shape[2:]),
            "action_mask": masks.reshape(num_envs, *masks.shape[2:]),
        }  # the arrays that the kernels write into

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """All games anew. Seed N gives the boards N, N + 1 ..., several one for each game, none any boards."""
        games = len(self.episodes)
        seeds = range(int(seed), int(seed) + games) if isinstance(seed, int | np.integer) else seed
        super().reset(seed=None if seeds is None else abs(seeds[0]))
        self.episodes.start(self.np_random.integers(MOST_DRAWN, size=games).tolist() if seeds is None else seeds)
        seen = self.observe()
        return seen, self.infos(seen)

    def step(self, actions: np.ndarray) -> tuple[Seen, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """A round of every game. An action that is not legal means stay."""
        self.episodes.step(np.asarray(actions).reshape(len(self.episodes), self.own))
        rewards = self.episodes.rewards[:, self.episodes.given].reshape(self.num_envs)
        endings = self.per_env(self.episodes.endings)
        truncated = endings == CUT_NUMBER
        seen = self.observe()
        return seen, rewards, (endings > 0) & ~truncated, truncated, self.infos(seen)

    def observe(self) -> Seen:
        return {name: array.copy() for name, array in self.seen.items()} if self.copy else dict(self.seen)

    def infos(self, seen: Seen) -> dict[str, Any]:
        """The masks again, and the seed of each board."""
        return {"action_mask": seen["action_mask"], "seed": self.per_env(self.episodes.episodes["seed"])}

    def per_env(self, values: np.ndarray) -> np.ndarray:
        """A value for each environment, from one for each game."""
        return np.repeat(values, self.own)


def parse_opponents(opponents: Sequence[str]) -> tuple[int, ...]:
    """Who acts for the seats after the agent's first."""
    for name in [opponents] if isinstance(opponents, str) else opponents:
        if isinstance(opponents, str) or name not in OPPONENTS:
            raise HsctlError(
                f"opponents={opponents!r}: choose from {', '.join(OPPONENTS)}, as in ('random', 'still'); "
                "other agents play in gymnasium.make('Hypersonic-v0')"
            )
    return tuple(OPPONENTS[name] for name in opponents)
