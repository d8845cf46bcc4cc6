"""Beam search with the paper's enhancements: the agent that was first of 2,300.

    zh    duplicates are dropped by their hash             op    opponents are predicted (planning.py)
    lb    at most 12 states per own cell in a layer        sc    states that can't be survived lose score
    fmp   first moves are pruned before the search (first_moves.py)

The search itself is in layers.py.
"""

import numpy as np

from engine.state import MAX_TURNS
from search.clock import Stage
from search.evaluate import make_weights
from search.layers import SEARCH, advance, begin, best_line, make_layers
from search.params import BeamParams
from search.planning import ALL_ROOTS, Line, PlanningAgent


class BeamAgent(PlanningAgent):
    params: BeamParams

    def __init__(self, params: BeamParams) -> None:
        super().__init__(params)
        self.weights = make_weights(params)
        self.layers = make_layers(params.width, self.others)
        self.search = np.zeros(1, SEARCH)[0]
        self.search.width = params.width
        self.search.local = params.local
        self.search.has_local = params.lb
        self.search.drops_duplicates = params.zh
        self.search.checks_survival = params.sc
        self.search.unsurvivable = params.unsurvivable

    def share_of_opponent(self, opponents: int) -> float:
        return self.params.op_share / opponents if self.params.op else 0.0

    def own_roots(self, state: np.record, player: int) -> int:
        return self.first_moves.allowed(state, self.map, player) if self.params.fmp else ALL_ROOTS

    def opponent_roots(self, state: np.record, player: int) -> int:
        return self.first_moves.survivable(state, self.map, player) if self.params.fmp else ALL_ROOTS

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        search, layers = self.search, self.layers
        search.player = player
        search.max_depth = max(0, MAX_TURNS - int(state.turn))
        begin(layers, search, state, self.map, self.weights, np.uint64(roots))
        while not search.finished and (limit := stage.next_limit(int(search.nodes))) is not None:
            advance(layers, search, self.map, self.weights, limit)
        depth = int(search.depth)
        value = float(layers.score[depth, 0]) if depth else None
        return Line(best_line(layers, depth), value, depth, int(search.nodes))
