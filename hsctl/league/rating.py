"""Ratings: Bradley-Terry over pairwise results, with 95 % intervals that know which games share a seed.

    P(i above j) = 1 / (1 + 10^((r_j - r_i) / 400))          r: Elo, relative to the mean of the reference

The unit is the block: one seed from all seats. Its games are not independent, so the spread is taken from whole
blocks (the sandwich estimator), averaged with a prior of a few blocks whose games have half in common, and with
Student's t. A weak prior on strength keeps all ratings finite: for every rating to be found, one more block is drawn
(Firth's correction). Where losses are rare the truth may lie far outside: there the interval extends as far as the
likelihood, with that prior, allows. A player that always won, or never, gets an end that rests on the prior:

    above    rests on games if everybody in the reference beat somebody who beat ... who beat the player
    below    rests on games if the player beat somebody who beat ... everybody in the reference

The reference of a group of players that met is its largest set in which everybody beat everybody else, directly or
through others; the whole group if there is none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from hsctl.league.intervals import IN_COMMON, PRIOR_BLOCKS, student

ELO_PER_UNIT = 400 / np.log(10)  # of the logistic scale
FEWEST_BLOCKS = 2  # one says nothing about its spread
MOST_STEPS = 200
LONGEST_STEP = 1.0
EXACT = 1e-9
PRIOR_IN_ENDS = 0.75  # of its weight, in the ends of intervals: players may be further apart than it expects
FARTHEST = 40.0  # on the logistic scale: further than any number of games could show
HALVINGS = 30

TOO_FEW = "too few games"
NEVER_BEATEN = "never beaten by the others: the upper end is a guess"
NEVER_WON = "never beat the others: the lower end is a guess"
NO_LOSSES_LEAD_ON = "no chain of losses leads to all others: the upper end is a guess"
NO_WINS_LEAD_ON = "no chain of wins leads to all others: the lower end is a guess"
NOTHING_LEADS_ON = "no chain of wins or losses leads to all others: both ends are guesses"
APART = "never met the largest group: cannot be compared with it"


@dataclass(frozen=True)
class Rating:
    """A player's strength in Elo. `games` counts results against single opponents: three in a game of four.

    Of too few games all three numbers are None; the note says so, or which end of the interval no game bounds. Ratings
    of different groups (0 is the largest) can't be compared: they never met.
    """

    name: str
    games: int
    elo: float | None
    low: float | None
    high: float | None
    note: str = ""
    group: int = 0


def rate(names: Sequence[str], blocks: Sequence[np.ndarray]) -> list[Rating]:
    """A rating for each player, in the order of names.

    `blocks`: for each block the points of row against column [player, player]: 1 for a game won or a better place,
    1/2 for a draw, summed over its games.
    """
    count = len(names)
    points = np.array(blocks, dtype=float).reshape(-1, count, count)
    ratings: list[Rating | None] = [None] * count
    total = points.sum(axis=0)
    for group, members in enumerate(groups_of(total + total.T > 0)):
        within = points[:, members][:, :, members]
        for player, rating in zip(members, rate_group([names[i] for i in members], within, group), strict=True):
            ratings[player] = rating
    return [rating for rating in ratings if rating is not None]


def rate_group(names: list[str], points: np.ndarray, group: int) -> list[Rating]:
    """Players who met each other, directly or through others."""
    met = points + points.transpose(0, 2, 1)
    games = np.rint(met.sum(axis=(0, 2))).astype(int).tolist()
    blocks = (met.sum(axis=2) > 0).sum(axis=0).tolist()  # in which each took part
    if len(names) == 1 or max(blocks) < FEWEST_BLOCKS:
        return [Rating(*each, None, None, None, TOO_FEW, group) for each in zip(names, games, strict=True)]
    total = points.sum(axis=0)
    reach = reachable(total > 0)
    reference = reference_of(reach)
    contrast = np.eye(len(names)) - reference / reference.sum()
    quantiles = [student(max(1, count - 1) + PRIOR_BLOCKS) for count in blocks]
    elos, lows, highs = intervals(points, met, contrast, quantiles, fmean(blocks))
    ratings = []
    for i, name in enumerate(names):
        if blocks[i] < FEWEST_BLOCKS:
            ratings.append(Rating(name, games[i], None, None, None, TOO_FEW, group))
            continue
        note = note_on_bounds(
            has_low=bool(reach[i, reference].all()),
            has_high=bool(reach[reference, i].all()),
            scored=bool(total[i].any()),
            yielded=bool(total[:, i].any()),
        )
        notes = "; ".join(filter(None, [note, APART if group else ""]))
        ratings.append(Rating(name, games[i], elos[i], lows[i], highs[i], notes, group))
    return ratings


def note_on_bounds(has_low: bool, has_high: bool, scored: bool, yielded: bool) -> str:
    """Which end of the interval no game bounds; `scored` and `yielded`: any point at all, to and by the others."""
    if has_low and has_high:
        return ""
    if not has_low and not has_high:
        return NOTHING_LEADS_ON
    if not has_low:
        return NO_WINS_LEAD_ON if scored else NEVER_WON
    return NO_LOSSES_LEAD_ON if yielded else NEVER_BEATEN


def intervals(
    points: np.ndarray, met: np.ndarray, contrast: np.ndarray, quantiles: list[float], blocks: float
) -> tuple[list[float], list[float], list[float]]:
    """Elo of each row of contrasts of strengths, with the lower and upper ends of its interval; `blocks`: of a player,
    on average."""
    strength, spread, inverse, prior = fit(points, met, blocks)
    value = contrast @ strength
    variance = np.einsum("ij,jk,ik->i", contrast, spread, contrast)
    if_independent = np.einsum("ij,jk,ik->i", contrast, inverse, contrast)
    half = np.array(quantiles) * np.sqrt(variance)
    path = contrast @ inverse / if_independent[:, None]  # how strengths go along when a contrast grows by 1
    drop = np.array(quantiles) ** 2 / 2 * variance / if_independent  # in log-likelihood, for as many games as count
    below, above = Likelihood(points.sum(axis=0) + prior, strength, path).ends(drop)
    ends = (value, value - np.maximum(half, below), value + np.maximum(half, above))
    elos, lows, highs = ((end * ELO_PER_UNIT).tolist() for end in ends)
    return elos, lows, highs


def fit(points: np.ndarray, met: np.ndarray, blocks: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Strengths on the logistic scale, up to a common constant; their covariance, that of independent games, and the
    points of row against column that the prior on strength adds."""
    won, played = points.sum(axis=0), met.sum(axis=0)
    weight = played.sum() / (met > 0).sum()  # games that a pair has in a block: what the prior on strength weighs
    strength = np.zeros(len(won))
    for _ in range(MOST_STEPS):
        chance, leverage, inverse = curvature(strength, played, weight)
        slope = (won - played * chance + weight * leverage * (0.5 - chance)).sum(axis=1)
        step = inverse @ slope
        strength += step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), EXACT))
        if np.abs(step).max() < EXACT:
            break
    chance, leverage, inverse = curvature(strength, played, weight)
    slopes = (points - met * chance).sum(axis=2)  # [block, player]
    extra = laplacian(leverage * weight**2 * (chance**2 + (1 - chance) ** 2) / 2)  # the prior's own spread
    alike = laplacian((1 + (weight - 1) * IN_COMMON) * (played + weight * leverage) * chance * (1 - chance))
    spread = (PRIOR_BLOCKS * alike + (blocks - 1) * (slopes.T @ slopes + extra)) / (PRIOR_BLOCKS + blocks - 1)
    return strength, inverse @ spread @ inverse, inverse, PRIOR_IN_ENDS * weight * leverage / 2


