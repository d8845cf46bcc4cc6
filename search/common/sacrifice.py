"""The sacrifice: dying together with the last rival, within two rounds, when the boxes then surely win.

    a move is one    if after every reply both burn in the next fire and the boxes win,
                     or some second move makes every second reply end so in the fire after

The kernels work on a stack of states: states[k] is the position before round k.
"""

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import entry, inline, kernel
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import FUSE
from engine.survival import joint

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
    """Whether this action in states[1] ends in a winning death, whatever the rival replies."""
    for reply in range(ACTIONS):
        if has_bit(legal_actions(states[1], rival), reply):
            if not play_both(states, 1, map_, player, action, rival, reply):
                return False
            if not wins_dead(states, 2, map_, player, rival):
                return False
    return True


@kernel
def has_second(states, map_, player, rival):
    """Whether some action in states[1] is such a one."""
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
    """All such actions, as ten bits. `states` is room for SACRIFICE_STATES of them."""
    found = ZERO
    if not (is_due(state, 1) or is_due(state, 2)):
        return found
    states[0] = state
    for action in range(ACTIONS):
        if has_bit(legal_actions(state, player), action) and is_sacrifice(states, map_, player, action, rival):
            found |= ONE << U64(action)
    return found
