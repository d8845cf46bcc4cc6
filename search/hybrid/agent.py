"""The agent `hybrid`: the machine, and its search where the machine leaves the decision to it."""

import numpy as np

from engine.game import Game
from engine.rules import ACTIONS
from engine.state import MAX_TURNS, STATE, cell_of
from search.agent import Agent, Budget, Decision
from search.clock import Stage, Timer
from search.common.first_moves import FirstMoves, members
from search.common.others import living_mates, players_set
from search.common.planning import FEW_NODES
from search.common.uct import NO_NODE, mean_of
from search.hybrid.machine import ATTACK, MACHINE, NOBODY, NOT_VISITED, consider, make_rules, make_workspace
from search.hybrid.params import CHOICES, NEAR, SEARCHES, SELECTIONS, HybridParams
from search.hybrid.tree import (
    advance_breadth,
    advance_flat,
    advance_tree,
    begin,
    best_mean,
    best_of_frontier,
    best_score,
    make_search,
    make_tree,
)
from search.params import SpecError

ADVANCES = {"bfs": advance_breadth, "mcts": advance_tree, "fmcs": advance_flat}


class HybridAgent(Agent):
    params: HybridParams
    largest_piece = ACTIONS  # the children of one state

    def __init__(self, params: HybridParams) -> None:
        check(params)
        super().__init__(params)
        self.first_moves = FirstMoves()
        self.rules = make_rules(params)
        self.workspace = make_workspace(params)
        self.machine = np.zeros(1, MACHINE)[0]
        self.tree = make_tree(params)
        self.search = make_search(params)
        self.advance = ADVANCES.get(params.search)

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.rules.mates = players_set(mates)
        self.workspace.trail[:] = NOT_VISITED

    def warm_decision(self) -> None:
        super().warm_decision()
        if self.advance is not None:  # no opening needs a search
            self.run(np.zeros(1, STATE)[0], 0, Timer(Budget(nodes=50)).stage("own", 1.0, 0))
            self.best_line()
            self.tree.visits[0] = 1  # a node without visits has no mean
            mean_of(self.tree, 0)
            self.survive(Game.start(0, 2).state, 0, [0])

    def see(self, state: np.record, player: int) -> None:
        self.workspace.trail[int(state.turn)] = int(cell_of(state.players[player]))

    @property
    def is_searching(self) -> bool:
        """Whether the last decision was the search's."""
        return self.advance is not None and bool(self.machine.searches)

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        stage = Timer(budget, self.clock).stage("own", 1.0, 0)
        self.see(state, player)
        consider(state, self.map, player, self.rules, self.workspace, self.machine)
        actions, value, nodes = [int(self.machine.action)], None, 0
        if self.is_searching:
            self.run(state, player, stage)
            line, value = self.best_line()
            actions, nodes = line or actions, int(self.search.nodes)
            if nodes < FEW_NODES:
                actions = self.survive(state, player, actions)
        return Decision(actions[0], tuple(actions), value, nodes, {"own": nodes}, len(actions))

    def survive(self, state: np.record, player: int, actions: list[int]) -> list[int]:
        """The line, or a move that can be survived if the line can't and some move can."""
        survivable = self.first_moves.survivable(state, self.map, player)
        moves = members(survivable & int(self.machine.allowed) or survivable)
        return actions if not moves or actions[0] in moves else moves[:1]

    def run(self, state: np.record, player: int, stage: Stage) -> None:
        """Search until the stage ends."""
        assert self.advance is not None
        search = self.search
        search.player = player
        search.rival = self.machine.rival if self.machine.state == ATTACK else NOBODY
        search.mates = living_mates(state, self.mates)
        search.allowed = self.machine.allowed
        search.max_depth = max(0, MAX_TURNS - int(state.turn))
        search.random = np.uint64(self.seed_of(state))
        begin(self.tree, search, state)
        while not search.finished and (limit := stage.next_limit(int(search.nodes))) is not None:
            self.advance(self.tree, search, self.map, limit)

    def best_line(self) -> tuple[list[int], float | None]:
        """The actions that lead to the best score, and that score; none if every move is deadly."""
        if self.params.search == "bfs":
            leaf = int(best_of_frontier(self.tree, self.search))
            return self.actions_to(leaf), None if leaf == NO_NODE else float(self.tree.total[leaf])
        actions: list[int] = []
        value, node = None, 0
        is_best = self.params.choose == "best"
        while (node := int(best_score(self.tree, node) if is_best else best_mean(self.tree, node))) != NO_NODE:
            actions.append(int(self.tree.action[node]))
            if value is None:
                value = float(self.tree.best[node] if is_best else mean_of(self.tree, node))
        return actions, value

    def actions_to(self, node: int) -> list[int]:
        """The actions from the root to a node."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.tree.action[node]))
            node = int(self.tree.parent[node])
        return actions[::-1]


def check(params: HybridParams) -> None:
    """Raise for parameters that no search can run with."""
    for name, words in (("search", SEARCHES), ("select", SELECTIONS), ("near", NEAR), ("choose", CHOICES)):
        if getattr(params, name) not in words:
            raise SpecError(f"hybrid: {name} is one of {', '.join(words)}, not {getattr(params, name)!r}")
    if params.least > params.most:
        raise SpecError(f"hybrid: least is at most `most`, {params.most}, not {params.least}")
