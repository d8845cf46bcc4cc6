"""Hypersonic for PettingZoo: `parallel_env()`, in which all act at once, and `env()`, one after the other.

An agent is a player of the game, `player_0` to `player_3`, until it dies. The round is played when all have acted, so
nobody sees what another one chose.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from engine.around.events import Event, round_events
from engine.errors import HsctlError
from engine.game import Game
from engine.playing.episodes import CUT, ENDINGS, GIVEN, Episodes
from engine.state import MAX_TURNS, copy_state
from hsctl.env.render import RENDER_MODES, check_mode, render
from hsctl.env.spaces import Reward, Seen, check_options, new_action_space, new_observation_space, parse_reward

Told = tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]

MOST_DRAWN = 1 << 31  # seeds of boards that nobody asked for are below


class parallel_env(ParallelEnv[str, Seen, int]):
    """A game of two to four agents who act at once; `reward` is the name of one or weights by term."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's)
        "name": "hypersonic_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": True,
        "render_fps": 4,
    }

    def __init__(
        self,
        players: int = 2,
        reward: Reward = "win",
        max_cycles: int = MAX_TURNS,
        render_mode: str | None = None,
    ) -> None:
        check_options(players, max_cycles)
        check_mode(render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: new_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: new_action_space() for agent in self.possible_agents}
        self.episodes = Episodes(1, (GIVEN,) * players, parse_reward(reward), max_cycles)
        self.random = np.random.default_rng()
        self.events: list[Event] = []  # of the last round, where they are to be rendered

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    @property
    def position(self) -> tuple[np.record, np.record]:
        """The State and the Map of the game."""
        return self.episodes.batch.states[0], self.episodes.batch.maps[0]

    @property
    def living(self) -> list[bool]:
        """Which seats live (a field of all states is faster to reach than a state and then its field)."""
        return (self.episodes.batch.states["players"][0] != 0).tolist()

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """A new game, on the arena's board of the seed; without one, on any. There are no options."""
        if seed is not None:
            self.random = np.random.default_rng(abs(seed))
        self.episodes.start([int(self.random.integers(MOST_DRAWN)) if seed is None else seed])
        self.agents = self.possible_agents[:]
        self.events = []
        self.show()
        return self.observations(), self.infos()

    def step(self, actions: Mapping[str, int]) -> Told:
        """Play a round. Who doesn't act, or not legally, stays."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        wanted = np.zeros((1, len(self.possible_agents)), np.int64)
        for agent, action in actions.items():
            if agent not in self.seats:
                raise HsctlError(f"agent {agent!r}, expected one of {', '.join(self.possible_agents)}")
            wanted[0, self.seats[agent]] = action
        if self.render_mode:
            self.events = self.foresee(wanted[0])
        self.episodes.step(wanted)
        result = self.outcome()
        self.show()
        return result

    def foresee(self, wanted: np.ndarray) -> list[Event]:
        """What will happen in the coming round, to be shown after it."""
        state, map_ = self.position
        legal = [mask[action : action + 1].any() for mask, action in zip(self.episodes.masks[0], wanted, strict=True)]
        return round_events(Game(map_, copy_state(state), len(wanted)), (wanted * legal).tolist())

    def outcome(self) -> Told:
        """What the round means to those who lived before it; the dead leave."""
        ending = ENDINGS[self.episodes.endings[0]]
        living = self.living
        rewards = {agent: float(self.episodes.rewards[0, self.seats[agent]]) for agent in self.agents}
        terminated = {agent: ending not in ("", CUT) or not living[self.seats[agent]] for agent in self.agents}
        truncated = {agent: ending == CUT and not terminated[agent] for agent in self.agents}
        observations, infos = self.observations(), self.infos()
        self.agents = [agent for agent in self.agents if not terminated[agent] and not truncated[agent]]
        return observations, rewards, terminated, truncated, infos

    def observations(self) -> dict[str, Seen]:
        return {agent: self.observe(agent) for agent in self.agents}

    def observe(self, agent: str) -> Seen:
        """What an agent sees, copied."""
        seat = self.seats[agent]
        return {"observation": self.episodes.planes[0, seat].copy(), "action_mask": self.episodes.masks[0, seat].copy()}

    def infos(self) -> dict[str, dict[str, Any]]:
        """The mask again, for libraries that look for it here; the seed of the board; why the game ended, if it did."""
        shared = {"seed": int(self.episodes.episodes["seed"][0]), "ending": ENDINGS[self.episodes.endings[0]]}
        masks = self.episodes.masks[0]
        return {agent: {"action_mask": masks[self.seats[agent]].copy(), **shared} for agent in self.agents}

    def show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        """Print the board, or return it as text or pixels: as `render_mode` says."""
        return render(self.render_mode, *self.position, self.events)

    def state(self) -> np.ndarray:
        """The whole position: the planes of player_0, who sees all there is."""
        return self.episodes.planes[0, 0].copy()

    def close(self) -> None:
        pass


def env(**options: Any) -> AECEnv[str, Seen, int]:
    """The same game for agents who are asked one after the other; options as those of `parallel_env`."""
    return OrderEnforcingWrapper(parallel_to_aec(parallel_env(**options)))
