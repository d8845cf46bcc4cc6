"""The agent `duel`: its tree, brought along from turn to turn, and the line visited most."""

from dataclasses import replace

import numpy as np

from search.agent import Budget, Decision, mix_seed
from search.clock import Stage
from search.common.mates import players_set
from search.common.planning import Line, PlanningAgent, pack_plans
from search.common.rival import empty_seat, nearest_rival
from search.common.uct import NO_NODE
from search.duel.kept import find_position, keep_below
from search.duel.params import DuelParams
from search.duel.tree import make_tree, make_walk, mean_points, most_visited
from search.duel.walk import advance, begin


class DuelAgent(PlanningAgent):
    params: DuelParams

    def __init__(self, params: DuelParams) -> None:
        super().__init__(params)
        self.tree = make_tree(params)
        self.walk = make_walk(params)
        self.searched: tuple[int, int | None, bytes] | None = None  # what the tree is of: sides and map
        self.carried: list[int] = []  # own actions of the line most visited in the tree brought along

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.searched = None
        self.walk.seed = np.uint64(mix_seed(game_seed, player))
        # The dead too: the tree is kept from turn to turn, and scores must not jump.
        self.walk.mates = players_set(mates)

    def warm_decision(self) -> None:
        super().warm_decision()
        keep_below(self.tree, self.walk, int(self.walk.root))  # which no first turn needs

    def prediction_share(self, others: int) -> float:
        return 0.0  # the rival is in the tree

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        return replace(super().decide(state, player, budget), carried=tuple(self.carried))

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        tree, walk = self.tree, self.walk
        rival = nearest_rival(state, player, self.mates)
        self.prepare(state, player, rival)
        while (limit := stage.next_limit(int(walk.nodes))) is not None:
            advance(tree, walk, self.map, limit)
        line = most_visited(tree, int(walk.root))
        if rival is not None:
            self.thinking.plans = {rival: [action for action, _node in line[1::2]]}
            pack_plans(self.thinking.plans, self.other_actions)
        value = mean_points(tree, line[0][1]) if line else None
        return Line([action for action, _node in line[::2]], value, int(walk.deepest), int(walk.nodes))

    def prepare(self, state: np.record, player: int, rival: int | None) -> None:
        """Bring along what is known of this position, or start afresh."""
        tree, walk = self.tree, self.walk
        wanted = (player, rival, self.map.tobytes())
        can_keep = self.params.keep and wanted == self.searched
        self.searched = wanted
        walk.player, walk.alone = player, rival is None
        walk.rival = empty_seat(state) if rival is None else rival
        walk.nodes = walk.iterations = walk.shared = 0
        root = int(find_position(tree, walk, state)) if can_keep else NO_NODE
        line = [] if root == NO_NODE else most_visited(tree, root)
        self.carried = [action for action, _node in line[::2]]
        if line:
            keep_below(tree, walk, root)
        else:
            begin(tree, walk, state)
        walk.kept = walk.tree_size if line else 0
        walk.saved = tree.spent[int(walk.root)]
