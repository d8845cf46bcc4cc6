"""Blow the bridge: cells whose loss splits the area in which a player is safe.

    . . B . .        B is a bridge: without it the two halves of the area are apart
    # X # X .

The area is what the player can walk to within a fuse and no known bomb will burn.
"""

from engine.cells import NOTHING, common, first_cell, flood, is_empty, read, single, spread, union, without
from engine.jit import entry, inline
from engine.state import FUSE, cell_of


@inline
def safe_area(state, player, forecast):
    """Where the player can be within a fuse without being burnt."""
    area, burnt = single(cell_of(state.players[player])), NOTHING
    for _ in range(FUSE):
        area = flood(area, read(state.blocked))
    for k in range(forecast.rounds):
        burnt = union(burnt, read(forecast.fire[k]))
    return without(area, burnt)


@entry
def count_bridges(area):
    """How many cells of a set leave the cells beside them apart when they are taken away."""
    bridges, left = 0, area
    while not is_empty(left):
        bridge = single(first_cell(left))
        left, rest = without(left, bridge), without(area, bridge)
        beside = common(spread(bridge), rest)
        reach = beside if is_empty(beside) else single(first_cell(beside))
        grown = common(flood(reach, NOTHING), rest)
        while grown != reach:
            reach, grown = grown, common(flood(grown, NOTHING), rest)
        if not is_empty(without(beside, reach)):
            bridges += 1
    return bridges


@inline
def bridges_of(state, player, forecast):
    """The bridges of a living player's safe area."""
    return 0 if state.players[player] == 0 else count_bridges(safe_area(state, player, forecast))
