"""The score of a state between two players: one's terms minus the other's.

    baseline    boxes scored and bombs owned
    stacks      (range^2 + bombs^2) / 12
    isolation   the distance between the two: one number for both, counted as it is by the side whose strategy it is
    split       1 / (1 + distance from the player's corner)
    boom        bombs let off, the best next bomb, minus the risk
    bridges     cells that hold the safe area together, those of the other side counting for us
    noise       -10 to 10, drawn by the position: one number for both

Seen by the other side a score is its negative, exactly. Once one of them is dead it is WIN, less by one for each
round until then, so that wins come soon and defeats late. The death of a teammate takes MATE off either.
"""

from collections.abc import Iterable

import numpy as np

from engine.blast import blast, hits_of
from engine.board import CELLS, ONE, OPEN_CELLS, U64, ZERO, distance
from engine.cells import (
    NOTHING,
    common,
    count_cells,
    first_cell,
    flood,
    has,
    is_empty,
    read,
    single,
    spread,
    union,
    without,
)
from engine.jit import entry, inline
from engine.maps import CORNERS
from engine.state import FUSE, MAX_PLAYERS, bomb_in, cell_of, range_of, record, row_in, stock_of
from engine.survival import fill_forecast, new_forecast, survivable_in
from engine.zobrist import finish, hash_state
from search.common.evaluate import owned_bombs
from search.common.others import empty_seat, living_mates, mates_lost
from search.negamax.params import NegamaxParams
from search.negamax.strategies import Weights

# The boom: the hits of a player's bombs and of the best next bomb, minus the risk.
#
#     let off     boxes destroyed since the decision began, or to be destroyed by bombs on the board
#     aim         an opponent on a cell that a bomb will burn
#     next bomb   the hits of the best bomb within `reach` steps, if there is a way out of its fire
#     risk        taken off if the known bombs can't be survived
#
# A hit counts less for each round until it happens: whatever is worth doing is worth doing now.


FOUR_ARMS = 4.0  # boxes that one bomb can hit


@inline
def covers(fire, state, player):
    """Whether a living player is in the fire."""
    return state.players[player] != 0 and has(fire, cell_of(state.players[player]))


@inline
def aim_of(state, player, rival, obstacles, weights):
    """The worth of an opponent in the fire of the player's bombs, by the soonest bomb."""
    for rounds in range(FUSE):
        bomb = bomb_in(state.bombs[row_in(state, rounds)], player)
        if bomb != ZERO:
            fire = blast(cell_of(bomb), range_of(bomb), obstacles)
            if covers(fire, state, rival):
                return weights.rival * weights.decay[1 + rounds]
    return 0.0


@inline
def rounds_without_bomb(state, player):
    """Rounds until the player has a bomb to drop."""
    if stock_of(state.players[player]) != ZERO:
        return 0
    for rounds in range(FUSE):
        if bomb_in(state.bombs[row_in(state, rounds)], player) != ZERO:
            return rounds + 1
    return FUSE


@inline
def has_way_out(cell, fire, blocked):
    """Whether a player who drops a bomb on the cell can walk out of its fire."""
    reach = single(cell)
    for _ in range(FUSE):
        reach = flood(reach, blocked)
        if not is_empty(without(reach, fire)):
            return True
    return False


@inline
def hits_from(state, cell, bomb_range, rival, unclaimed, obstacles, blocked, weights, least):
    """The hits of a bomb on the cell, if more than `least` and there is a way out; else 0."""
    fire = blast(cell, bomb_range, obstacles)
    hits = np.float64(count_cells(common(fire, unclaimed)))
    if covers(fire, state, rival):
        hits += weights.rival
    return hits if hits > least and has_way_out(cell, fire, blocked) else 0.0


@inline
def best_next_bomb(state, player, rival, unclaimed, obstacles, weights):
    """The hits of the best bomb within `reach` steps, less for each round until it explodes."""
    bomb_range, blocked = range_of(state.players[player]), read(state.blocked)
    wait = rounds_without_bomb(state, player)
    best = 0.0
    if wait > weights.reach:
        return best
    done, reach = NOTHING, single(cell_of(state.players[player]))
    for steps in range(weights.reach + 1):
        factor = weights.decay[1 + max(steps, wait) + FUSE]
        if factor * (FOUR_ARMS + weights.rival) <= best:
            break
        fresh = without(reach, done)
        if is_empty(fresh):
            break
        while not is_empty(fresh):
            cell = first_cell(fresh)
            fresh = without(fresh, single(cell))
            hits = hits_from(state, cell, bomb_range, rival, unclaimed, obstacles, blocked, weights, best / factor)
            best = max(best, factor * hits)
        done = reach
        reach = flood(reach, blocked)
    return best


