"""Hypersonic for PettingZoo: `parallel_env()`, in which all act at once, and `env()`, one after the other.

An agent is a player of the game, `player_0` to `player_3`, until it dies. The round is played when all have acted, so
no player sees the choice of another.
"""

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from PIL import Image, ImageDraw
from rich.console import Console, Group
from rich.text import Text

from engine.batch import CUT, ENDINGS, GIVEN, PLANES, TERMS, Episodes
from engine.board import HEIGHT, WIDTH
from engine.errors import HsctlError
from engine.events import Event, round_events
from engine.game import Game
from engine.position import living_players
from engine.rules import ACTIONS
from engine.state import MAX_PLAYERS, MAX_TURNS, copy_state
from replays.export.gif import SMOOTHING, ZOOM, draw_shape
from replays.export.shapes import CELL, EDGE, PALETTE, draw, draw_ground, things_on
from replays.render.board import BoardView, seat_mark

# What all environments have in common: spaces, rewards, and the bounds of their options.


Reward = str | Mapping[str, float]
Seen = dict[str, np.ndarray]  # what an agent is given: "observation" and "action_mask"

REWARDS: dict[str, dict[str, float]] = {
    "win": {"win": 1.0},
    "boxes": {"boxes": 1.0},
    "shaped": {"win": 1.0, "boxes": 0.05, "items": 0.02},  # a guess: a third of the boxes is worth as much as a win
}


def new_observation_space() -> Dict:
    planes = Box(0, 255, (len(PLANES), HEIGHT, WIDTH), np.uint8)
    return Dict({"observation": planes, "action_mask": Box(0, 1, (ACTIONS,), np.int8)})


def new_action_space() -> Discrete:
    return Discrete(ACTIONS)


def parse_reward(reward: Reward) -> dict[str, float]:
    """Weights by term, from the name of a reward or from the weights themselves."""
    if isinstance(reward, str):
        if reward not in REWARDS:
            raise HsctlError(f"reward {reward!r}: choose one of {', '.join(REWARDS)}, or give a weight for each term")
        return REWARDS[reward]
    unknown = [term for term in reward if term not in TERMS]
    if unknown:
        raise HsctlError(f"unknown term {unknown[0]!r} of the reward; the terms are {', '.join(TERMS)}")
    if not all(np.isfinite(weight) for weight in reward.values()):
        raise HsctlError("a weight of the reward is not a finite number")
    return dict(reward)


def check_options(players: int, max_cycles: int) -> None:
    """Refuse numbers that are out of bounds."""
    if not 2 <= players <= MAX_PLAYERS:
        raise HsctlError(f"{players} players: a game has 2 to {MAX_PLAYERS}")
    if not 1 <= max_cycles <= MAX_TURNS:
        raise HsctlError(f"max_cycles={max_cycles}: choose 1 to {MAX_TURNS}, the game's own limit")


# How a position is rendered: on the terminal, as text with colours, as a picture of 423 x 363 pixels.


RENDER_MODES = ["human", "ansi", "rgb_array"]


def check_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise HsctlError(f"render_mode={mode!r}: choose one of {', '.join(RENDER_MODES)}")


def render(mode: str | None, state: np.record, map_: np.record, events: Sequence[Event]) -> str | np.ndarray | None:
    """The position as the mode wants it; `events` are those of the round that led to it."""
    if mode == "rgb_array":
        return draw_picture(state, map_, events)
    if mode == "ansi":
        console = Console(file=StringIO(), force_terminal=True, color_system="truecolor", width=80)
        with console.capture() as written:
            console.print(view_of(state, map_, events))
        return written.get()
    if mode == "human":
        Console().print(view_of(state, map_, events))
    return None


def view_of(state: np.record, map_: np.record, events: Sequence[Event]) -> Group:
    """The board below a line with the turn and the boxes of each player."""
    line = Text(f"turn {int(state.turn)}")
    for player in living_players(state):
        line.append("   ").append(*seat_mark(player.id))
        line.append(f"  boxes {player.boxes}, bombs {player.bombs_left}, range {player.range}")
    return Group(line, BoardView(state, map_, events))


def draw_picture(state: np.record, map_: np.record, events: Sequence[Event]) -> np.ndarray:
    """The drawing of the GIFs as pixels: [y, x, colour]."""
    size = round((WIDTH * CELL + 2 * EDGE) * ZOOM), round((HEIGHT * CELL + 2 * EDGE) * ZOOM)
    image = Image.new("RGB", size, PALETTE["page"].dark)
    canvas = ImageDraw.Draw(image)
    for shape in draw_ground():
        draw_shape(canvas, shape, EDGE, EDGE)
    for thing, x, y in things_on(state, map_, events):
        for shape in draw(thing):
            draw_shape(canvas, shape, x * CELL + EDGE, y * CELL + EDGE)
    return np.array(image.reduce(SMOOTHING))


Told = tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]

MOST_DRAWN = 1 << 31  # drawn seeds of boards are below


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
                raise HsctlError(f"unknown agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
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
