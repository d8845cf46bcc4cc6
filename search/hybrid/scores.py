"""What the searches maximise: the evader's score (equation 1) and the attacker's (equation 2).

    evader     100 - sum over bombs i of p_i x 25 x (11 - tick_i) / 10      p_i: reaches the agent and tick_i < 10
    attacker   100 x (1 - safe / area)      safe: cells within two steps of the rival that no bomb reaches
                                            area: all tiles within two cells of the rival, walls too

A mate's death takes 100 off the attacker's score. How many ticks a turn has is a parameter (`fuse`, see the package).

    the rival R, a bomb B of range 5, walls #:        area 13, reached by walking 8, in the bomb's reach 4 of these

              .               .                       100 x (1 - 4 / 13) = 69
            # . #           # . #
          . . R . B       * * * * B
            # . #           # . #
              .               .
"""

from engine.blast import blast
from engine.board import ZERO
from engine.cells import count_cells, flood, has, read, single, without
from engine.jit import entry, inline, kernel
from engine.state import FUSE, MAX_PLAYERS, bomb_in, cell_of, range_of, row_in
from search.common.mates import mates_lost
from search.hybrid.danger import obstacles_of

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
        row = state.bombs[row_in(state, timer - 1)]
        for owner in range(MAX_PLAYERS):
            bomb = bomb_in(row, owner)
            if bomb != ZERO and has(blast(cell_of(bomb), range_of(bomb), obstacles), cell):
                score -= lost_to(timer * ticks)
    return score


@kernel
def attacker_score(state, rival, steps, areas):
    """Equation 2 against a rival; the most if the rival is dead."""
    if state.players[rival] == 0:
        return START
    cell, obstacles = cell_of(state.players[rival]), obstacles_of(state)
    safe = single(cell)
    for _ in range(steps):
        safe = flood(safe, read(state.blocked))
    for row in range(FUSE):
        for owner in range(MAX_PLAYERS):
            bomb = bomb_in(state.bombs[row], owner)
            if bomb != ZERO:
                safe = without(safe, blast(cell_of(bomb), range_of(bomb), obstacles))
    return START * (1.0 - count_cells(safe) / areas[cell])


@entry
def score_of(state, player, rival, search, areas):
    """The score of a state for the search under way; `rival` is below 0 in Evade."""
    if state.players[player] == 0:
        return search.dead
    if rival < 0:
        return evader_score(state, cell_of(state.players[player]), search.ticks)
    return attacker_score(state, rival, search.flood, areas) - START * mates_lost(state, search.mates)
