"""Rows made by hand: positions whose places follow known weights."""

import numpy as np

from engine.state import MAX_PLAYERS
from hsctl.research.winning.rows import Rows
from search.winning.terms import TERMS


def make_rows(count: int, players: int, weights: np.ndarray, seed: int = 0) -> Rows:
    """Rows with random terms, in which players come in by the model itself: weights[term], whatever the boxes left."""
    random = np.random.default_rng(seed)
    terms = random.normal(size=(count, MAX_PLAYERS, len(TERMS)))
    living = np.zeros((count, MAX_PLAYERS), bool)
    living[:, :players] = True
    luck = random.gumbel(size=(count, MAX_PLAYERS))  # the highest score plus such luck is first, and so on
    values = np.where(living, terms @ weights + luck, -np.inf)
    ranks = np.where(living, 1 + (values[:, None, :] > values[:, :, None]).sum(axis=2), 0)
    boxes = random.integers(0, 50, count)
    return Rows(
        terms=(terms * living[:, :, None]).astype(np.float32),
        living=living,
        scored=random.integers(0, 20, (count, MAX_PLAYERS)) * living,
        ranks=ranks,
        left=boxes.astype(float),
        boxes=boxes,
        turn=np.zeros(count, int),
        seats=np.full(count, players),
        seed=np.arange(count),
        game=np.arange(count),
        has_unseen=np.zeros(count, bool),
    )


def join(*parts: Rows) -> Rows:
    return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
