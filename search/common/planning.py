"""The base of all agents that plan: predict each other player by the same search, then plan against those plans.

At the beginning of a turn every living other is planned for by the agent's own algorithm, everybody else standing
still, for a share of the budget; the main search then runs with the others following these plans, and standing still
after their end.

Time can run out before the main search finds anything. Then the agent continues the last turn's plan, if its next
action can be survived. That plan is in the replay, so such a decision can be repeated on its own.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.game import Game
from engine.rules import ACTION_BITS, legal_actions
from engine.state import MAX_PLAYERS, MAX_TURNS
from search.agent import Agent, Budget, Decision
from search.clock import Stage, Timer, pass_name
from search.common.first_moves import FirstMoves, members
from search.params import Params

ALL_ROOTS = 0  # no opinion about first moves
OWN_STAGE, LAST_PLAN = "own", "last plan"  # stages; replays record them by these names
SAFE_MOVE = "safe move"  # not a stage: decides when a search ended too early
FEW_NODES = 100  # a main search with fewer knows hardly anything about first moves
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
    """The parts of the last decision, for `hsctl explain`."""

    plans: Plans = field(default_factory=dict)
    roots: int = ALL_ROOTS
    depths: dict[int, int] = field(default_factory=dict)  # player -> how deep the search for their plan got
    decided_by: str = OWN_STAGE  # the stage whose line was chosen, or SAFE_MOVE


class PlanningAgent(Agent):
    """An agent with a search of its own that predicts the others."""

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.first_moves = FirstMoves()
        self.thinking = Thinking()
        self.other_actions = np.zeros(MAX_TURNS + 1, np.uint64)  # packed, of the other players, by turn from now
        self.planned: tuple[int, tuple[int, ...]] = (0, ())  # the turn of the last decision, and its plan

    @abstractmethod
    def plan(self, state: np.record, player: int, roots: int, stage: Stage) -> Line:
        """Search for one player while the others follow `self.other_actions`. `roots`: allowed first moves."""

    @abstractmethod
    def prediction_share(self, others: int) -> float:
        """Which share of the budget goes into predicting each of so many others."""

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        """The player's first moves worth searching, as ten bits. Finding them is a stage too."""
        return ALL_ROOTS

    def roots_of_other(self, state: np.record, other: int) -> int:
        """The first moves worth searching when another player is predicted."""
        return ALL_ROOTS

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.planned = 0, ()

    def recall_plan(self, turn: int, plan: Sequence[int]) -> None:
        self.planned = turn, tuple(plan)

    def last_plan(self, state: np.record) -> list[int]:
        """The rest of the last turn's plan; empty if there is none."""
        turn, plan = self.planned
        return list(plan[1 : 1 + MAX_TURNS - int(state.turn)]) if turn + 1 == int(state.turn) else []

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        timer = Timer(budget, self.clock)
        stages: dict[str, int] = {}
        self.thinking = Thinking()
        self.look_first(state, player, timer, stages)
        plans = self.predict(state, player, timer, stages)
        roots = self.own_roots(state, player, timer, stages)
        self.thinking.plans, self.thinking.roots = plans, roots
        pack_plans(plans, self.other_actions)
        line = self.plan_own(state, player, roots, timer, stages)
        self.recall_plan(int(state.turn), line.actions)
        return Decision(line.actions[0], tuple(line.actions), line.value, sum(stages.values()), stages, line.depth)

    def look_first(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> None:
        """Runs first, so that a decision exists even after a stall."""

    def plan_own(self, state: np.record, player: int, roots: int, timer: Timer, stages: dict[str, int]) -> Line:
        """The main search, or its replacement if it found nothing."""
        line, last = self.search_own(state, player, roots, timer, stages), self.last_plan(state)
        if not line.actions and last and timer.has(LAST_PLAN) and last[0] in self.safe_moves(state, player, roots):
            stages[LAST_PLAN] = 1  # one round was played to see that it can be survived
            self.thinking.decided_by = LAST_PLAN
            return replace(line, actions=last)
        return self.survive(state, player, roots, line)

    def search_own(self, state: np.record, player: int, roots: int, timer: Timer, stages: dict[str, int]) -> Line:
        line = self.plan(state, player, roots, timer.stage(OWN_STAGE, 1.0, sum(stages.values())))
        stages |= line.stages(OWN_STAGE)
        return line

    def survive(self, state: np.record, player: int, roots: int, line: Line) -> Line:
        """The line, or some safe move if the search had no time to find one."""
        if line.actions and not self.has_hardly_begun(line):
            return line
        moves = self.safe_moves(state, player, roots)
        if line.actions and line.actions[0] in moves:
            return line
        self.thinking.decided_by = SAFE_MOVE
        return Line(moves[:1], None, 0, line.nodes)

    def has_hardly_begun(self, line: Line) -> bool:
        """Whether a search ended so early that it may not even know which first moves can be survived."""
        return line.nodes < FEW_NODES

    def safe_moves(self, state: np.record, player: int, roots: int) -> list[int]:
        """The first moves to choose from without a search: those that can be survived, allowed ones if possible;
        if none can, all legal ones."""
        survivable = self.first_moves.survivable(state, self.map, player)
        return members(survivable & roots or survivable or roots or int(legal_actions(state, player)))

    def warm_decision(self) -> None:
        super().warm_decision()
        self.safe_moves(Game.start(0, 2).state, 0, ALL_ROOTS)  # for a search that finds nothing

    def living_others(self, state: np.record, player: int) -> list[int]:
        """Opponents and teammates: all of them are predicted."""
        return [other for other in range(MAX_PLAYERS) if state.players[other] and other != player]

    def living_rivals(self, state: np.record, player: int) -> list[int]:
        """The living others that may want the player dead."""
        return [other for other in self.living_others(state, player) if other not in self.mates]

    def plan_for(self, state: np.record, other: int, roots: int, stage: Stage) -> Line:
        """Search for another player."""
        return self.plan(state, other, roots, stage)

    def predict(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> Plans:
        """The plan of each other living player, if everybody else stays."""
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
    """An agent that predicts nobody, and skips first moves that can't be survived or that opponents can punish."""

    def warm_decision(self) -> None:
        super().warm_decision()
        self.first_moves.use_kernels(Game.start(0, 2).state, self.map)

    def prediction_share(self, others: int) -> float:
        return 0.0

    def own_roots(self, state: np.record, player: int, timer: Timer, stages: dict[str, int]) -> int:
        rivals = self.living_rivals(state, player)
        return self.first_moves.allowed(state, self.map, player, rivals, is_alone=not self.mates)

    def safe_moves(self, state: np.record, player: int, roots: int) -> list[int]:
        return members(roots) or super().safe_moves(state, player, roots)  # to die on purpose is allowed too


def pack_plans(plans: Plans, packed: np.ndarray) -> None:
    """Fill in the plans of several players as packed actions per turn; players without one stay."""
    packed[:] = 0
    for player, actions in plans.items():
        steps = np.array(actions[: packed.size], np.uint64)
        packed[: steps.size] |= steps << np.uint64(int(ACTION_BITS) * player)