@inline
def boom_of(state, player, rival, pair, forecast, safe, unclaimed, weights):
    """Boxes of bombs let off since the decision began, the next bomb, minus the risk."""
    if state.players[player] == 0:
        return 0.0
    obstacles = union(read(state.blocked), read(state.items))
    total = 0.0
    if not weights.potential:
        total += np.float64(np.int64(state.scored[player]) - pair.scored[player])
        for k in range(forecast.rounds):
            total += np.float64(hits_of(forecast.hits[k], player)) * weights.decay[1 + k]
        total += aim_of(state, player, rival, obstacles, weights)
    if not has(safe, cell_of(state.players[player])):
        return total - weights.risk
    return total + best_next_bomb(state, player, rival, unclaimed, obstacles, weights)


@inline
def unclaimed_boxes(state, forecast):
    """Boxes that no known bomb will destroy."""
    unclaimed = read(state.boxes)
    for k in range(forecast.rounds):
        unclaimed = without(unclaimed, read(forecast.fire[k]))
    return unclaimed


# Blow the bridge: cells whose loss splits the area in which a player is safe.
#
#     . . B . .        B is a bridge: without it the two halves of the area are apart
#     # X # X .
#
# The area is all cells that the player can reach within a fuse and that no known bomb will burn.


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
    """How many cells of a set separate their neighbours when they are taken away."""
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


TERMS = ("baseline", "stacks", "isolation", "split", "boom", "bridges", "noise")
RARE = ("bridges", "noise")  # shown only where they count
NOISE = U64(10)  # either way
WIN = 100_000.0
MATE = 1_000.0  # the cost of a teammate's death: more than all terms together, less than a win
MOST_PIECES = 12.0  # of a side in the report, by which it divides its stacks
LONGEST = 32  # rounds that the next bomb is away, at most: 16 steps of `reach`, a round to drop it, 8 of its fuse

WEIGHTS = record(
    [
        *((name, np.float64) for name in TERMS),
        ("rival", np.float64),
        ("risk", np.float64),
        ("reach", np.int64),
        ("potential", np.bool_),  # the next bomb alone
        ("decay", np.float64, LONGEST),  # [rounds]
    ]
)

# The two players, and their scores when the decision began.
PAIR = record(
    [
        ("player", np.int64),  # that the strategy is for
        ("rival", np.int64),
        ("mates", np.uint64),  # the player's living teammates
        ("is_alone", np.bool_),  # nobody else lives: the opponent is an empty seat
        ("turn", np.int64),
        ("seed", np.uint64),  # of the noise
        ("scored", np.int64, MAX_PLAYERS),
    ]
)


def fill_weights(weights: np.record, params: NegamaxParams, strategy: Weights) -> None:
    """The weights of a strategy as the kernels read them."""
    for name in TERMS:
        weights[name] = getattr(strategy, name)
    weights.boom *= params.boom
    weights.rival = params.rival
    weights.risk = params.risk
    weights.reach = params.reach
    weights.potential = params.potential
    factor = 1.0
    for rounds in range(LONGEST):  # by products, not by a power: the same on any machine
        weights["decay"][rounds] = factor
        factor *= params.decay


def fill_pair(
    pair: np.record, state: np.record, player: int, rival: int | None, mates: Iterable[int], seed: int = 0
) -> None:
    """Two players and their terms; without an opponent an empty seat takes its place."""
    pair.player = player
    pair.mates = living_mates(state, mates)
    pair.rival = empty_seat(state) if rival is None else rival
    pair.is_alone = rival is None
    pair.turn = state.turn
    pair.seed = np.uint64(seed)
    pair["scored"] = state.scored


def make_split() -> np.ndarray:
    table = np.zeros((MAX_PLAYERS, 256))  # [player, cell]
    for player, (corner_x, corner_y) in enumerate(CORNERS):
        for x, y in OPEN_CELLS:
            table[player, CELLS[y, x]] = 1.0 / (1 + abs(x - corner_x) + abs(y - corner_y))
    return table


SPLIT = make_split()


# Terms


@entry
@inline
def pieces_of(state, player):
    return np.float64(state.scored[player] + owned_bombs(state, player))


@inline
def stacks_of(state, player):
    bomb_range = np.float64(range_of(state.players[player]))
    bombs = np.float64(owned_bombs(state, player))
    return (bomb_range * bomb_range + bombs * bombs) / MOST_PIECES


