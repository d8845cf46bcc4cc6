"""First move pruning: what is certain about the first moves before any search.

    survivable   moves after which the known bombs can be survived (others standing still)
    killing      moves with which an opponent dies whatever he does; if there is one, only such
    sacrifice    dying together with the last opponent when the boxes then surely win

Sets of actions are numbers of ten bits.
"""

import numpy as np

from engine.board import ONE, TWO, U64, ZERO
from engine.jit import kernel
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import STATE
from engine.survival import KILL_SCRATCH, is_survivable, joint, killing_actions


@kernel
def survivable_actions(state, map_, player, scratch):
    """The legal actions after which the player can survive the known bombs, the others standing still."""
    found = ZERO
    legal = legal_actions(state, player)
    for action in range(ACTIONS):
        if (legal >> U64(action)) & ONE != ZERO:
            scratch[0] = state
            play_round(scratch[0], map_, U64(action) << (U64(player) << TWO))
            if is_survivable(scratch[0], map_, player):
                found |= ONE << U64(action)
    return found


@kernel
def wins_dead(states, map_, player, enemy):
    """Whether both die in the coming round (states[0]; states[1] is room) with more boxes for the player."""
    states[1] = states[0]
    play_round(states[1], map_, ZERO)
    after = states[1]
    return after.players[player] == 0 and after.players[enemy] == 0 and after.scored[player] > after.scored[enemy]


@kernel
def sacrifices(state, map_, player, enemy, scratch):
    """Actions after which both burn in the next round, whatever the enemy does now, and the boxes win."""
    found = ZERO
    mine, his = legal_actions(state, player), legal_actions(state, enemy)
    for action in range(ACTIONS):
        if (mine >> U64(action)) & ONE == ZERO:
            continue
        is_sure = True
        for reply in range(ACTIONS):
            if is_sure and (his >> U64(reply)) & ONE != ZERO:
                scratch[0] = state
                play_round(scratch[0], map_, joint(player, action, enemy, reply))
                is_alive = scratch[0].players[player] != 0 and scratch[0].players[enemy] != 0
                is_sure = is_alive and wins_dead(scratch, map_, player, enemy)
        if is_sure:
            found |= ONE << U64(action)
    return found


class FirstMoves:
    """Prunes first moves; holds the room that the kernels need."""

    def __init__(self) -> None:
        self.scratch = np.zeros(KILL_SCRATCH, STATE)

    def survivable(self, state: np.record, map_: np.record, player: int) -> int:
        return int(survivable_actions(state, map_, player, self.scratch))

    def allowed(self, state: np.record, map_: np.record, player: int) -> int:
        """The first moves worth searching; 0 = no opinion, all of them."""
        enemies = [other for other in range(4) if state.players[other] and other != player]
        if len(enemies) == 1:
            sacrifice = int(sacrifices(state, map_, player, enemies[0], self.scratch))
            if sacrifice:
                return sacrifice
        survivable = self.survivable(state, map_, player)
        killing = 0
        for enemy in enemies:
            killing |= int(killing_actions(state, map_, player, enemy, self.scratch))
        return survivable & killing or survivable

    def any_legal(self, state: np.record, player: int, preferred: int) -> int:
        """Some legal action, of the preferred ones if there are any."""
        legal = preferred or int(legal_actions(state, player))
        return (legal & -legal).bit_length() - 1
