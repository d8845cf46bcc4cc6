"""Monte Carlo tree search with progressive bias and decaying reward (Park, Shruti and Asif 2021).

Plain UCT, two terms changed: a heuristic's opinion of an action counts while it was tried little, and rewards count
the less the later they come. What the report's game has and this one has not:

    there                                          here
    -----                                          ----
    Pommerman: win = the last one living           the reward of section 6.1, as in `mcts`: boxes and bombs
    a loss is the worst result                     dead = -2, below the value of any life (mcts has the paper's 0)
    equation 3 with C = sqrt 2                     the same, over own actions
    CUSTOM_HEURISTIC 0, ADVANCED_HEURISTIC 1       h=0 (custom), h=1 (advanced)
    "other heuristic values" (its future work)     heuristic=value: section 5 after the action, less that of the root,
                                                   5 points as 1, kept between -1 and 1; asked once, when the child is
                                                   added; h is its weight
    R x gamma^k at every step (3.4)                decays=rewards: each round's reward by its distance from the root
    R x gamma^k at the end of a roll-out,          decays=value: the value of the whole roll-out, by the depth of the
      k the depth of the current node (4.1.3)        node from which it began
    roll-out depth 12, 20                          a walk ends so many rounds from the root, tree and roll-out together
    states computed again on the way down (3.2)    the same: a node is a row of own actions, no state
    the others move at random                      the same, in the tree and in the roll-out: any legal action
    BESTCHILD of the root with C = 0               the first move of highest mean
    200 iterations                                 preset paper; without it the budget decides
"""

import numpy as np

from engine.state import MAX_TURNS
from search.bias.params import DECAYS, HEURISTICS, BiasParams
from search.bias.tree import ROOT, WALK, Tree, advance, begin, make_tree
from search.clock import NO_LIMIT, Stage
from search.common.evaluate import make_weights
from search.common.planning import Line, PlanningAgent
from search.common.uct import NO_NODE, set_reward
from search.params import EvaluationParams, SpecError


class BiasAgent(PlanningAgent):
    params: BiasParams

    def __init__(self, params: BiasParams) -> None:
        super().__init__(params)
        check(params)
        self.tree = make_tree(params)
        self.weights = make_weights(EvaluationParams())
        self.walk = np.zeros(1, WALK)[0]
        self.walk.c = params.c
        self.walk.h = params.h
        self.walk.points = params.points
        self.walk.asks_value = params.heuristic == "value"
        set_reward(self.walk, params)

    def share_of_opponent(self, opponents: int) -> float:
        return 0.0  # nobody is predicted: the others move at random

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """Search; no first move is left out, so `roots` is not asked."""
        tree, walk = self.tree, self.walk
        walk.player = player
        walk.rollout = min(self.params.rollout, max(0, MAX_TURNS - int(state.turn)))
        walk.random = np.uint64(self.seed_of(state) + player)
        iterations = self.params.iterations or NO_LIMIT
        begin(tree, walk, self.map, state, self.weights)
        while walk.iterations < iterations and (limit := stage.next_limit(int(walk.nodes))) is not None:
            advance(tree, walk, self.map, self.weights, limit, iterations)
        actions, value = best_line(tree)
        return Line(actions, value, int(walk.deepest), int(walk.nodes))


def best_line(tree: Tree) -> tuple[list[int], float | None]:
    """The actions of highest mean from the root on, and the mean of the first."""
    actions: list[int] = []
    node, value = ROOT, None
    while children := [(action, int(child)) for action, child in enumerate(tree.child[node]) if child != NO_NODE]:
        action, node = max(children, key=lambda each: (tree.total[each[1]] / tree.visits[each[1]], -each[0]))
        actions.append(action)
        value = float(tree.total[node] / tree.visits[node]) if value is None else value
    return actions, value


def check(params: BiasParams) -> None:
    """Raise for names that are none."""
    if params.heuristic not in HEURISTICS:
        raise SpecError(f"bias: heuristic is one of {', '.join(HEURISTICS)}, not {params.heuristic!r}")
    if params.decays not in DECAYS:
        raise SpecError(f"bias: decays is one of {', '.join(DECAYS)}, not {params.decays!r}")