@inline
def distance_between(state, player, rival):
    return np.float64(distance(cell_of(state.players[player]), cell_of(state.players[rival])))


@inline
def noise_of(state, pair):
    """An integer from -10 to 10 that any two equal positions of a decision share."""
    drawn = finish(hash_state(state) + pair.seed) % (NOISE + NOISE + ONE)
    return np.float64(drawn) - np.float64(NOISE)


# Scores


@entry
@inline
def is_over(state, pair):
    return state.players[pair.player] == 0 or (state.players[pair.rival] == 0 and not pair.is_alone)


@inline
def final_score(state, pair):
    """The score when at least one of the two is dead."""
    win = WIN - (np.int64(state.turn) - pair.turn)
    if state.players[pair.player] != 0:
        return win
    if state.players[pair.rival] != 0 or pair.is_alone:
        return -win
    lead = np.int64(state.scored[pair.player]) - np.int64(state.scored[pair.rival])
    return win if lead > 0 else (-win if lead < 0 else 0.0)


@inline
def fill_terms(state, map_, pair, weights, forecast, terms):
    """The terms before weighting, in the order of TERMS. The boom, which is expensive, only where it has a weight."""
    player, rival = pair.player, pair.rival
    terms[0] = pieces_of(state, player) - pieces_of(state, rival)
    terms[1] = stacks_of(state, player) - stacks_of(state, rival)
    terms[2] = 0.0 if pair.is_alone else distance_between(state, player, rival)
    mine = SPLIT[player, cell_of(state.players[player])]
    terms[3] = mine - (0.0 if pair.is_alone else SPLIT[rival, cell_of(state.players[rival])])
    terms[4] = 0.0
    terms[5] = 0.0
    terms[6] = noise_of(state, pair) if weights.noise != 0.0 else 0.0
    if weights.boom != 0.0 or weights.bridges != 0.0:
        fill_forecast(state, map_, forecast)
    if weights.bridges != 0.0:
        terms[5] = np.float64(bridges_of(state, rival, forecast) - bridges_of(state, player, forecast))
    if weights.boom != 0.0:
        safe = survivable_in(forecast)
        unclaimed = unclaimed_boxes(state, forecast)
        for at in range(2):  # a loop, so that it is compiled in once
            one, other = (player, rival) if at == 0 else (rival, player)
            boom = boom_of(state, one, other, pair, forecast, safe, unclaimed, weights)
            terms[4] += boom if at == 0 else -boom


@entry
def score(state, map_, pair, weights, forecast, terms):
    """The score of a state, seen by the player. The unweighted terms stay in `terms`; `forecast` is scratch."""
    missed = MATE * mates_lost(state, pair.mates)
    if is_over(state, pair):
        return final_score(state, pair) - missed
    fill_terms(state, map_, pair, weights, forecast, terms)
    return (
        weights.baseline * terms[0]
        + weights.stacks * terms[1]
        + weights.isolation * terms[2]
        + weights.split * terms[3]
        + weights.boom * terms[4]
        + weights.bridges * terms[5]
        + weights.noise * terms[6]
        - missed
    )


class Evaluation:
    """The weights of a strategy and the memory to score states with them."""

    def __init__(self) -> None:
        self.weights = np.zeros(1, WEIGHTS)[0]
        self.pair = np.zeros(1, PAIR)[0]
        self.forecast = new_forecast()
        self.terms = np.zeros(len(TERMS))

    def prepare(
        self,
        params: NegamaxParams,
        strategy: Weights,
        state: np.record,
        player: int,
        rival: int | None,
        mates: Iterable[int] = (),
        seed: int = 0,
    ) -> None:
        fill_weights(self.weights, params, strategy)
        fill_pair(self.pair, state, player, rival, mates, seed)

    def score(self, state: np.record, map_: np.record) -> float:
        return float(score(state, map_, self.pair, self.weights, self.forecast, self.terms))

    def weighted_terms(self, state: np.record, map_: np.record) -> dict[str, float]:
        """The terms by name, as they add up to the score; a decided state has only one."""
        if is_over(state, self.pair):
            return {"over": self.score(state, map_)}
        self.score(state, map_)
        missed = {"mate": -MATE * mates_lost(state, self.pair.mates)} if self.pair.mates else {}
        told = {name: float(self.weights[name] * term) for name, term in zip(TERMS, self.terms, strict=True)}
        return {name: term for name, term in told.items() if name not in RARE or self.weights[name]} | missed
