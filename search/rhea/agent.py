"""The agent `rhea`: an evolution for every plan, its fittest individual as the line."""

import numpy as np

from engine.state import MAX_TURNS
from search.clock import Stage
from search.common.evaluate import make_weights
from search.common.planning import Line, PlanningAgent
from search.params import SpecError
from search.rhea.evolution import CHANCE, EVOLUTION, UNTRIED, advance, begin, make_pool
from search.rhea.params import RheaParams

CROSSOVERS = ("one-point", "uniform")
REPLACEMENTS = ("plus", "comma")


class RheaAgent(PlanningAgent):
    params: RheaParams

    def __init__(self, params: RheaParams) -> None:
        super().__init__(params)
        check(params)
        self.largest_piece = params.length  # an individual's genes
        self.weights = make_weights(params)
        self.pool = make_pool(params, self.other_actions)
        self.evolution = np.zeros(1, EVOLUTION)[0]
        self.evolution.population = params.population
        self.evolution.mutation = np.uint64(params.mutation * int(CHANCE))
        self.evolution.is_uniform = params.crossover == "uniform"
        self.evolution.parents_compete = params.replacement == "plus"
        self.evolution.punishment = params.punishment

    def prediction_share(self, others: int) -> float:
        return self.params.op_share

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        pool, evolution = self.pool, self.evolution
        evolution.player = player
        evolution.random = np.uint64(self.seed_of(state) + player)
        evolution.max_length = min(self.params.length, max(1, MAX_TURNS - int(state.turn)))
        begin(pool, evolution, state)
        while (limit := stage.next_limit(int(evolution.nodes))) is not None:
            advance(pool, evolution, self.map, self.weights, limit)
        best = int(pool.fitness.argmax())
        value = float(pool.fitness[best]) if pool.fitness[best] > UNTRIED else None
        actions = [int(action) for action in pool.done[best, : pool.length[best]]]
        return Line(actions, value, len(actions), int(evolution.nodes))


def check(params: RheaParams) -> None:
    """Raise for parameters that no evolution can run with."""
    if params.crossover not in CROSSOVERS:
        raise SpecError(f"rhea: crossover is one of {', '.join(CROSSOVERS)}, not {params.crossover!r}")
    if params.replacement not in REPLACEMENTS:
        raise SpecError(f"rhea: replacement is one of {', '.join(REPLACEMENTS)}, not {params.replacement!r}")
    if params.offspring < params.population:
        raise SpecError(f"rhea: offspring must be at least the population, {params.population}, not {params.offspring}")
