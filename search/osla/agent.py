"""The agent `osla`: all legal actions tried, the best one taken."""

import numpy as np

from engine.rules import ACTIONS
from search.agent import Agent, Budget, Decision
from search.common.evaluate import evaluate_terms, make_weights
from search.common.first_moves import FirstMoves
from search.osla.params import OslaParams


class OslaAgent(Agent):
    params: OslaParams

    def __init__(self, params: OslaParams) -> None:
        super().__init__(params)
        self.weights = make_weights(params)
        self.first_moves = FirstMoves()

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        legal = self.first_moves.legal(state, player)[: budget.nodes or ACTIONS]
        values = {action: self.value_after(state, player, action) for action in legal}
        best = max(values, key=values.__getitem__)
        return Decision(best, (best,), values[best], len(values), {"own": len(values)}, 1)

    def value_after(self, state: np.record, player: int, action: int) -> float:
        after = self.first_moves.after(state, self.map, {player: action})
        return float(sum(evaluate_terms(after, self.map, player, self.weights).values()))
