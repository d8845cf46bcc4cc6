"""The score of a state between two players: what one has, minus what the other has.

    baseline    boxes scored and bombs owned
    stacks      (range^2 + bombs^2) / 12
    isolation   the distance between the two: one number for both, counted as it is by the side whose strategy it is
    split       1 / (1 + distance from the own corner)
    boom        bombs let off, the best next bomb, minus the risk (booms.py)
    bridges     cells that hold the safe area together, those of the other side counting for us (bridges.py)
    noise       -10 to 10, drawn by the position: one number for both

Seen by the other side a score is its negative, exactly. Once one of them is dead it is WIN, less by one for each
round until then, so that wins come soon and defeats late. The death of a mate takes MATE off either.
"""

from collections.abc import Iterable

import numpy as np

from engine.board import CELLS, ONE, OPEN_CELLS, U64, distance
from engine.jit import entry, inline
from engine.maps import CORNERS
from engine.playing.zobrist import finish, hash_state
from engine.state import MAX_PLAYERS, cell_of, range_of, record
from engine.survival import fill_forecast, new_forecast, survivable_in
from search.common.evaluate import owned_bombs
from search.common.mates import living_mates, mates_lost
from search.common.rival import empty_seat
from search.negamax.booms import boom_of, unclaimed_boxes
from search.negamax.bridges import bridges_of
from search.negamax.params import NegamaxParams
from search.negamax.strategies import Weights

TERMS = ("baseline", "stacks", "isolation", "split", "boom", "bridges", "noise")
RARE = ("bridges", "noise")  # told only where they count
NOISE = U64(10)  # either way
WIN = 100_000.0
MATE = 1_000.0  # what the death of a mate takes off: more than all terms together, less than a win
MOST_PIECES = 12.0  # of a side in the report, by which it divides its stacks
LONGEST = 32  # rounds that the next bomb is away, at most: 16 steps of `reach`, a round to drop it, 8 of its fuse

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
        ("rival", np.int64),
        ("mates", np.uint64),  # whom the player has to lose
        ("is_alone", np.bool_),  # nobody else lives: the rival is an empty seat
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
    factor = 1.0
    for rounds in range(LONGEST):  # by products, not by a power: the same on any machine
        weights["decay"][rounds] = factor
        factor *= params.decay


def fill_pair(
    pair: np.record, state: np.record, player: int, rival: int | None, mates: Iterable[int], seed: int = 0
) -> None:
    """Two players and how they stand; without a rival any empty seat takes their place."""
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
