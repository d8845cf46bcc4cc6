"""Traps: points for an own bomb that leaves rivals no way out."""

from engine.board import U64, ZERO, has_bit
from engine.cells import common, count_cells, flood, has, is_empty, read, single, without
from engine.jit import inline
from engine.state import MAX_PLAYERS, cell_of
from search.common.forecast import survivable_from


@inline
def trap_term(layers, search, parent, base, facts, around, forecast):
    """Points for the own bomb on the board `around`, whose forecast is given: rivals whom it leaves no way out.

    Each rival counts by whether they are caught where they are predicted, and by how many of the cells that they might
    be on.
    """
    before = read(facts.safe)
    trapped = without(before, survivable_from(around, forecast, layers.blocked))
    if is_empty(trapped):
        return 0.0
    share = 0.0
    for other in range(MAX_PLAYERS):
        packed = U64(base.players[other])
        if other == search.player or packed == ZERO or has_bit(search.mates, other):
            continue
        might = common(flood(single(cell_of(parent.players[other])), read(parent.blocked)), before)
        count = count_cells(might)
        if count != 0:
            share += (1.0 - search.trust) * count_cells(common(might, trapped)) / count
            if has(trapped, cell_of(packed)):
                share += search.trust
    return search.trap[search.depth] * share
