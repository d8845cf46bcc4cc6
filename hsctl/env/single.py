"""Hypersonic for Gymnasium: one agent against built-in ones, named as on the command line."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from engine.errors import HsctlError
from engine.state import MAX_TURNS
from hsctl.budget import UNLIMITED_MS, budget_of
from hsctl.env.hypersonic_v0 import (
    MOST_DRAWN,
    RENDER_MODES,
    Reward,
    Seen,
    new_action_space,
    new_observation_space,
    parallel_env,
)
from search import make_agent, parse_spec

NODES = 1000  # of a decision of opponents that bring no budget of their own


class HypersonicEnv(gymnasium.Env[Seen, np.int64]):
    """A game from one seat. It is over for the agent when the game is, or when it dies.

    Opponents sit on the other seats in order. They think for `nodes` unless they bring `nodes=` or `time=`; by nodes,
    the same seed and actions give the same game on any machine.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        opponents: Sequence[str] = ("random",),
        seat: int = 0,
        reward: Reward = "win",
        max_cycles: int = MAX_TURNS,
        nodes: int = NODES,
        render_mode: str | None = None,
    ) -> None:
        if isinstance(opponents, str):
            raise HsctlError(f"opponents={opponents!r}: give several texts, as in ({opponents!r},)")
        self.table = parallel_env(1 + len(opponents), reward, max_cycles, render_mode)
        if not 0 <= seat <= len(opponents):
            raise HsctlError(f"seat {seat}: choose 0 to {len(opponents)}")
        self.seat = seat
        self.agent = self.table.possible_agents[seat]
        self.render_mode = render_mode
        self.observation_space = new_observation_space()
        self.action_space = new_action_space()
        seats = [other for other in range(1 + len(opponents)) if other != seat]
        specs = [parse_spec(text) for text in opponents]
        self.opponents = dict(zip(seats, [make_agent(spec) for spec in specs], strict=True))
        self.budgets = dict(zip(seats, [budget_of(spec, UNLIMITED_MS, nodes) for spec in specs], strict=True))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """A new game, on the arena's board of the seed; without one, on any. There are no options."""
        super().reset(seed=seed)
        seed = int(self.np_random.integers(MOST_DRAWN)) if seed is None else seed
        observations, infos = self.table.reset(seed)
        for seat, opponent in self.opponents.items():
            opponent.start_game(self.table.position[1], seat, seed)
        return observations[self.agent], infos[self.agent]

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play a round. An action that is not legal means stay."""
        state, living = self.table.position[0], self.table.living
        actions = {self.agent: int(action)}
        for seat, opponent in self.opponents.items():
            if living[seat]:
                agent = self.table.possible_agents[seat]
                actions[agent] = opponent.decide(state, seat, self.budgets[seat]).action
        seen, rewards, terminated, truncated, infos = self.table.step(actions)
        me = self.agent
        return seen[me], rewards[me], terminated[me], truncated[me], infos[me]

    def render(self) -> Any:
        return self.table.render()
