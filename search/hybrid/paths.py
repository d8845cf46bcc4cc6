"""Ways over the board: the first step of a shortest way to the nearest of many goals.

Every step costs one, so Dijkstra's frontier is a set of cells and the queue a series of waves. They run from the
goals, all at once, until one reaches the player; the wave before it tells where to step:

    3 2 1 G        the player on 3 is three steps from the nearest goal G,
    4 # 2 1        and the first step is to the 2 beside it
"""

from engine.board import NEIGHBOURS, U64
from engine.cells import ALL_CELLS, flood, has, single, without
from engine.jit import inline, kernel

NO_WAY = -1


@inline
def free_cells(blocked):
    """Where somebody can walk."""
    return without(ALL_CELLS, blocked)


@kernel
def first_step(cell, goals, blocked):
    """(move, steps) of a shortest way from the cell to the nearest goal; (0, 0) on one, NO_WAY twice if there is none.

    A goal may be blocked itself (a player on a bomb); the last step is then one that can't be taken.
    """
    before, reach = goals, goals
    blocked = without(blocked, single(cell))  # the player may stand on a bomb
    steps = 0
    while not has(reach, cell):
        before, reach = reach, flood(reach, blocked)
        steps += 1
        if before == reach:
            return NO_WAY, NO_WAY
    if steps == 0:
        return 0, 0
    for move in range(1, 5):
        if has(before, U64(NEIGHBOURS[cell, move])):
            return move, steps
    return NO_WAY, NO_WAY


@kernel
def reachable(cell, blocked):
    """All cells that can be walked to, the own one among them."""
    reach = single(cell)
    while True:
        grown = flood(reach, blocked)
        if grown == reach:
            return reach
        reach = grown
