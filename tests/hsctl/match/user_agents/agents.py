"""Agents of somebody's own for tests: a good one, and one for each way to break the contract."""

import os
import random
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import hsctl


@dataclass(frozen=True)
class GoodParams(hsctl.Params):
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"deep": {"depth": 8}}

    depth: int = hsctl.param(3, "how far it would look", "guess", least=1, most=9)
    pace: float = 0.5


class Good(hsctl.Agent):
    """Takes some legal action. And talks."""

    PARAMS = GoodParams

    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        print("good evening")
        legal = self.legal(state, player)
        action = legal[self.seed_of(state) % len(legal)]
        return hsctl.Decision(np.int64(action), (action,), np.float32(1), 1, {"own": 1}, self.params.depth)

    def trace(self) -> dict[str, Any]:
        return {"first moves": {0: 1.5, 99: 2}, "thoughts": "none", "numbers": [{"a": np.int64(1)}, {"b": 2.5}]}


class Still(Good):
    """Never does anything; loses only to bombs."""

    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        return hsctl.Decision(0)


class Raises(Still):
    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        raise ValueError("no idea")


class Illegal(Still):
    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        return hsctl.Decision(next(action for action in range(10) if action not in self.legal(state, player)))


class Chance(Good):
    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        return hsctl.Decision(0, nodes=random.randrange(10**9))


class Forger(Still):
    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        state.players[player] += 1
        return hsctl.Decision(0)


class NoDecision(Still):
    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> Any:
        return 0


class Leaves(Still):
    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        os._exit(3)


# In a game only, after the first turns


class Later(Still):
    """A good one before turn 3."""

    def decide(self, state: np.record, player: int, budget: hsctl.Budget) -> hsctl.Decision:
        return self.fail(budget) if 3 <= state.turn < 20 and self.game_seed == 12 else hsctl.Decision(0)

    def fail(self, budget: hsctl.Budget) -> hsctl.Decision:
        raise ValueError("no idea")


class LateLater(Later):
    def fail(self, budget: hsctl.Budget) -> hsctl.Decision:
        while True:
            time.sleep(0.01)


class LeavesLater(Later):
    def fail(self, budget: hsctl.Budget) -> hsctl.Decision:
        raise SystemExit(0)


class NoAgent:
    pass
