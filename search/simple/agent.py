"""The agent `simple`: the action of highest value."""

import numpy as np

from engine.compile.plain import plainly
from engine.rules import ACTIONS
from engine.state import STATE
from engine.survival import new_forecast
from search.agent import Agent, Budget, Decision
from search.simple.params import SimpleParams
from search.simple.rules import value_actions


class SimpleAgent(Agent):
    def __init__(self, params: SimpleParams) -> None:
        super().__init__(params)
        self.weights = (params.box, params.item, params.decay)
        self.value_actions = value_actions
        self.states = np.zeros(2, STATE)
        self.forecast = new_forecast()
        self.worth = np.zeros(256)  # [cell]
        self.values = np.zeros(ACTIONS)

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        self.states[0] = state
        nodes = self.value_actions(self.states, self.map, player, *self.weights, self.forecast, self.worth, self.values)
        action = int(self.values.argmax())
        return Decision(action, (action,), float(self.values[action]), nodes, {"actions": nodes}, 1)

    def play_plainly(self) -> bool:
        """It takes about 20 ms."""
        self.value_actions = plainly(value_actions)
        return True