def curvature(strength: np.ndarray, played: np.ndarray, weight: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chance of row to beat column, each pair's leverage, and the inverse of the information."""
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    variance = chance * (1 - chance)
    inverse = inverse_of(laplacian(played * variance))
    diagonal = np.diag(inverse)
    leverage = played * variance * (diagonal[:, None] + diagonal[None, :] - 2 * inverse)
    return chance, leverage, inverse_of(laplacian((played + weight * leverage) * variance))


def laplacian(weights: np.ndarray) -> np.ndarray:
    """The information about strengths from that about each pair's difference."""
    return np.diag(weights.sum(axis=1)) - weights


def inverse_of(information: np.ndarray) -> np.ndarray:
    """The inverse where strengths sum to 0: a common constant carries no information."""
    constant = np.full_like(information, 1 / len(information))
    return np.linalg.inv(information + constant) - constant


class Likelihood:
    """The likelihood of the games along a line of strengths for each contrast: concave, so that halving finds all."""

    def __init__(self, won: np.ndarray, strength: np.ndarray, path: np.ndarray) -> None:
        rows, columns = np.nonzero(won)
        self.won = won[rows, columns]  # [result]
        self.ahead = strength[rows] - strength[columns]
        self.steps = path[:, rows] - path[:, columns]  # [contrast, result]

    def at(self, distance: np.ndarray) -> np.ndarray:
        """The log-likelihood so far from the estimate on each line."""
        return -(self.won * np.logaddexp(0, -self.ahead - distance[:, None] * self.steps)).sum(axis=1)

    def rises(self, distance: np.ndarray) -> np.ndarray:
        ahead = self.ahead + distance[:, None] * self.steps
        return (self.won * self.steps / (1 + np.exp(ahead))).sum(axis=1) > 0

    def ends(self, drop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far below and above the estimate the likelihood is lower than its maximum by `drop`."""
        far = np.full(len(drop), FARTHEST)
        top = halve(self.rises, -far, far)
        least = self.at(top) - drop
        above = halve(lambda distance: self.at(distance) > least, top, far)
        return -halve(lambda distance: self.at(distance) < least, -far, top), above


def halve(is_left: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where each condition turns from true to false."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        left = is_left(middle)
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return low


# Who can be compared with whom


def reachable(edges: np.ndarray) -> np.ndarray:
    """Whether a chain of edges leads from row to column; every player reaches itself."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for middle in range(len(edges)):
        reach |= reach[:, middle, None] & reach[None, middle, :]
    return reach


def groups_of(met: np.ndarray) -> list[list[int]]:
    """The players who met, directly or through others: groups in order of size."""
    rows = reachable(met).tolist()
    groups = [[j for j, reached in enumerate(row) if reached] for i, row in enumerate(rows) if row.index(True) == i]
    return sorted(groups, key=len, reverse=True)


def reference_of(reach: np.ndarray) -> np.ndarray:
    """The largest set of players each of whom reaches all others, as a mask; all players if no two do."""
    mutual = reach & reach.T
    largest = mutual[int(mutual.sum(axis=1).argmax())]
    return largest if largest.sum() > 1 else np.ones(len(reach), dtype=bool)
