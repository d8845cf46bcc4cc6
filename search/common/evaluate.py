"""The paper's evaluation of a state (its section 5), term by term.

    1  boxes      a point for each box destroyed
    2  range      0.9 min(5, range) + 0.4 range
    3  bombs      3.4 min(2, extra) + 1.7 min(4, extra) + 0.7 extra;  extra = capacity - 1, or capacity with `first`
    4  future     gamma^d for each box that the player's bombs on the board will destroy in d turns
    5  players    0.05 x mean distance to the living others
    6  place      above 20 boxes -0.04 x distance to the centre, else -0.1 x mean distance to the boxes
    7  dead       -1000

Public bots add to term 3 `out` for each of the player's bombs on the board, and to term 6 `sum_boxes` x the sum of the
distances to all boxes. Where `early` is on, a box to be destroyed in d turns is worth 1 - early x d instead.

Distances are Manhattan. A box counts in term 4 until it is destroyed, then in term 1, never in both. Term 4 needs
`hits`: byte k is the number of boxes that the player will destroy k rounds from now (see survival.hits_ahead).
"""

import numpy as np

from engine.board import CELLS, HEIGHT, ONE, OPEN_CELLS, U64, WIDTH, X_OF, Y_OF, ZERO, distance, lowest_bit, words_of
from engine.cells import common, count_cells, read
from engine.jit import entry, inline
from engine.state import BYTE, FUSE, MAX_PLAYERS, bomb_in, cell_of, range_of, record, stock_of
from engine.survival import hits_ahead
from search.common.params import EvaluationParams

TERMS = ("boxes", "range", "bombs", "future", "players", "place", "dead")
CENTRE_X, CENTRE_Y = WIDTH // 2, HEIGHT // 2
THREE = U64(3)

WEIGHTS = record(
    [
        *((name, np.float64) for name in EvaluationParams().as_dict()),
        ("decay", np.float64, FUSE + 1),  # gamma^d
        ("early", np.float64),  # for searches that know when a box was destroyed: see beam/params.py
        ("rivals", np.float64),  # the cost of another player's point, for searches that count them
        ("mates", np.uint64),  # teammates, whose points cost nothing: a slot of ones for each
    ]
)


def make_weights(params: EvaluationParams) -> np.record:
    """The weights as the kernels read them."""
    weights = np.zeros(1, WEIGHTS)[0]
    for name in EvaluationParams().as_dict():
        weights[name] = getattr(params, name)
    factor, early = 1.0, getattr(params, "early", 0.0)
    weights["early"] = early
    for d in range(FUSE + 1):  # by products, not by a power: the same on any machine
        weights["decay"][d] = max(0.0, 1.0 - early * d) if early else factor
        factor *= params.gamma
    return weights


def make_prefixes() -> tuple[np.ndarray, np.ndarray]:
    """The sets of cells with column <= x, and with row <= y."""
    columns = [words_of([cell for cell in OPEN_CELLS if cell[0] <= x]) for x in range(WIDTH)]
    rows = [words_of([cell for cell in OPEN_CELLS if cell[1] <= y]) for y in range(HEIGHT)]
    return np.array(columns), np.array(rows)


COLUMNS_TO, ROWS_TO = make_prefixes()  # [x or y, word]
DISTANCE_BITS = (WIDTH + HEIGHT - 2).bit_length()


def make_distances() -> np.ndarray:
    """For each bit of a distance the set of cells whose distance to a cell has it: sums are counts of bits."""
    table = np.zeros((256, DISTANCE_BITS, 3), np.uint64)  # [cell, bit, word]
    xs, ys = np.array(OPEN_CELLS).T
    distances = abs(xs[:, None] - xs) + abs(ys[:, None] - ys)
    words = np.array([words_of([cell]) for cell in OPEN_CELLS])  # [cell, word]
    for bit in range(DISTANCE_BITS):
        table[CELLS[ys, xs], bit] = (distances >> bit & 1).astype(np.uint64) @ words
    return table


DISTANCES = make_distances()


@inline
def count_in(boxes, cells):
    return count_cells(common(boxes, cells))


@inline
def box_distance(boxes, cell):
    """The sum of the distances from a cell to all boxes."""
    total = 0
    for bit in range(DISTANCE_BITS):
        total += count_in(boxes, DISTANCES[cell, bit]) << bit
    return total


