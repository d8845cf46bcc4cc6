"""The base class of user agents: Budget in, Decision out.

    import hsctl

    class Still(hsctl.Agent):
        "Never does anything."

        def decide(self, state, player, budget):
            return hsctl.Decision(0)

The contract, which `hsctl check FILE.py:Still` tests: a legal action for any budget from one node on, the state
untouched, in time, and the same decision for the same game, seed and nodes.
"""

from typing import Any, ClassVar

import numpy as np

import search.agent
from engine.game import Game
from engine.rules import ACTIONS, legal_actions
from engine.state import MAX_PLAYERS, copy_state
from search.basic.params import NoParams
from search.params import Params

FIRST_MOVES = "first moves"  # of a trace: the value of each


class Agent(search.agent.Agent):
    """Derive from it, declare PARAMS if there is something to tune, and write `decide`.

    `self.params` are the parameters, `self.map` is what the boxes hold, `self.player` the own seat, `self.mates` the
    others of the own team, `self.game_seed` a number that all randomness must come from (see `seed_of`).
    """

    PARAMS: ClassVar[type[Params]] = NoParams

    def __init__(self, params: Params | None = None) -> None:
        super().__init__(self.PARAMS() if params is None else params)

    def legal(self, state: np.record, player: int) -> list[int]:
        """The legal actions of a player: the move (stay, left, right, up, down = 0 to 4), plus 5 with a bomb."""
        bits = int(legal_actions(state, player))
        return [action for action in range(ACTIONS) if bits >> action & 1]

    def game(self, state: np.record) -> Game:
        """The position as a game of its own, to look at and to step: players, bombs, items, boxes in plain words."""
        return Game(self.map, copy_state(state), MAX_PLAYERS)

    def trace(self) -> dict[str, Any]:
        """What `hsctl explain` shows of the last decision: a title and below it a text, a number or a list of dicts.

        Under "first moves" it is {action: value}, which goes into the table of the first moves.
        """
        return {}

    def warm_decision(self) -> None:
        """Nothing by default: to compile or to load, override it."""
