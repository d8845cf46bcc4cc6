"""The score of a state between two players: what one has, minus what the other has.

    baseline    boxes scored and bombs owned
    stacks      (range^2 + bombs^2) / 12
    isolation   the distance between the two: one number for both, whom the strategy belongs to counts it as it is
    split       1 / (1 + distance from the own corner)
    boom        bombs let off, the best next bomb, minus the risk

A hit counts less for each round until it happens: whatever is worth doing is worth doing now.
Seen by the other side a score is its negative, exactly. Once one of them is dead it is WIN, less by one for each
round until then, so that wins come soon and defeats late. The death of a mate takes MATE off either.
"""

from collections.abc import Iterable

import numpy as np

from engine.blast import blast
from engine.board import (
    CELLS,
    FOUR,
    H_START,
    OPEN_CELLS,
    SEVEN,
    U64,
    V_START,
    X_OF,
    Y_OF,
    ZERO,
    count_cells,
    is_in,
    lowest_bit,
)
from engine.jit import inline, kernel
from engine.maps import CORNERS
from engine.state import BYTE, FUSE, MAX_PLAYERS, ONE_BOMB, RANGE_SHIFT, SLOT, record
from engine.survival import (
    FORECAST,
    common,
    flood,
    forecast,
    is_empty,
    read,
    single,
    survivable_in,
    union,
    without,
)
from search.common.adversary import empty_seat
from search.common.evaluate import owned_bombs
from search.common.mates import living_mates, mates_lost
from search.negamax.params import NegamaxParams
from search.negamax.strategies import Weights

TERMS = ("baseline", "stacks", "isolation", "split", "boom")
WIN = 100_000.0
MATE = 1_000.0  # what the death of a mate takes off: more than all terms together, less than a win
MOST_PIECES = 12.0  # of a side in the report, by which it divides its stacks
FOUR_ARMS = 4.0  # boxes that one bomb can hit
LONGEST = 32  # rounds that the next bomb is away, at most: 16 steps of `reach`, a round to lay it, 8 of its fuse

WEIGHTS = record(
    [
        *((name, np.float64) for name in TERMS),
        ("rival", np.float64),
        ("risk", np.float64),
        ("reach", np.int64),
        ("decay", np.float64, LONGEST),  # [rounds]
    ]
)

