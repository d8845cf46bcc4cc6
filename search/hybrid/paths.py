"""Ways over the board: the first step of a shortest way to the nearest of many goals.

Every step costs one, so Dijkstra's frontier is a set of cells and his queue a series of waves. They run from the
goals, all at once, until one reaches the player; the wave before it tells where to step:

    3 2 1 G        the player on 3 is three steps from the nearest goal G,
    4 # 2 1        and the 2 beside him is his first step
"""

from engine.board import NEIGHBOURS, OPEN_A, OPEN_H, OPEN_V, U64, is_in
from engine.jit import inline, kernel
from engine.survival import flood, single, without

NO_WAY = -1


@inline
def holds(cells, cell):
    """Whether a set has the cell."""
    return is_in(cell, cells[0], cells[1], cells[2])


@inline
def is_same(some, others):
    return some[0] == others[0] and some[1] == others[1] and some[2] == others[2]


@inline
def free_cells(blocked):
    """Where somebody can walk."""
    return without((OPEN_A, OPEN_H, OPEN_V), blocked)


@kernel
def first_step(cell, goals, blocked):
    """(move, steps) of a shortest way from the cell to the nearest goal; (0, 0) on one, NO_WAY twice if there is none.

    A goal may be blocked itself (a player on his bomb); the last step is then one that can't be done.
    """
    before, reach = goals, goals
    blocked = without(blocked, single(cell))  # the player may stand on a bomb
    steps = 0
    while not holds(reach, cell):
        before, reach = reach, flood(reach, blocked)
        steps += 1
        if is_same(before, reach):
            return NO_WAY, NO_WAY
    if steps == 0:
        return 0, 0
    for move in range(1, 5):
        if holds(before, U64(NEIGHBOURS[cell, move])):
            return move, steps
    return NO_WAY, NO_WAY


@kernel
def reachable(cell, blocked):
    """All cells that can be walked to, the own one among them."""
    reach = single(cell)
    while True:
        grown = flood(reach, blocked)
        if is_same(grown, reach):
            return reach
        reach = grown
