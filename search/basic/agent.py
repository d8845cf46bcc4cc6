"""The agents `random` and `still`."""

import numpy as np

from engine.jit import entry
from engine.playing.random import next_random, pick_legal
from search.agent import Agent, Budget, Decision


@entry
def random_action(state, player, seed):
    return pick_legal(state, player, next_random(next_random(seed)))


class RandomAgent(Agent):
    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        action = int(random_action(state, player, np.uint64(self.seed_of(state))))
        return Decision(action, (action,))


class StillAgent(Agent):
    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        return Decision(0, (0,))
