"""From scores to places: who is first, then who of the others is second, and so on (Plackett and Luce).

    P(i is next)  =  exp(score_i) / sum of exp(score) over those still in contention

The scores depend on how many are in contention: who comes third of four is decided by other things than who wins. The
dead have their places behind the living, by when they died; players that are equal share their places evenly.
"""

import numpy as np

from engine.board import U64, ZERO, has_bit
from engine.jit import entry, inline, kernel
from engine.state import MAX_PLAYERS

LN_2 = 0.6931471805599453
LOWEST = -40.0  # a score that is further behind the best counts as this: 4e-18
ABSENT = -1  # the value of a seat that nobody has

INVERSE_FACTORIALS = 1.0 / np.cumprod(np.arange(1.0, 14.0))  # [k - 1] of 1 / k!
HALVES = np.array([1.0 / (1 << k) for k in range(64)])  # [k] of 2^-k
SUBSETS = 1 << MAX_PLAYERS


@entry
@inline
def exponential(x):
    """exp(x) for x up to 0, by additions and multiplications alone: the same on any machine."""
    x = max(x, LOWEST)
    halves = np.int64(-x / LN_2)
    rest = x + np.float64(halves) * LN_2  # -ln 2 < rest <= 0
    total = 0.0
    for k in range(len(INVERSE_FACTORIALS) - 1, -1, -1):
        total = (total + INVERSE_FACTORIALS[k]) * rest
    return (1.0 + total) * HALVES[halves]


@inline
def strengths_from(scores, living):
    """Turn the scores of one number in contention into exp(score), up to a factor."""
    best = -np.inf
    for player in range(MAX_PLAYERS):
        if has_bit(living, player):
            best = max(best, scores[player])
    for player in range(MAX_PLAYERS):
        scores[player] = exponential(scores[player] - best) if has_bit(living, player) else 0.0


@kernel
def rank_living(scores, living, count, chances, places):
    """Fill in the places of so many living players (a set of bits) from scores[in contention - 1, player].

    `scores` are used up. `chances` is scratch: [set of players], that these are the ones in front.
    """
    for contenders in range(count):
        strengths_from(scores[contenders], living)
    chances[:] = 0.0
    chances[0] = 1.0
    for front in range(SUBSETS):
        placed = 0
        for player in range(MAX_PLAYERS):
            placed += has_bit(U64(front), player)
        if chances[front] == 0.0 or placed >= count:
            continue
        strengths, total = scores[count - placed - 1], 0.0
        for player in range(MAX_PLAYERS):
            if not has_bit(U64(front), player):
                total += strengths[player]
        for player in range(MAX_PLAYERS):
            if has_bit(living & ~U64(front), player):
                chance = chances[front] * strengths[player] / total
                places[player, placed] += chance
                chances[front | 1 << player] += chance


@kernel
def rank_by_values(values, players, first, places):
    """Fill in the places of some players (a set of bits) from `first` on: higher values first, equal ones share."""
    for player in range(MAX_PLAYERS):
        if not has_bit(players, player):
            continue
        better, equal = first, 0
        for other in range(MAX_PLAYERS):
            if has_bit(players, other):
                better += values[other] > values[player]
                equal += values[other] == values[player]
        for place in range(better, better + equal):
            places[player, place] = 1.0 / equal


@inline
def living_in(state):
    """The living as a set of bits."""
    living = ZERO
    for player in range(MAX_PLAYERS):
        living |= U64(state.players[player] != 0) << U64(player)
    return living


@inline
def dead_in(values, living):
    """Those who were in the game and live no more, as a set of bits."""
    dead = ZERO
    for player in range(MAX_PLAYERS):
        dead |= U64(values[player] != ABSENT) << U64(player)
    return dead & ~living
