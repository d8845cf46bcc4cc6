"""The frame of all agents that plan: predict each other player by the same search, then plan against those plans.

At the beginning of a turn every living other is planned for by the agent's own algorithm, everybody else standing
still, for a share of the budget; the own search then runs with the others following these plans, and standing still
after their end.
"""

import time
from abc import abstractmethod
from dataclasses import dataclass, field

import numpy as np

from engine.game import Game
from engine.rules import ACTION_BITS
from engine.state import MAX_PLAYERS, MAX_TURNS
from search.agent import Agent, Budget, Decision
from search.clock import Clock, Stage, Timer, pass_name
from search.common.first_moves import FirstMoves
from search.params import Params

ALL_ROOTS = 0  # no opinion about first moves
Plans = dict[int, list[int]]  # player -> actions from this turn on


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
    depths: dict[int, int] = field(default_factory=dict)  # player -> how deep the search for their plan got


class PlanningAgent(Agent):
    """An agent with a search of its own that predicts the others."""

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.first_moves = FirstMoves()
        self.clock: Clock = time.perf_counter_ns
        self.thinking = Thinking()
        self.other_actions = np.zeros(MAX_TURNS + 1, np.uint64)  # packed, of the other players, by turn from now

    @abstractmethod
    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """Search for one player while the others do as `self.other_actions` says. `roots`: allowed first moves."""

    @abstractmethod
    def prediction_share(self, others: int) -> float:
        """Which share of the budget goes into predicting each of so many others."""

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        """The own first moves worth searching, as ten bits. What it takes to find out is a stage too."""
        return ALL_ROOTS

    def roots_of_other(self, state: np.record, other: int) -> int:
        """The first moves worth searching when another player is predicted."""
        return ALL_ROOTS

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        timer = Timer(budget, self.clock)
        stages: dict[str, int] = {}
        self.thinking = Thinking()
        plans = self.predict(state, player, timer, stages)
        roots = self.own_roots(state, player, timer, stages)
        self.thinking.plans, self.thinking.roots = plans, roots
        pack_plans(plans, self.other_actions)
        line = self.plan(state, player, roots, timer.stage("own", 1.0, sum(stages.values())))
        stages |= line.stages("own")
        actions = line.actions or [self.first_moves.any_legal(state, player, roots)]
        return Decision(actions[0], tuple(actions), line.value, sum(stages.values()), stages, line.depth)

    def warm_decision(self) -> None:
        super().warm_decision()
        self.first_moves.any_legal(Game.start(0, 2).state, 0, ALL_ROOTS)  # for a search that finds nothing

    def living_others(self, state: np.record, player: int) -> list[int]:
        """Rivals and mates: all of them are predicted."""
        return [other for other in range(MAX_PLAYERS) if state.players[other] and other != player]

    def living_rivals(self, state: np.record, player: int) -> list[int]:
        """The living others that may want the player dead."""
        return [other for other in self.living_others(state, player) if other not in self.mates]

    def plan_for(self, state: np.record, other: int, roots: int, stage: Stage) -> Line:
        """Search for another player."""
        return self.plan(state, other, roots, stage)

    def predict(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> Plans:
        """What each living other would do if everybody else stood still."""
        others = self.living_others(state, player)
        plans: Plans = {}
        pack_plans({}, self.other_actions)
        for other in others:
            share = self.prediction_share(len(others))
            if share:
                name = f"opponent {other}"  # replays record the stage by this name
                stage = timer.stage(name, share, sum(stages.values()))
                line = self.plan_for(state, other, self.roots_of_other(state, other), stage)
                stages |= line.stages(name)
                plans[other] = line.actions
                self.thinking.depths[other] = line.depth
        return plans


class CarefulAgent(PlanningAgent):
    """One that predicts nobody, and doesn't search first moves that can't be survived or that rivals can punish."""

    def warm_decision(self) -> None:
        super().warm_decision()
        self.first_moves.use_kernels(Game.start(0, 2).state, self.map)

    def prediction_share(self, others: int) -> float:
        return 0.0

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        rivals = self.living_rivals(state, player)
        return self.first_moves.allowed(state, self.map, player, rivals, is_alone=not self.mates)


def pack_plans(plans: Plans, packed: np.ndarray) -> None:
    """Fill in the plans of several players as packed actions per turn; whoever has none left stands still."""
    packed[:] = 0
    for player, actions in plans.items():
        steps = np.array(actions[: packed.size], np.uint64)
        packed[: steps.size] |= steps << np.uint64(int(ACTION_BITS) * player)
