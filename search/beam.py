"""Beam search with the paper's enhancements: the agent that was first of 2,300.

Each opponent is planned for by the same search, the others standing still, for a share of the budget; the own
search then runs with the opponents following those plans (and standing still after their end). See layers.py for
the search itself, fmp.py for what is known about first moves before it starts.
"""

from dataclasses import dataclass

import numpy as np

from engine.rules import ACTION_BITS
from engine.state import MAX_TURNS
from search.agent import Agent, Budget, Decision
from search.clock import Clock, Stage, Timer
from search.evaluate import make_weights
from search.first_moves import FirstMoves
from search.layers import SEARCH, advance, begin, best_line, make_layers
from search.params import BeamParams


@dataclass(frozen=True)
class Line:
    """The best line that a search found."""

    actions: list[int]
    value: float | None
    depth: int
    nodes: int


class BeamAgent(Agent):
    params: BeamParams

    def __init__(self, params: BeamParams) -> None:
        super().__init__(params)
        self.weights = make_weights(params)
        self.layers = make_layers(params.width)
        self.search = np.zeros(1, SEARCH)[0]
        self.first_moves = FirstMoves()
        self.clock: Clock | None = None  # for tests

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        timer = Timer(budget, self.clock) if self.clock else Timer(budget)
        stages: dict[str, int] = {}
        plans = self.predict(state, player, timer, stages) if self.params.op else {}
        roots = self.first_moves.allowed(state, self.map, player) if self.params.fmp else 0
        stage = timer.stage(1.0, sum(stages.values()))
        line = self.plan(state, player, plans, roots, stage)
        stages["own"] = line.nodes
        action = line.actions[0] if line.actions else self.first_moves.any_legal(state, player, roots)
        return Decision(
            action, tuple(line.actions) or (action,), line.value, sum(stages.values()), stages, line.depth
        )

    def predict(
        self, state: np.record, player: int, timer: Timer, stages: dict[str, int]
    ) -> dict[int, list[int]]:
        """What each living opponent would do if all others stood still."""
        opponents = [other for other in range(4) if state.players[other] and other != player]
        plans = {}
        for other in opponents:
            stage = timer.stage(self.params.op_share / len(opponents), sum(stages.values()))
            roots = self.first_moves.survivable(state, self.map, other) if self.params.fmp else 0
            line = self.plan(state, other, {}, roots, stage)
            stages[f"opponent {other}"] = line.nodes
            plans[other] = line.actions
        return plans

    def plan(
        self, state: np.record, player: int, plans: dict[int, list[int]], roots: int, stage: Stage
    ) -> Line:
        """Search for one player while the others follow their plans. `roots` = allowed first moves, 0 = all."""
        search, layers = self.search, self.layers
        search.player = player
        search.max_depth = max(0, MAX_TURNS - int(state.turn))
        search.roots = roots or ~0 & 0x3FF
        search.width = self.params.width
        search.local = self.params.local
        search.has_local = self.params.lb
        search.drops_duplicates = self.params.zh
        search.checks_survival = self.params.sc
        search.unsurvivable = self.params.unsurvivable
        layers.others[:] = pack_plans(plans, layers.others.size)
        begin(layers, search, state, self.map)
        while not search.finished and (limit := stage.next_limit(int(search.nodes))) is not None:
            advance(layers, search, self.map, self.weights, limit)
        depth = int(search.depth)
        value = float(layers.score[depth, 0]) if depth else None
        return Line(best_line(layers, depth), value, depth, int(search.nodes))


def pack_plans(plans: dict[int, list[int]], length: int) -> np.ndarray:
    """The plans of several players as packed actions per turn; who has none left stands still."""
    packed = np.zeros(length, np.uint64)
    for player, actions in plans.items():
        steps = np.array(actions[:length], np.uint64)
        packed[: steps.size] |= steps << np.uint64(int(ACTION_BITS) * player)
    return packed