@inline
def box_distance_after(boxes, count, cell, distance, to):
    """box_distance of a neighbour cell, from that of the cell: all boxes come one nearer or go one farther."""
    x, y = np.int64(X_OF[cell]), np.int64(Y_OF[cell])
    to_x, to_y = np.int64(X_OF[to]), np.int64(Y_OF[to])
    if to_x != x:
        behind = count_in(boxes, COLUMNS_TO[min(x, to_x)])
        return distance + (2 * behind - count) * (to_x - x)
    behind = count_in(boxes, ROWS_TO[min(y, to_y)])
    return distance + (2 * behind - count) * (to_y - y)


@inline
def placed_bombs(state, player):
    """How many bombs of the player are on the board."""
    count = ZERO
    for row in range(FUSE):
        count += U64(bomb_in(state.bombs[row], player) != ZERO)
    return count


@inline
def owned_bombs(state, player):
    """How many bombs the player can have on the board at once."""
    return np.int64(stock_of(state.players[player]) + placed_bombs(state, player))


@inline
def range_term(bomb_range, weights):
    return weights.range_5 * min(5.0, bomb_range) + weights.range_each * bomb_range


@inline
def bombs_term(extra, weights):
    extra += weights.first
    return weights.bombs_2 * min(2.0, extra) + weights.bombs_4 * min(4.0, extra) + weights.bombs_each * extra


@inline
def future_term(hits, weights):
    total = 0.0
    while hits != ZERO:
        k = lowest_bit(hits) >> THREE
        total += ((hits >> (k << THREE)) & BYTE) * weights.decay[k + ONE]
        hits &= ~(BYTE << (k << THREE))
    return total


@inline
def players_term(state, player, cell, weights):
    """The mean distance from the cell to the living others, weighted."""
    if weights.players == 0.0:
        return 0.0
    total, count = np.int64(0), 0
    for other in range(MAX_PLAYERS):
        if state.players[other] != 0 and other != player:
            total += distance(cell, cell_of(state.players[other]))
            count += 1
    return weights.players * total / count if count else 0.0


@inline
def place_term(count, cell, distance, weights):
    """`count` is that of the boxes, `distance` is box_distance, needed only if `asks_distance`."""
    total = weights.sum_boxes * distance
    if count > weights.many_boxes:
        x, y = np.int64(X_OF[cell]), np.int64(Y_OF[cell])
        return total + weights.centre * (abs(x - CENTRE_X) + abs(y - CENTRE_Y))
    return total + weights.near_boxes * distance / count if count else 0.0


@inline
def asks_distance(count, weights):
    """Whether the distances to so many boxes matter."""
    return count <= weights.many_boxes or weights.sum_boxes != 0.0


@inline
def extra_bombs(player, placed):
    """Bombs of a packed player beyond the first, so many of which are on the board."""
    return np.float64(stock_of(player) + placed) - 1.0


@inline
def equipment_terms(player, placed, weights):
    """Range and bombs of a packed player, so many of whose bombs are on the board."""
    bombs = bombs_term(extra_bombs(player, placed), weights) + weights.out * np.float64(placed)
    return range_term(np.float64(range_of(player)), weights) + bombs


@inline
def value_of(state, map_, player, weights):
    """The value of a state for a living player, for searches that keep only states."""
    me, boxes = U64(state.players[player]), read(state.boxes)
    cell = cell_of(me)
    return (
        weights.box * state.scored[player]
        + equipment_terms(me, placed_bombs(state, player), weights)
        + weights.box * future_term(hits_ahead(state, map_, player), weights)
        + players_term(state, player, cell, weights)
        + place_term(count_cells(boxes), cell, box_distance(boxes, cell), weights)
    )


@entry
def fill_terms(state, map_, player, weights, terms):
    """The seven terms one by one, in the order of TERMS."""
    terms[:] = 0.0
    terms[0] = weights.box * state.scored[player]
    me = U64(state.players[player])
    if me == ZERO:
        terms[6] = weights.dead
        return
    boxes, cell = read(state.boxes), cell_of(me)
    placed = placed_bombs(state, player)
    terms[1] = range_term(np.float64(range_of(me)), weights)
    terms[2] = bombs_term(extra_bombs(me, placed), weights) + weights.out * np.float64(placed)
    terms[3] = weights.box * future_term(hits_ahead(state, map_, player), weights)
    terms[4] = players_term(state, player, cell, weights)
    terms[5] = place_term(count_cells(boxes), cell, box_distance(boxes, cell), weights)


def evaluate_terms(state: np.record, map_: np.record, player: int, weights: np.record) -> dict[str, float]:
    """The terms by name; their sum is the value."""
    terms = np.zeros(len(TERMS))
    fill_terms(state, map_, player, weights, terms)
    return {name: float(term) for name, term in zip(TERMS, terms, strict=True)}
