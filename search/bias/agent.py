"""The agent `bias`: its tree for every plan, and the line of highest mean, or of most visits, in it."""

import numpy as np

from engine.state import MAX_TURNS
from search.bias.params import BONUSES, CHOICES, DECAYS, HEURISTICS, BiasParams
from search.bias.tree import ROOT, WALK, BiasTree, advance, begin, make_tree
from search.clock import NO_LIMIT, Stage
from search.common.evaluate import make_weights
from search.common.params import EvaluationParams
from search.common.planning import Line, PlanningAgent
from search.common.uct import NO_NODE, set_reward
from search.params import SpecError


class BiasAgent(PlanningAgent):
    params: BiasParams

    def __init__(self, params: BiasParams) -> None:
        super().__init__(params)
        check(params)
        self.largest_piece = params.rollout  # from the root to the end of a simulation
        self.tree = make_tree(params)
        self.weights = make_weights(EvaluationParams())
        self.walk = np.zeros(1, WALK)[0]
        self.walk.c = params.c
        self.walk.h = params.h
        self.walk.points = params.points
        self.walk.asks_value = params.heuristic == "value"
        self.walk.normalises = params.normalise
        self.walk.bonus = BONUSES.index(params.bonus)
        set_reward(self.walk, params)

    def prediction_share(self, others: int) -> float:
        return 0.0  # nobody is predicted: the others move at random

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """Search all first moves, whatever `roots` allows."""
        tree, walk = self.tree, self.walk
        walk.player = player
        walk.rollout = min(self.params.rollout, max(0, MAX_TURNS - int(state.turn)))
        walk.random = np.uint64(self.seed_of(state) + player)
        iterations = self.params.iterations or NO_LIMIT
        begin(tree, walk, self.map, state, self.weights)
        while walk.iterations < iterations and (limit := stage.next_limit(int(walk.nodes))) is not None:
            advance(tree, walk, self.map, self.weights, limit, iterations)
        actions, value = best_line(tree, self.params.choose == "visits")
        return Line(actions, value, int(walk.deepest), int(walk.nodes))


def best_line(tree: BiasTree, by_visits: bool = False) -> tuple[list[int], float | None]:
    """The actions of highest mean (or of most visits, then of highest mean) from the root on; the mean of the first."""
    actions: list[int] = []
    node, value = ROOT, None
    while children := [(action, int(child)) for action, child in enumerate(tree.child[node]) if child != NO_NODE]:
        means = {child: float(tree.total[child] / tree.visits[child]) for _action, child in children}
        visits = {child: int(tree.visits[child]) if by_visits else 0 for child in means}
        action, node = max(children, key=lambda each: (visits[each[1]], means[each[1]], -each[0]))
        actions.append(action)
        value = means[node] if value is None else value
    return actions, value


def check(params: BiasParams) -> None:
    """Raise for a word that its parameter doesn't know."""
    for name, words in (("heuristic", HEURISTICS), ("decays", DECAYS), ("choose", CHOICES), ("bonus", BONUSES)):
        if getattr(params, name) not in words:
            raise SpecError(f"bias: {name} is one of {', '.join(words)}, not {getattr(params, name)!r}")
