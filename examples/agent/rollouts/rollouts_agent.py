"""Flat Monte Carlo on the engine's own kernels: random play after each first move, the best average wins.

    for each first move, in turn
        play it, then random legal moves for LENGTH rounds, the others standing still
        score what was reached: boxes scored, alive or not

`search` is compiled by numba. It calls kernels of the engine as if they were functions of its own: `play_round` plays a
round in place, `legal_actions` and `pick_legal` know what may be done, `is_survivable` whether there is a way out.
"""

import time
from dataclasses import dataclass

import numpy as np
from numba import njit

import hsctl
from engine.random import next_random, pick_legal
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import MAX_TURNS, new_states
from engine.survival import is_survivable

PIECE = 2000  # nodes between two looks at the clock
DEAD = -20.0  # points


@dataclass(frozen=True)
class RolloutsParams(hsctl.Params):
    length: int = hsctl.param(12, "rounds of a rollout; a bomb takes 8 to explode", "guess", least=1, most=40)
    decay: float = hsctl.param(0.97, "factor of a box's worth per round", "guess", least=0.1, most=1)


@njit(cache=True)
def score_rollout(states, map_, player, action, random, length, decay):
    """Points of one rollout from states[0], which stays as it is, how many rounds it had, and the random state."""
    states[1] = states[0]
    state = states[1]
    points, factor, rounds = 0.0, 1.0, 0
    while rounds < length and state.turn < MAX_TURNS:
        if rounds > 0:
            random = next_random(random)
            action = pick_legal(state, player, random)
        scored = state.scored[player]
        play_round(state, map_, pack(player, action))
        rounds += 1
        points += factor * (np.float64(state.scored[player]) - np.float64(scored))
        factor *= decay
        if state.players[player] == 0:
            return points + DEAD, rounds, random
    if not is_survivable(state, map_, player):
        points += DEAD
    return points, rounds, random


@njit(cache=True)
def search(states, map_, player, random, length, decay, limit, sums, visits):
    """Rollouts of one first move after the other, up to `limit` nodes. Returns the nodes and the random state."""
    legal = legal_actions(states[0], player)
    nodes = 0
    while nodes < limit:
        for action in range(ACTIONS):
            if legal >> np.uint64(action) & np.uint64(1) and nodes < limit:
                most = min(length, limit - nodes)
                points, rounds, random = score_rollout(states, map_, player, np.uint64(action), random, most, decay)
                sums[action] += points
                visits[action] += 1
                nodes += rounds
        if states[0].turn >= MAX_TURNS:
            break
    return nodes, random


class Rollouts(hsctl.Agent):
    """Plays random games after each first move, and takes the best on average."""

    PARAMS = RolloutsParams

    def __init__(self, params=None):
        super().__init__(params)
        self.states = new_states(2)
        self.sums = np.zeros(ACTIONS)
        self.visits = np.zeros(ACTIONS, np.int64)

    def warm_decision(self):
        """Compile the search before any clock runs."""
        game = hsctl.Game.from_seed(0, players=2)
        self.start_game(game.map, 0, 0)
        self.decide(game.state, 0, hsctl.Budget(nodes=100))

    def decide(self, state, player, budget):
        started = time.perf_counter()
        self.states[0] = state
        self.sums[:] = 0.0
        self.visits[:] = 0
        random, nodes = np.uint64(self.seed_of(state)), 0
        while nodes == 0 or self.goes_on(budget, nodes, started):
            piece = PIECE if budget.nodes is None else min(PIECE, budget.nodes - nodes)
            done, random = search(
                self.states, self.map, player, random, *self.settings_of(), piece, self.sums, self.visits
            )
            nodes += done
        best = int(np.argmax(np.where(self.visits > 0, self.sums / np.maximum(self.visits, 1), -np.inf)))
        value = float(self.sums[best] / self.visits[best])
        return hsctl.Decision(best, (best,), value, nodes, {"own": nodes}, self.params.length)

    def settings_of(self):
        return self.params.length, self.params.decay

    def goes_on(self, budget, nodes, started):
        """By nodes, or by the clock: one more piece takes about as long as those before."""
        if budget.nodes is not None:
            return nodes < budget.nodes
        spent = 1000 * (time.perf_counter() - started)
        return spent * (1 + 2 * PIECE / nodes) < (budget.ms or 0)

    def trace(self):
        tried = [action for action in range(ACTIONS) if self.visits[action]]
        return {
            "first moves": {action: self.sums[action] / self.visits[action] for action in tried},
            "rollouts": [{"action": hsctl.ACTION_NAMES[action], "visits": self.visits[action]} for action in tried],
        }
