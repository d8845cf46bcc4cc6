"""Fitting the weights: who comes next of those in contention, a multinomial logit solved by Newton's method.

    example   the first place of a position; then the second place among the others, and so on
    table     the weights for so many alive, of which so many are in contention: [knot, term]
    penalty   weights stay small, change little from one knot of boxes left to the next, and differ little between
              tables: each is a common one plus a difference of its own

Terms are divided by their spread, so that one penalty suits all of them.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.state import MAX_PLAYERS
from hsctl.research.winning.rows import Rows
from search.winning.model import KNOTS, new_weights
from search.winning.terms import TERMS

SIZE = 0.5  # penalties; halving or doubling them changes the loss by less than 0.002
ROUGHNESS = 60.0
DIFFERENCE = 5.0
MOST_ITERATIONS = 20
LONGEST_STEP = 4.0
CLOSE_ENOUGH = 1e-3
NEVER = 99  # a rank behind all others
TABLES = [(living, open_) for living in range(2, MAX_PLAYERS + 1) for open_ in range(living, 1, -1)]


class Examples(NamedTuple):
    """Who came next: the rows, those in contention, and the shares of them that came next (ties share)."""

    row: np.ndarray  # [example]
    player: np.ndarray  # [example, contender]
    came: np.ndarray  # [example, contender]


def examples_of(rows: Rows, living: int, contenders: int) -> Examples:
    """All positions with so many alive once so many of them are in contention; ties across that line are left out."""
    ranks = np.where(rows.living, rows.ranks, NEVER)
    place = 1 + (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)  # [row, player], among the living
    open_ = rows.living & (place > living - contenders)
    row = np.flatnonzero((rows.living.sum(axis=1) == living) & (open_.sum(axis=1) == contenders))
    player = np.nonzero(open_[row])[1].reshape(-1, contenders)
    best = np.take_along_axis(ranks[row], player, axis=1)
    came = best == best.min(axis=1, keepdims=True)
    return Examples(row, player, came / came.sum(axis=1, keepdims=True))


def chances(scores: np.ndarray) -> np.ndarray:
    """Scores to the probabilities of coming next."""
    strengths = np.exp(scores - scores.max(axis=1, keepdims=True))
    return strengths / strengths.sum(axis=1, keepdims=True)


class Part(NamedTuple):
    """The examples of one table between two knots: only the weights of these two matter."""

    table: int
    knot: int
    inputs: np.ndarray  # [example, contender, weight]
    came: np.ndarray  # [example, contender]

    def slope(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient of the log likelihood, and its second derivatives with the sign changed."""
        size = self.inputs.shape[2]
        found = chances(self.inputs @ weights)
        gradient = self.inputs.reshape(-1, size).T @ (self.came - found).ravel()
        mean = np.matmul(found[:, None, :], self.inputs)[:, 0, :]
        rooted = (self.inputs * np.sqrt(found)[:, :, None]).reshape(-1, size)
        return gradient, rooted.T @ rooted - mean.T @ mean


def parts_of(rows: Rows, spread: np.ndarray) -> Iterator[Part]:
    for table, (living, contenders) in enumerate(TABLES):
        examples = examples_of(rows, living, contenders)
        left = np.minimum(rows.left[examples.row], KNOTS[-1])
        knots = np.minimum(np.searchsorted(KNOTS, left, side="right") - 1, len(KNOTS) - 2)
        for knot in range(len(KNOTS) - 1):
            chosen = knots == knot
            share = (left[chosen] - KNOTS[knot]) / (KNOTS[knot + 1] - KNOTS[knot])
            terms = rows.terms[examples.row[chosen][:, None], examples.player[chosen]] / spread
            share = share[:, None, None]
            yield Part(table, knot, np.concatenate([terms * (1 - share), terms * share], axis=2), examples.came[chosen])


def penalty_of() -> np.ndarray:
    """The penalty on the common table and on the differences of all others, as a matrix."""
    steps = np.diff(np.eye(len(KNOTS)), axis=0)[1:]  # with no box left the game is another
    one = np.kron(SIZE * np.eye(len(KNOTS)) + ROUGHNESS * steps.T @ steps, np.eye(len(TERMS)))
    return np.kron(np.diag([1.0, *(DIFFERENCE for _ in TABLES)]), one)


def improve(parts: list[Part], penalty: np.ndarray, found: np.ndarray) -> np.ndarray:
    """One step of Newton's method."""
    size = len(KNOTS) * len(TERMS)
    gradient, curvature = -penalty @ found, penalty.copy()
    for part in parts:
        start, length = part.knot * len(TERMS), 2 * len(TERMS)
        common = slice(start, start + length)
        own = slice((1 + part.table) * size + start, (1 + part.table) * size + start + length)
        slope, bend = part.slope(found[common] + found[own])
        for some in (common, own):
            gradient[some] += slope
            curvature[some, common] += bend
            curvature[some, own] += bend
    return np.linalg.solve(curvature, gradient)


def fit_weights(rows: Rows) -> np.ndarray:
    """The model's weights: [living - 2, in contention - 2, knot, term]."""
    spread = rows.terms[rows.living].std(axis=0) + 1e-6
    parts, penalty = list(parts_of(rows, spread)), penalty_of()
    found = np.zeros(len(penalty))
    for _ in range(MOST_ITERATIONS):
        step = improve(parts, penalty, found)
        longest = float(np.abs(step).max())
        found += step * min(1.0, LONGEST_STEP / longest)
        if longest < CLOSE_ENOUGH:
            break
    tables = found.reshape(1 + len(TABLES), len(KNOTS), len(TERMS)) / spread
    weights = new_weights()
    for (living, contenders), table in zip(TABLES, tables[1:], strict=True):
        weights[living - 2, contenders - 2] = tables[0] + table
    return weights
