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
    """How long to think: milliseconds, or nodes, whichever is given.

    `stages` gives each stage of the search its own nodes: those that a Decision recorded make it again.
    """

    ms: float | None = None
    nodes: int | None = None
    stages: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Decision:
    """What an agent decided, and what is needed to understand and to repeat it."""

    action: int
    plan: tuple[int, ...] = ()  # own actions from this turn on, as far as planned
    value: float | None = None
    nodes: int = 0
    stages: dict[str, int] = field(default_factory=dict)  # nodes by stage of the search, in order
    depth: int = 0
    carried: tuple[int, ...] = ()  # the plan brought along from the turn before
    message: str = ""

    def budget(self) -> Budget:
        """The budget with which the same agent decides the same on the same state, whatever stopped it."""
        return Budget(nodes=self.nodes, stages=self.stages)


class Agent(ABC):
    """A built-in agent."""

    largest_piece = (
        1  # nodes: a search looks at its limit before each piece of work, and so exceeds it by less than one
    )

    def __init__(self, params: Params) -> None:
        self.params = params
        self.clock: Clock = time.perf_counter_ns  # by which a budget of milliseconds is measured
        self.map = new_map()
        self.game_seed = 0
        self.player = 0
        self.mates: tuple[int, ...] = ()

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        """Forget the last game. `player` is the own seat, `mates` are the players on the same side."""
        self.map = map_
        self.player = player
        self.game_seed = game_seed
        self.mates = mates

    def see(self, state: np.record, player: int) -> None:  # noqa: B027 (most carry nothing)
        """Look at a turn of this game without deciding, to rebuild what is carried from turn to turn."""

    def recall_plan(self, turn: int, plan: Sequence[int]) -> None:  # noqa: B027 (most don't look back at it)
        """Take note of what this agent planned on a turn it did not decide: its next decision may build on that."""

    @abstractmethod
    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        """The action for this turn."""

    def seed_of(self, state: np.record) -> int:
        """The random seed of this decision: a function of game seed, seat and turn alone."""
        return mix_seed(self.game_seed, self.player, int(state.turn))

    def warm_up(self) -> None:
        """Use all kernels once: compile them, before any clock runs."""
        for use in self.warm_ups().values():
            use()

    def warm_ups(self) -> dict[str, Callable[[], None]]:
        """What warming up is made of: parts that can be compiled side by side, by name (see `search.warm`)."""
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
        """Decide as plain Python from now on, the same as ever; false for agents that would take too long."""
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
