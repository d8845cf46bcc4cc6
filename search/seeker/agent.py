"""The agent `seeker`: which first moves it allows, and the best plan that it found."""

import numpy as np

from engine.board import OPEN_CELLS
from engine.rules import BOMB
from engine.state import MAX_TURNS
from search.clock import Stage
from search.common.first_moves import members
from search.common.planning import CarefulAgent, Line
from search.seeker.params import SeekerParams
from search.seeker.plans import SEEKING, advance, begin, make_plans, make_worth


class SeekerAgent(CarefulAgent):
    params: SeekerParams

    def __init__(self, params: SeekerParams) -> None:
        super().__init__(params)
        self.largest_piece = (params.horizon + 1) * (len(OPEN_CELLS) + 1)  # every cell of every round, and the way
        self.worth = make_worth(params)
        self.plans = make_plans(params.horizon, params.goals, self.other_actions)
        self.seeking = np.zeros(1, SEEKING)[0]

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        plans, seeking = self.plans, self.seeking
        seeking.player = player
        seeking.horizon = min(self.params.horizon, max(0, MAX_TURNS - int(state.turn)))
        begin(plans, seeking, state, self.map, self.worth, np.uint64(roots))
        while not seeking.finished and (limit := stage.next_limit(int(seeking.nodes))) is not None:
            advance(plans, seeking, self.map, self.worth, limit)
        actions = [int(action) for action in plans.best[: int(seeking.best_rounds)]]
        value = float(seeking.best_value) if actions else None
        return Line(drop_walking(actions, roots), value, len(actions), int(seeking.nodes))


def drop_walking(actions: list[int], roots: int) -> list[int]:
    """The plan with its first bomb dropped while the first step from there is taken, if that may be."""
    if len(actions) > 1 and actions[0] == BOMB and BOMB + actions[1] in members(roots):
        return [BOMB + actions[1], *actions[2:]]
    return actions
