"""What the searches maximise: the evader's score (equation 1) and the attacker's (equation 2).

    evader     100 - sum over bombs i of p_i x 25 x (11 - tick_i) / 10      p_i: reaches the agent and tick_i < 10
    attacker   100 x (1 - safe / area)      safe: cells within two steps of the target that no bomb reaches
                                            area: all tiles within two cells of it, walls too

A mate's death takes 100 off the attacker's score. How many ticks a turn has is a parameter (`fuse`, see agent.py).

    the target T, a bomb B of range 5, walls #:       area 13, reached by walking 8, in the bomb's reach 4 of these

              .               .                       100 x (1 - 4 / 13) = 69
            # . #           # . #
          . . T . B       * * * * B
            # . #           # . #
              .               .
"""

from engine.blast import blast
from engine.board import U64, ZERO, count_cells
from engine.jit import inline, kernel
from engine.state import BYTE, FUSE, RANGE_SHIFT, SLOT, SLOT_BITS
from engine.survival import flood, read, single, without
from search.common.mates import mates_lost
from search.hybrid.danger import obstacles_of, row_of
from search.hybrid.paths import holds

START = 100.0
BOMB_WEIGHT = 25.0
HORIZON = 10.0  # ticks
SHARE_FROM = 11.0


@inline
def lost_to(tick):
    """What a bomb that reaches the agent takes off the score."""
    return BOMB_WEIGHT * (SHARE_FROM - tick) / HORIZON


@kernel
def evader_score(state, cell, ticks):
    """Equation 1 for an agent on the cell, with so many ticks a turn."""
    obstacles = obstacles_of(state)
    score = START
    for timer in range(1, FUSE + 1):
        if timer * ticks >= HORIZON:
            break
        slots = state.bombs[row_of(state, timer)]
        while slots != ZERO:
            bomb = slots & SLOT
            slots >>= SLOT_BITS
            if bomb != ZERO and holds(blast(bomb & BYTE, bomb >> RANGE_SHIFT, obstacles), cell):
                score -= lost_to(timer * ticks)
    return score


@kernel
def attacker_score(state, target, steps, areas):
    """Equation 2 for a target player; the most if he is dead."""
    him = U64(state.players[target])
    if him == ZERO:
        return START
    obstacles = obstacles_of(state)
    safe = single(him & BYTE)
    for _ in range(steps):
        safe = flood(safe, read(state.blocked))
    for row in range(FUSE):
        slots = state.bombs[row]
        while slots != ZERO:
            bomb = slots & SLOT
            slots >>= SLOT_BITS
            if bomb != ZERO:
                safe = without(safe, blast(bomb & BYTE, bomb >> RANGE_SHIFT, obstacles))
    return START * (1.0 - count_cells(safe[0], safe[1], safe[2]) / areas[him & BYTE])


@kernel
def score_of(state, player, target, search, areas):
    """The score of a state for the search under way; `target` is below 0 in flight."""
    me = U64(state.players[player])
    if me == ZERO:
        return search.dead
    if target < 0:
        return evader_score(state, me & BYTE, search.ticks)
    return attacker_score(state, target, search.flood, areas) - START * mates_lost(state, search.mates)
