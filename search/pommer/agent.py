"""The agent `pommer`: the cells of the last turns, and the first rule that applies."""

from random import Random

import numpy as np

from engine.position import Cell, player_of
from search.agent import Agent, Budget, Decision
from search.pommer.params import PommerParams
from search.pommer.rules import choose, look


class PommerAgent(Agent):
    params: PommerParams

    def __init__(self, params: PommerParams) -> None:
        super().__init__(params)
        self.trail: dict[int, Cell] = {}  # turn -> the own cell

    def start_game(self, map_: np.record, player: int, game_seed: int, mates: tuple[int, ...] = ()) -> None:
        super().start_game(map_, player, game_seed, mates)
        self.trail = {}

    def see(self, state: np.record, player: int) -> None:
        me = player_of(state, player)
        assert me is not None
        self.trail[int(state.turn)] = me.cell

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        self.see(state, player)
        turn = int(state.turn)
        recent = {self.trail[at] for at in range(turn - self.params.memory, turn) if at in self.trail}
        view = look(state, player, self.mates, self.params)
        action = choose(view, recent, self.params, Random(self.seed_of(state)))
        return Decision(action, (action,), None, 0, {"own": 0}, 1)
