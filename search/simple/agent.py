"""The agent `simple`: the action of highest value."""

import numpy as np

from engine.rules import ACTIONS
from engine.state import STATE
from engine.survival import FORECAST
from search.agent import Agent, Budget, Decision
from search.simple.params import SimpleParams
from search.simple.rules import decide_simple


class SimpleAgent(Agent):
    def __init__(self, params: SimpleParams) -> None:
        super().__init__(params)
        self.weights = (params.box, params.item, params.decay)
        self.states = np.zeros(2, STATE)
        self.future = np.zeros(1, FORECAST)[0]
        self.worth = np.zeros(256)  # [cell]
        self.values = np.zeros(ACTIONS)

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        self.states[0] = state
        nodes = decide_simple(self.states, self.map, player, *self.weights, self.future, self.worth, self.values)
        action = int(self.values.argmax())
        return Decision(action, (action,), float(self.values[action]), nodes, {"actions": nodes}, 1)
