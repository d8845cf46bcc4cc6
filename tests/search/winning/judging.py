"""What the tests of the win probability share."""

import numpy as np

from engine.state import MAX_PLAYERS
from search.winning.model import KNOTS
from search.winning.terms import TERMS

NO_WEIGHTS = np.zeros((MAX_PLAYERS, len(KNOTS), len(TERMS)))
