"""The agents `random` and `still`."""

import numpy as np

from engine.compile.plain import plainly
from engine.jit import entry
from engine.random import next_random, pick_legal
from search.agent import Agent, Budget, Decision
from search.params import Params


@entry
def random_action(state, player, seed):
    return pick_legal(state, player, next_random(next_random(seed)))


class RandomAgent(Agent):
    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.random_action = random_action

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        action = int(self.random_action(state, player, np.uint64(self.seed_of(state))))
        return Decision(action, (action,))

    def play_plainly(self) -> bool:
        self.random_action = plainly(random_action)
        return True


class StillAgent(Agent):
    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        return Decision(0, (0,))

    def play_plainly(self) -> bool:
        return True
