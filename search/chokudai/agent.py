"""The agent `chokudai`: which first moves it allows, and the best state of the deepest queue."""

import numpy as np

from engine.rules import ACTIONS
from engine.state import MAX_TURNS
from search.chokudai.params import ChokudaiParams
from search.chokudai.queues import NOBODY, SWEEP, Queues, advance, begin, make_queues
from search.clock import Stage
from search.common.evaluate import make_weights
from search.common.planning import CarefulAgent, Line
from search.memory import take_memory


class ChokudaiAgent(CarefulAgent):
    params: ChokudaiParams
    largest_piece = ACTIONS  # the children of one state

    def __init__(self, params: ChokudaiParams) -> None:
        super().__init__(params)
        self.weights = make_weights(params)
        self.queues = make_queues(params.capacity, params.depth, self.other_actions)
        self.sweep = np.zeros(1, SWEEP)[0]
        self.sweep.each = params.each

    def warm_decision(self) -> None:
        """Touch all memory as well: any turn may be the first to need it."""
        super().warm_decision()
        take_memory(self.queues)

    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        queues, sweep = self.queues, self.sweep
        sweep.player = player
        sweep.max_depth = min(self.params.depth, max(0, MAX_TURNS - int(state.turn)))
        begin(queues, sweep, state, np.uint64(roots))
        while not sweep.finished and (limit := stage.next_limit(int(sweep.nodes))) is not None:
            advance(queues, sweep, self.map, self.weights, limit)
        best = deepest(queues)
        actions = line_to(queues, best)
        value = float(queues.score[best]) if actions else None
        return Line(actions, value, len(actions), int(sweep.nodes))


def deepest(queues: Queues) -> int:
    """The best state of the deepest queue that is not empty."""
    return int(queues.best[np.flatnonzero(queues.best != NOBODY)[-1]])


def line_to(queues: Queues, number: int) -> list[int]:
    """The actions that lead to a state."""
    actions: list[int] = []
    while queues.parent[number] != NOBODY:
        actions.append(int(queues.action[number]))
        number = int(queues.parent[number])
    return actions[::-1]