# Who plays whom, and how it stood when the decision began.
PAIR = record(
    [
        ("player", np.int64),  # whose strategy it is
        ("enemy", np.int64),
        ("mates", np.uint64),  # whom the player has to lose
        ("is_alone", np.bool_),  # nobody else lives: the enemy is an empty seat
        ("turn", np.int64),
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
    factor = 1.0
    for rounds in range(LONGEST):  # by products, not by a power: the same on any machine
        weights["decay"][rounds] = factor
        factor *= params.decay


def fill_pair(pair: np.record, state: np.record, player: int, enemy: int | None, mates: Iterable[int]) -> None:
    """Two players and how they stand; without an enemy any empty seat stands in for him."""
    pair.player = player
    pair.mates = living_mates(state, mates)
    pair.enemy = empty_seat(state) if enemy is None else enemy
    pair.is_alone = enemy is None
    pair.turn = state.turn
    pair["scored"] = state.scored


def make_split() -> np.ndarray:
    table = np.zeros((MAX_PLAYERS, 256))  # [player, cell]
    for player, (corner_x, corner_y) in enumerate(CORNERS):
        for x, y in OPEN_CELLS:
            table[player, CELLS[y, x]] = 1.0 / (1 + abs(x - corner_x) + abs(y - corner_y))
    return table


SPLIT = make_split()


# Terms


@inline
def pieces_of(state, player):
    return np.float64(state.scored[player] + owned_bombs(state, player))


@inline
def stacks_of(state, player):
    bomb_range = np.float64((U64(state.players[player]) >> RANGE_SHIFT) & BYTE)
    bombs = np.float64(owned_bombs(state, player))
    return (bomb_range * bomb_range + bombs * bombs) / MOST_PIECES


@inline
def distance_between(state, player, enemy):
    one, other = U64(state.players[player]) & BYTE, U64(state.players[enemy]) & BYTE
    x = np.int64(X_OF[one]) - np.int64(X_OF[other])
    y = np.int64(Y_OF[one]) - np.int64(Y_OF[other])
    return np.float64(abs(x) + abs(y))


@inline
def lowest_cell(cells):
    """One cell of a set that isn't empty."""
    if cells[0] != ZERO:
        return lowest_bit(cells[0])
    if cells[1] != ZERO:
        return lowest_bit(cells[1]) | H_START
    return lowest_bit(cells[2]) | V_START


@inline
def covers(fire, state, player):
    """Whether a living player stands in the fire."""
    me = U64(state.players[player])
    return me != ZERO and is_in(me & BYTE, fire[0], fire[1], fire[2])


@inline
def aim_of(state, player, rival, obstacles, weights):
    """What it is worth that the rival stands where a bomb of the player will burn, by the soonest such bomb."""
    shift = U64(player) << FOUR
    for rounds in range(FUSE):
        bomb = (state.bombs[(U64(state.turn) + U64(rounds)) & SEVEN] >> shift) & SLOT
        if bomb != ZERO:
            fire = blast(bomb & BYTE, bomb >> RANGE_SHIFT, obstacles)
            if covers(fire, state, rival):
                return weights.rival * weights.decay[1 + rounds]
    return 0.0


@inline
def rounds_without_bomb(state, player):
    """Rounds until the player has a bomb to lay."""
    if U64(state.players[player]) >= ONE_BOMB:
        return 0
    shift = U64(player) << FOUR
    for rounds in range(FUSE):
        row = (U64(state.turn) + U64(rounds)) & SEVEN
        if (state.bombs[row] >> shift) & SLOT != ZERO:
            return rounds + 1
    return FUSE


@inline
def has_way_out(cell, fire, blocked):
    """Whether who drops a bomb on the cell can walk out of its fire."""
    reach = single(cell)
    for _ in range(FUSE):
        reach = flood(reach, blocked)
        if not is_empty(without(reach, fire)):
            return True
    return False


@inline
def hits_from(state, cell, bomb_range, rival, fair, obstacles, blocked, weights, least):
    """What a bomb on the cell hits, if that is more than `least` and there is a way out, else 0."""
    fire = blast(cell, bomb_range, obstacles)
    hit = common(fire, fair)
    hits = np.float64(count_cells(hit[0], hit[1], hit[2]))
    if covers(fire, state, rival):
        hits += weights.rival
    return hits if hits > least and has_way_out(cell, fire, blocked) else 0.0


@inline
def best_next_bomb(state, player, rival, fair, obstacles, weights):
    """What the best bomb that can be laid within `reach` steps hits, less for each round until it explodes."""
    me = U64(state.players[player])
    bomb_range = (me >> RANGE_SHIFT) & BYTE
    blocked = read(state.blocked)
    wait = rounds_without_bomb(state, player)
    best = 0.0
    if wait > weights.reach:
        return best
    done, reach = (ZERO, ZERO, ZERO), single(me & BYTE)
    for steps in range(weights.reach + 1):
        factor = weights.decay[1 + max(steps, wait) + FUSE]
        if factor * (FOUR_ARMS + weights.rival) <= best:
            break
        fresh = without(reach, done)
        if is_empty(fresh):
            break
        while not is_empty(fresh):
            cell = lowest_cell(fresh)
            fresh = without(fresh, single(cell))
            hits = hits_from(state, cell, bomb_range, rival, fair, obstacles, blocked, weights, best / factor)
            best = max(best, factor * hits)
        done = reach
        reach = flood(reach, blocked)
    return best


@inline
def boom_of(state, player, rival, pair, future, safe, fair, weights):
    """Boxes of bombs let off since the decision began, the next bomb, minus the risk."""
    me = U64(state.players[player])
    if me == ZERO:
        return 0.0
    obstacles = union(read(state.blocked), read(state.items))
    total = np.float64(np.int64(state.scored[player]) - pair.scored[player])
    for k in range(future.rounds):
        total += np.float64((future.hits[k] >> (U64(player) << FOUR)) & BYTE) * weights.decay[1 + k]
    total += aim_of(state, player, rival, obstacles, weights)
    if not is_in(me & BYTE, safe[0], safe[1], safe[2]):
        return total - weights.risk
    return total + best_next_bomb(state, player, rival, fair, obstacles, weights)


@inline
def unhit_boxes(state, future):
    """Boxes that no known bomb will destroy."""
    fair = read(state.boxes)
    for k in range(future.rounds):
        fair = without(fair, read(future.fire[k]))
    return fair


# Scores


@inline
def is_over(state, pair):
    return state.players[pair.player] == 0 or (state.players[pair.enemy] == 0 and not pair.is_alone)


@inline
def final_score(state, pair):
    """The score when at least one of the two is dead."""
    win = WIN - (np.int64(state.turn) - pair.turn)
    if state.players[pair.player] != 0:
        return win
    if state.players[pair.enemy] != 0 or pair.is_alone:
        return -win
    lead = np.int64(state.scored[pair.player]) - np.int64(state.scored[pair.enemy])
    return win if lead > 0 else (-win if lead < 0 else 0.0)


@inline
def fill_terms(state, map_, pair, weights, future, terms):
    """The terms before weighting, in the order of TERMS. The boom, which is dear, only where it has a weight."""
    player, enemy = pair.player, pair.enemy
    terms[0] = pieces_of(state, player) - pieces_of(state, enemy)
    terms[1] = stacks_of(state, player) - stacks_of(state, enemy)
    terms[2] = 0.0 if pair.is_alone else distance_between(state, player, enemy)
    mine = SPLIT[player, U64(state.players[player]) & BYTE]
    terms[3] = mine - (0.0 if pair.is_alone else SPLIT[enemy, U64(state.players[enemy]) & BYTE])
    terms[4] = 0.0
    if weights.boom != 0.0:
        forecast(state, map_, future)
        safe = survivable_in(future)
        fair = unhit_boxes(state, future)
        for at in range(2):  # a loop, so that it is compiled in once
            me, rival = (player, enemy) if at == 0 else (enemy, player)
            boom = boom_of(state, me, rival, pair, future, safe, fair, weights)
            terms[4] += boom if at == 0 else -boom


@kernel
def score(state, map_, pair, weights, future, terms):
    """The score of a state, seen by the player. `future` and `terms` are room; the terms stay there, unweighted."""
    missed = MATE * mates_lost(state, pair.mates)
    if is_over(state, pair):
        return final_score(state, pair) - missed
    fill_terms(state, map_, pair, weights, future, terms)
    return (
        weights.baseline * terms[0]
        + weights.stacks * terms[1]
        + weights.isolation * terms[2]
        + weights.split * terms[3]
        + weights.boom * terms[4]
        - missed
    )


class Evaluation:
    """The weights of a strategy and room to score states with them."""

    def __init__(self) -> None:
        self.weights = np.zeros(1, WEIGHTS)[0]
        self.pair = np.zeros(1, PAIR)[0]
        self.future = np.zeros(1, FORECAST)[0]
        self.terms = np.zeros(len(TERMS))

    def prepare(
        self,
        params: NegamaxParams,
        strategy: Weights,
        state: np.record,
        player: int,
        enemy: int | None,
        mates: Iterable[int] = (),
    ) -> None:
        fill_weights(self.weights, params, strategy)
        fill_pair(self.pair, state, player, enemy, mates)

    def score(self, state: np.record, map_: np.record) -> float:
        return float(score(state, map_, self.pair, self.weights, self.future, self.terms))

    def weighted_terms(self, state: np.record, map_: np.record) -> dict[str, float]:
        """The terms by name, as they add up to the score; of a decided state just that."""
        if is_over(state, self.pair):
            return {"over": self.score(state, map_)}
        self.score(state, map_)
        missed = {"mate": -MATE * mates_lost(state, self.pair.mates)} if self.pair.mates else {}
        return {name: float(self.weights[name] * term) for name, term in zip(TERMS, self.terms, strict=True)} | missed
