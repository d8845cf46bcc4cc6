"""What the tests of the win probability share."""

import numpy as np

from search.winning.model import new_weights

NO_WEIGHTS = new_weights()


def random_weights(seed: int) -> np.ndarray:
    """Weights that mean nothing."""
    return 0.05 * np.random.default_rng(seed).normal(size=NO_WEIGHTS.shape)
