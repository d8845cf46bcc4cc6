"""The contract of all agents: Budget in, Decision out.

An agent is made once (its memory is allocated then), is notified when a game starts, and is asked for one decision
a turn. It must give a legal action for any budget from one node on, leave the given state untouched, and with
the same game seed and node budget decide the same on any machine.

A node is one successor position that a search looks at: for the beam a legal child, made or not; for the others a call
of `step`.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.state import MAX_TURNS, new_map
from search.params import Params

Clock = Callable[[], int]  # nanoseconds


@dataclass(frozen=True)
class Budget:
    """How long to think: in milliseconds or in nodes.

    `stages` gives each stage of the search its own nodes; with those of a recorded Decision, the agent repeats it.
    """

    ms: float | None = None
    nodes: int | None = None
    stages: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Decision:
    """An agent's action, and all it takes to understand and repeat the decision."""

    action: int
    plan: tuple[int, ...] = ()  # the agent's actions from this turn on, as far as planned
    value: float | None = None
    nodes: int = 0
    stages: dict[str, int] = field(default_factory=dict)  # nodes by stage of the search, in order
    depth: int = 0
    carried: tuple[int, ...] = ()  # the plan brought along from the turn before
    message: str = ""

    def budget(self) -> Budget:
        """The budget that repeats this decision on the same state, whatever stopped it."""
        return Budget(nodes=self.nodes, stages=self.stages)


class Agent(ABC):
    """A built-in agent."""

    largest_piece = (
        1  # nodes: a search checks its limit before each piece of work, so it exceeds it by less than one piece
    )

    def __init__(self, params: Params) -> None:
        self.params = params
        self.clock: Clock = time.perf_counter_ns  # by which a budget of milliseconds is measured
        self.map = new_map()
        self.game_seed = 0
        self.player = 0
        self.mates: tuple[int, ...] = ()

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        """Forget the last game. `player` is the agent's seat, `mates` are its teammates."""
        self.map = map_
        self.player = player
        self.game_seed = game_seed
        self.mates = mates

    def see(self, state: np.record, player: int) -> None:  # noqa: B027 (most carry nothing)
        """Look at a turn without deciding, to rebuild the memory that is carried from turn to turn."""

    def recall_plan(self, turn: int, plan: Sequence[int]) -> None:  # noqa: B027 (most don't look back at it)
        """Remember this agent's recorded plan of an earlier turn: its next decision may build on that."""

    @abstractmethod
    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        """The action for this turn."""

    def seed_of(self, state: np.record) -> int:
        """The random seed of this decision: a function of game seed, seat and turn alone."""
        return mix_seed(self.game_seed, self.player, int(state.turn))

    def warm_up(self) -> None:
        """Use all kernels once, so that they are compiled before any clock runs."""
        for use in self.warm_ups().values():
            use()

    def warm_ups(self) -> dict[str, Callable[[], None]]:
        """The parts of `warm_up` that can be compiled in parallel, by name (see `search.warm`)."""
        return {"": self.warm_decision}

    def warm_decision(self) -> None:
        """Decide once by nodes and once by time."""
        from engine.game import Game

        game = Game.start(0, 2)
        game.state.turn = MAX_TURNS // 2  # past any opening
        self.start_game(game.map, 0, 0)
        self.decide(game.state, 0, Budget(nodes=200))
        self.decide(game.state, 0, Budget(ms=1.0))

    def play_plainly(self) -> bool:
        """Switch to plain Python, with the same decisions; False for agents that would take too long."""
        return False

    def settings(self) -> dict[str, Any]:
        """All parameters, for the record of a game."""
        return self.params.as_dict()


def mix_seed(*numbers: int) -> int:
    """One 64-bit seed of several numbers (splitmix64), never 0."""
    mask = (1 << 64) - 1
    mixed = 0x9E3779B97F4A7C15
    for number in numbers:
        z = (mixed + (number & mask) * 0xBF58476D1CE4E5B9 + 0x9E3779B97F4A7C15) & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        mixed = z ^ z >> 31
    return mixed or 1
