"""The agent `mcts`: which first moves it allows, and the line of highest maximum in its tree."""

import numpy as np

from engine.state import MAX_TURNS
from search.clock import Stage, Timer
from search.common.planning import ALL_ROOTS, Line, PlanningAgent
from search.common.uct import NO_NODE, set_reward
from search.mcts.params import DISTANCES, MctsParams
from search.mcts.tree import MAX_DEPTH, WALK, MctsTree, advance, begin, make_tree
from search.params import SpecError


class MctsAgent(PlanningAgent):
    params: MctsParams

    def __init__(self, params: MctsParams) -> None:
        super().__init__(params)
        if params.distance not in DISTANCES:
            raise SpecError(f"mcts: distance is one of {', '.join(DISTANCES)}, not {params.distance!r}")
        self.largest_piece = 1 + params.rollout  # a new node and its simulation
        self.tree = make_tree(params, self.other_actions)
        self.walk = np.zeros(1, WALK)[0]
        self.walk.rollout = params.rollout
        self.walk.horizon = params.horizon or MAX_DEPTH + params.rollout
        self.walk.distance = DISTANCES.index(params.distance)
        self.walk.c = params.c
        set_reward(self.walk, params)

    def prediction_share(self, others: int) -> float:
        return self.params.op_share

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        """The first moves that no opponent can punish, or all if there are none."""
        if not self.params.careful:
            return ALL_ROOTS
        punishable = 0
        for rival in self.living_rivals(state, player):
            punishable |= self.first_moves.punishable(state, self.map, player, rival)
        legal = sum(1 << action for action in self.first_moves.legal(state, player))
        return legal & ~punishable

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        tree, walk = self.tree, self.walk
        walk.player = player
        walk.max_depth = max(0, min(MAX_TURNS - int(state.turn), int(walk.horizon)))
        walk.random = np.uint64(self.seed_of(state) + player)
        begin(tree, walk, state, np.uint64(roots))
        while (limit := stage.next_limit(int(walk.nodes))) is not None:
            advance(tree, walk, self.map, limit)
        actions, value = best_line(tree)
        if self.params.whole and player != self.player:  # an opponent's bombs go off after the tree's end
            actions = [int(action) for action in tree.best_line[: walk.best_length]]
        return Line(actions, value, int(walk.deepest), int(walk.nodes))


def best_line(tree: MctsTree) -> tuple[list[int], float | None]:
    """The actions of highest maximum from the root on, and that maximum."""
    actions: list[int] = []
    node, value = 0, None
    while True:
        children = [(action, int(child)) for action, child in enumerate(tree.child[node]) if child != NO_NODE]
        if not children:
            return actions, value
        action, node = max(children, key=lambda each: (tree.best[each[1]], tree.visits[each[1]]))
        actions.append(action)
        value = float(tree.best[node]) if value is None else value
