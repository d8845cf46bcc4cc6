"""First move pruning: facts about the first moves before any search.

    survivable   moves after which the known bombs can be survived (others staying)
    killing      moves after which an opponent dies whatever they do; if there are any, only these
    sacrifice    dying together with the last opponent within two rounds if the boxes then surely win: after any reply
                 both burn in the next fire, or some second move makes every second reply end so in the fire after

Sets of actions are numbers of ten bits. The kernels of the sacrifice work on a stack of states: states[k] is the
position before round k.
"""

from collections.abc import Sequence

import numpy as np

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import entry, inline, kernel
from engine.rules import ACTION_BITS, ACTIONS, legal_actions, play_round
from engine.state import FUSE, STATE, copy_state
from engine.survival import ALL_ACTIONS, KILL_SCRATCH, is_lost, is_lost_to, is_survivable, joint

SACRIFICE_STATES = 4  # before two rounds, after them, and after the last fire


@inline
def is_due(state, rounds):
    """Whether a bomb explodes in the fire after so many rounds."""
    return state.bombs[(state.turn + rounds) % FUSE] != 0


@inline
def play_both(states, k, map_, player, action, rival, reply):
    """states[k + 1] is states[k] after both actions. Whether both live."""
    states[k + 1] = states[k]
    play_round(states[k + 1], map_, joint(player, action, rival, reply))
    return states[k + 1].players[player] != 0 and states[k + 1].players[rival] != 0


@inline
def wins_dead(states, k, map_, player, rival):
    """Whether the fire that comes before all actions in states[k] burns both and leaves the player with more boxes."""
    states[k + 1] = states[k]
    play_round(states[k + 1], map_, ZERO)
    burnt = states[k + 1]
    is_dead = burnt.players[player] == 0 and burnt.players[rival] == 0
    return is_dead and burnt.scored[player] > burnt.scored[rival]


@inline
def is_second(states, map_, player, action, rival):
    """Whether this action in states[1] ends in a winning death, whatever the opponent replies."""
    for reply in range(ACTIONS):
        if has_bit(legal_actions(states[1], rival), reply):
            if not play_both(states, 1, map_, player, action, rival, reply):
                return False
            if not wins_dead(states, 2, map_, player, rival):
                return False
    return True


@kernel
def has_second(states, map_, player, rival):
    """Whether `is_second` holds for some action in states[1]."""
    if not is_due(states[1], 1):
        return False
    for action in range(ACTIONS):
        if has_bit(legal_actions(states[1], player), action) and is_second(states, map_, player, action, rival):
            return True
    return False


@inline
def is_sacrifice(states, map_, player, action, rival):
    """Whether the player surely wins by dying within two rounds that begin with this action in states[0]."""
    for reply in range(ACTIONS):
        if has_bit(legal_actions(states[0], rival), reply):
            if not play_both(states, 0, map_, player, action, rival, reply):
                return False
            if not (wins_dead(states, 1, map_, player, rival) or has_second(states, map_, player, rival)):
                return False
    return True


@entry
def find_sacrifices(state, map_, player, rival, states):
    """All sacrifices, as ten bits. `states` is scratch for SACRIFICE_STATES states."""
    found = ZERO
    if not (is_due(state, 1) or is_due(state, 2)):
        return found
    states[0] = state
    for action in range(ACTIONS):
        if has_bit(legal_actions(state, player), action) and is_sacrifice(states, map_, player, action, rival):
            found |= ONE << U64(action)
    return found


def members(actions: int) -> list[int]:
    """A set of actions as a list."""
    return [action for action in range(ACTIONS) if actions >> action & 1]


def pack_actions(actions: dict[int, int]) -> np.uint64:
    """The actions of some players, everybody else staying, as `play_round` takes them."""
    return np.uint64(sum(action << int(ACTION_BITS) * player for player, action in actions.items()))


class FirstMoves:
    """Prunes first moves; holds the scratch states for that."""

    def __init__(self) -> None:
        self.scratch = np.zeros(KILL_SCRATCH, STATE)

    def legal(self, state: np.record, player: int) -> list[int]:
        return members(int(legal_actions(state, player)))

    def after(self, state: np.record, map_: np.record, actions: dict[int, int]) -> np.record:
        """The state after one round with these players' actions; the next call overwrites it."""
        self.scratch[0] = state
        play_round(self.scratch[0], map_, pack_actions(actions))
        return self.scratch[0]

    def survivable(self, state: np.record, map_: np.record, player: int) -> int:
        """The moves after which the known bombs can be survived."""
        return sum(
            1 << action
            for action in self.legal(state, player)
            if is_survivable(self.after(state, map_, {player: action}), map_, player)
        )

    def killing(self, state: np.record, map_: np.record, player: int, rival: int) -> int:
        """The moves with which the opponent is lost within two rounds, whatever they do, and the player is not."""
        if not is_lost(state, map_, rival, player, ALL_ACTIONS, ALL_ACTIONS, self.scratch):
            return 0
        return sum(
            1 << action for action in self.legal(state, player) if self.is_killing(state, map_, player, rival, action)
        )

    def is_killing(self, state: np.record, map_: np.record, player: int, rival: int, action: int) -> bool:
        """Whether the opponent is lost after this move and a second one that the player survives."""
        between = copy_state(self.after(state, map_, {player: action}))
        seconds = np.uint64(self.survivable(between, map_, player))
        return bool(is_lost_to(state, map_, rival, player, ALL_ACTIONS, np.uint64(1 << action), seconds, self.scratch))

    def punishable(self, state: np.record, map_: np.record, player: int, rival: int) -> int:
        """The moves after which the opponent can surely kill the player within two rounds."""
        return sum(
            1 << action
            for action in self.legal(state, player)
            if is_lost(state, map_, player, rival, np.uint64(1 << action), ALL_ACTIONS, self.scratch)
        )

    def sacrifices(self, state: np.record, map_: np.record, player: int, rival: int) -> int:
        """The moves with which both burn within two rounds, whatever the opponent does, and the boxes win."""
        return int(find_sacrifices(state, map_, player, rival, self.scratch[:SACRIFICE_STATES]))

    def allowed(
        self, state: np.record, map_: np.record, player: int, rivals: Sequence[int], is_alone: bool = True
    ) -> int:
        """The first moves worth searching; 0 = no opinion, all of them.

        A player with a teammate sacrifices nothing, because the team's boxes decide.
        """
        if is_alone and len(rivals) == 1 and (sacrifice := self.sacrifices(state, map_, player, rivals[0])):
            return sacrifice
        survivable = self.survivable(state, map_, player)
        killing = 0
        for rival in rivals:
            killing |= self.killing(state, map_, player, rival)
        return survivable & killing or survivable

    def use_kernels(self, state: np.record, map_: np.record) -> None:
        """Use all pruning kernels once: most positions need only some of them."""
        self.allowed(state, map_, 0, [1])
        self.is_killing(state, map_, 0, 1, 0)
