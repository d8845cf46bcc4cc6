"""The score of a position: what one side has minus what the other has, so negated it is the other's.

length    box x boxes destroyed + item x items taken       a dead player's items are gone
health    life while alive
dead end  -dead_end on a cell that hangs on the free cells by one way only
space     space x cells within 8 steps, the time a bomb takes
"""

import numpy as np

from engine.cells import count_cells, flood, has, read, single, union, with_two_neighbours
from engine.jit import inline, kernel
from engine.maps import START_BOMBS, START_RANGE
from engine.state import FUSE, MAX_TURNS, cell_of, range_of
from search.common.evaluate import owned_bombs
from search.common.others import mates_lost


@inline
def is_over(state, walk):
    """Whether nothing that follows counts: one of the sides is dead, or the game has ended."""
    ours, theirs = state.players[walk.player] | state.players[walk.mate], state.players[walk.rival]
    is_dead = ours == 0 or ((theirs | state.players[walk.second]) == 0 and walk.alone == 0)
    return is_dead or state.turn >= MAX_TURNS


@inline
def items_of(state, player):
    """How many items a living player has taken."""
    return np.int64(range_of(state.players[player])) - START_RANGE + owned_bombs(state, player) - START_BOMBS


@inline
def is_dead_end(state, cell):
    """Whether the cell is lost when cells with one way out are closed again and again."""
    blocked = read(state.blocked)
    free = union((~blocked[0], ~blocked[1], ~blocked[2]), single(cell))
    while has(free, cell):
        left = with_two_neighbours(free)
        if left == free:
            return False
        free = left
    return True


@inline
def count_space(state, cell):
    """How many cells can be reached within the time of a bomb."""
    reach = single(cell)
    for _ in range(FUSE):
        reach = flood(reach, read(state.blocked))
    return count_cells(reach)


@inline
def side_of(state, player, walk):
    """What a player has."""
    points = walk.box * state.scored[player]
    if state.players[player] == 0:
        return points
    cell = cell_of(state.players[player])
    points += walk.life + walk.item_points * items_of(state, player)
    if walk.dead_end != 0.0 and is_dead_end(state, cell):
        points -= walk.dead_end
    if walk.space != 0.0:
        points += walk.space * count_space(state, cell)
    return points


@kernel
def score(state, walk):
    """The points of our side against the other; where sides are players, a dead mate costs the points of a life."""
    if walk.joint:
        ours = side_of(state, walk.player, walk) + side_of(state, walk.mate, walk)
        return ours - side_of(state, walk.rival, walk) - side_of(state, walk.second, walk)
    lost = walk.life * mates_lost(state, walk.mates)
    return side_of(state, walk.player, walk) - side_of(state, walk.rival, walk) - lost
