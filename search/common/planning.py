"""The frame of all agents that plan: predict each opponent by the same search, then plan against those plans.

At the beginning of a turn each opponent is planned for by the agent's own algorithm, the others standing still,
for a share of the budget; the own search then runs with the opponents following these plans, and standing still
after their end.
"""

import time
from abc import abstractmethod
from dataclasses import dataclass, field

import numpy as np

from engine.rules import ACTION_BITS
from engine.state import MAX_PLAYERS, MAX_TURNS
from search.agent import Agent, Budget, Decision
from search.clock import Clock, Stage, Timer, pass_name
from search.common.first_moves import FirstMoves
from search.params import Params

ALL_ROOTS = 0  # no opinion about first moves
Plans = dict[int, list[int]]  # player -> his actions from this turn on


@dataclass(frozen=True)
class Line:
    """The best line that a search found."""

    actions: list[int]
    value: float | None
    depth: int
    nodes: int
    passes: dict[int, int] = field(default_factory=dict)  # nodes by width, if it was done in several passes

    def stages(self, name: str) -> dict[str, int]:
        """How a stage of this name is recorded."""
        return {pass_name(name, width): nodes for width, nodes in self.passes.items()} or {name: self.nodes}


@dataclass
class Thinking:
    """What the last decision was made of, left behind for `hsctl explain`."""

    plans: Plans = field(default_factory=dict)
    roots: int = ALL_ROOTS


class PlanningAgent(Agent):
    """An agent with a search of its own and predicted opponents."""

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.first_moves = FirstMoves()
        self.clock: Clock = time.perf_counter_ns
        self.thinking = Thinking()
        self.others = np.zeros(MAX_TURNS + 1, np.uint64)  # packed actions of the other players, by turn from now

    @abstractmethod
    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """Search for one player while the others do as `self.others` says. `roots`: allowed first moves."""

    @abstractmethod
    def share_of_opponent(self, opponents: int) -> float:
        """Which share of the budget goes into predicting each of so many opponents."""

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        """The own first moves worth searching, as ten bits. What it takes to find out is a stage too."""
        return ALL_ROOTS

    def opponent_roots(self, state: np.record, player: int) -> int:
        """The first moves of an opponent worth searching."""
        return ALL_ROOTS

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        timer = Timer(budget, self.clock)
        stages: dict[str, int] = {}
        plans = self.predict(state, player, timer, stages)
        roots = self.own_roots(state, player, timer, stages)
        self.thinking = Thinking(plans, roots)
        pack_plans(plans, self.others)
        line = self.plan(state, player, roots, timer.stage("own", 1.0, sum(stages.values())))
        stages |= line.stages("own")
        actions = line.actions or [self.first_moves.any_legal(state, player, roots)]
        return Decision(actions[0], tuple(actions), line.value, sum(stages.values()), stages, line.depth)

    def opponents(self, state: np.record, player: int) -> list[int]:
        """The living others, a mate too: all of them are predicted."""
        return [other for other in range(MAX_PLAYERS) if state.players[other] and other != player]

    def rivals(self, state: np.record, player: int) -> list[int]:
        """The living others that may want the player dead."""
        return [other for other in self.opponents(state, player) if other not in self.mates]

    def predict(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> Plans:
        """What each living opponent would do if all others stood still."""
        opponents = self.opponents(state, player)
        plans: Plans = {}
        pack_plans({}, self.others)
        for other in opponents:
            share = self.share_of_opponent(len(opponents))
            if share:
                name = f"opponent {other}"
                stage = timer.stage(name, share, sum(stages.values()))
                line = self.plan(state, other, self.opponent_roots(state, other), stage)
                stages |= line.stages(name)
                plans[other] = line.actions
        return plans


def pack_plans(plans: Plans, packed: np.ndarray) -> None:
    """Fill in the plans of several players as packed actions per turn; who has none left stands still."""
    packed[:] = 0
    for player, actions in plans.items():
        steps = np.array(actions[: packed.size], np.uint64)
        packed[: steps.size] |= steps << np.uint64(int(ACTION_BITS) * player)
