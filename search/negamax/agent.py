"""The agent `negamax`: a rule for the opening, a strategy by phase and lead, then alpha-beta."""

import numpy as np

from engine.board import HEIGHT, WIDTH
from engine.cells import count_cells
from engine.game import Game
from engine.position import player_of
from engine.rules import BOMB
from search.clock import Stage
from search.common.first_moves import FirstMoves, members
from search.common.others import nearest_rival
from search.common.planning import Line, PlanningAgent, pack_plans
from search.negamax.deepen import advance, begin, make_search, make_stack
from search.negamax.evaluate import Evaluation, pieces_of
from search.negamax.params import NegamaxParams
from search.negamax.strategies import OPENING, STRATEGIES, ChosenStrategy, check_strategy, choose_strategy

CENTRE = (WIDTH // 2, HEIGHT // 2)
PIECE = 256  # nodes between two looks at the clock: a node takes longer here than elsewhere, for its evaluation


class NegamaxAgent(PlanningAgent):
    params: NegamaxParams

    def __init__(self, params: NegamaxParams) -> None:
        super().__init__(params)
        check_strategy(params.strategy)
        self.evaluation = Evaluation()
        self.stack = make_stack(params)
        self.search = make_search(params)
        self.rival: int | None = None
        self.strategy = ChosenStrategy("", "", 0, 0.0, "")

    def warm_decision(self) -> None:
        super().warm_decision()
        towards_centre(self.first_moves, Game.start(0, 2).state, self.map, 0)  # for an opening

    def prediction_share(self, others: int) -> float:
        return 0.0  # the opponent's replies are part of the search

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        self.rival = nearest_rival(state, player, self.mates)
        self.strategy = choose_strategy(
            self.params, int(state.turn), int(count_cells(state.boxes)), lead_of(state, player, self.rival)
        )
        strategy, seed = STRATEGIES[self.strategy.name], self.seed_of(state)
        self.evaluation.prepare(self.params, strategy, state, player, self.rival, self.mates, seed)
        begin(self.stack, self.search, state, self.params.depth)
        if self.strategy.phase == OPENING and (action := towards_centre(self.first_moves, state, self.map, player)):
            self.search.finished = True
            return Line([action], None, 0, 0)
        return self.search_on(stage)

    def has_hardly_begun(self, line: Line) -> bool:
        return super().has_hardly_begun(line) and not self.search.finished

    def search_on(self, stage: Stage) -> Line:
        """Search until the stage ends; the best line so far."""
        stack, search, evaluation = self.stack, self.search, self.evaluation
        while not search.finished and (limit := stage.next_limit(int(search.nodes))) is not None:
            limit = min(limit, int(search.nodes) + PIECE)
            advance(stack, search, self.map, evaluation.pair, evaluation.weights, limit)
        if not search.found_depth:
            return Line([], None, 0, int(search.nodes))
        line = stack.plies[0].line[: stack.plies[0].length].tolist()
        if self.rival is not None:
            self.thinking.plans[self.rival] = line[1::2]
            pack_plans(self.thinking.plans, self.other_actions)
        return Line(line[0::2], float(search.found_value), int(search.found_depth), int(search.nodes))


def lead_of(state: np.record, player: int, rival: int | None) -> float:
    """Pieces that the player is ahead of the opponent."""
    return float(pieces_of(state, player) - (0.0 if rival is None else pieces_of(state, rival)))


def towards_centre(first_moves: FirstMoves, state: np.record, map_: np.record, player: int) -> int | None:
    """The move that comes nearest to the centre, if one comes nearer and can be survived."""
    distances = {
        action: distance_to_centre(first_moves.after(state, map_, {player: action}), player)
        for action in members(first_moves.survivable(state, map_, player))
        if action < BOMB
    }
    best = min(distances, key=distances.__getitem__, default=0)
    return best if best and distances[best] < distance_to_centre(state, player) else None


def distance_to_centre(state: np.record, player: int) -> int:
    me = player_of(state, player)
    assert me is not None, "asked for the living only"
    return abs(me.x - CENTRE[0]) + abs(me.y - CENTRE[1])
