"""The agent `duel`: its tree, brought along from turn to turn, and the line visited most."""

from dataclasses import replace

import numpy as np

from engine.rules import ACTIONS
from engine.state import MAX_PLAYERS
from search.agent import Budget, Decision, mix_seed
from search.clock import Stage
from search.common.others import empty_seat, nearest_rival, players_set
from search.common.planning import Line, PlanningAgent, pack_plans
from search.common.uct import NO_NODE
from search.duel.params import DuelParams
from search.duel.tree import actions_along, find_position, keep_below, make_tree, make_walk, mean_points, most_visited
from search.duel.walk import advance, begin


class DuelAgent(PlanningAgent):
    params: DuelParams

    def __init__(self, params: DuelParams) -> None:
        super().__init__(params)
        self.largest_piece = ACTIONS * ACTIONS + 1 + params.rounds  # all actions of both sides, and a simulation
        self.tree = make_tree(params)
        self.walk = make_walk(params)
        self.searched: tuple[int, int | None, bytes] | None = None  # the tree's sides and map
        self.carried: list[int] = []  # the agent's actions on the most visited line of the kept tree

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.searched = None
        self.walk.joint = self.params.joint and len(mates) == 1
        # Teammates who search for both have the same random numbers, so that with equal nodes they agree on a move.
        self.walk.seed = np.uint64(mix_seed(game_seed, min(player, *mates) if self.walk.joint else player))
        # Including the dead: the tree is kept from turn to turn, and scores must not jump.
        self.walk.mates = players_set(mates)

    def warm_decision(self) -> None:
        super().warm_decision()
        keep_below(self.tree, self.walk, int(self.walk.root))  # which no first turn needs

    def prediction_share(self, others: int) -> float:
        return 0.0  # the opponent is in the tree

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        return replace(super().decide(state, player, budget), carried=tuple(self.carried))

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        tree, walk = self.tree, self.walk
        self.prepare(state, player)
        while (limit := stage.next_limit(int(walk.nodes))) is not None:
            advance(tree, walk, self.map, limit)
        root = int(walk.root)
        line = most_visited(tree, root)
        others = [other for other in self.players_in_tree() if other != player and state.players[other]]
        self.thinking.plans = {other: self.actions_of(root, line, other) for other in others}
        pack_plans(self.thinking.plans, self.other_actions)
        value = mean_points(tree, line[0][1]) if line else None
        return Line(self.actions_of(root, line, player), value, int(walk.deepest), int(walk.nodes))

    def players_in_tree(self) -> list[int]:
        walk = self.walk
        return sorted({int(seat) for seat in (walk.player, walk.mate, walk.rival, walk.second)})

    def actions_of(self, node: int, line: list[tuple[int, int]], player: int) -> list[int]:
        """A player's actions along a line from one of our nodes."""
        if player in (self.walk.player, self.walk.mate):
            return actions_along(self.tree, self.walk, node, line, player)
        return actions_along(self.tree, self.walk, line[0][1], line[1:], player) if line else []

    def take_sides(self, state: np.record, player: int) -> None:
        """Set the two sides of the tree."""
        walk = self.walk
        if walk.joint:
            walk.player, walk.mate = sorted((player, *self.mates))
            walk.rival, walk.second = sorted(set(range(MAX_PLAYERS)) - {player, *self.mates})
            walk.alone = not state.players[walk.rival] and not state.players[walk.second]
            return
        rival = nearest_rival(state, player, self.mates)
        walk.player, walk.alone = player, rival is None
        walk.rival = empty_seat(state) if rival is None else rival
        walk.mate, walk.second = walk.player, walk.rival

    def prepare(self, state: np.record, player: int) -> None:
        """Keep the subtree of this position, or start afresh."""
        tree, walk = self.tree, self.walk
        self.take_sides(state, player)
        wanted = (player, None if walk.alone else int(walk.rival), self.map.tobytes())
        can_keep = self.params.keep and wanted == self.searched
        self.searched = wanted
        walk.nodes = walk.iterations = walk.shared = 0
        root = int(find_position(tree, walk, state)) if can_keep else NO_NODE
        line = [] if root == NO_NODE else most_visited(tree, root)
        self.carried = self.actions_of(root, line, player)
        if line:
            keep_below(tree, walk, root)
        else:
            begin(tree, walk, state)
        walk.kept = walk.tree_size if line else 0
        walk.saved = tree.spent[int(walk.root)]
