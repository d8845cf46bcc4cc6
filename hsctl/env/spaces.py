"""What all environments have in common: spaces, rewards, and the bounds of their options."""

from collections.abc import Mapping

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from engine.board import HEIGHT, WIDTH
from engine.errors import HsctlError
from engine.playing.episodes import TERMS
from engine.playing.planes import PLANES
from engine.rules import ACTIONS
from engine.state import MAX_PLAYERS, MAX_TURNS

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
            raise HsctlError(f"reward {reward!r}, expected one of {', '.join(REWARDS)}, or a weight for each term")
        return REWARDS[reward]
    unknown = [term for term in reward if term not in TERMS]
    if unknown:
        raise HsctlError(f"term {unknown[0]!r} of the reward, expected some of {', '.join(TERMS)}")
    if not all(np.isfinite(weight) for weight in reward.values()):
        raise HsctlError("a weight of the reward is not a finite number")
    return dict(reward)


def check_options(players: int, max_cycles: int) -> None:
    """Refuse what is out of bounds."""
    if not 2 <= players <= MAX_PLAYERS:
        raise HsctlError(f"{players} players, expected 2 to {MAX_PLAYERS}")
    if not 1 <= max_cycles <= MAX_TURNS:
        raise HsctlError(f"max_cycles={max_cycles}, expected 1 to {MAX_TURNS}, the game's own limit")
