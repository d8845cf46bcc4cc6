"""Natural logarithms by plain additions and multiplications, so that UCT is the same on any machine."""

import numpy as np

from engine.jit import entry, inline

SIZE = 1 << 16


def make_logarithms() -> np.ndarray:
    """ln(n) for n below SIZE, by ln(n + 1) - ln(n) = 2 artanh(1 / (2n + 1)); ln(0) stands as 0."""
    z = 1.0 / (2.0 * np.arange(1, SIZE - 1) + 1.0)
    square = z * z
    steps = np.zeros(SIZE - 2)
    for k in range(19, 0, -2):
        steps = steps * square + 1.0 / k
    return np.concatenate([[0.0, 0.0], np.cumsum(2.0 * z * steps)])


LOGARITHMS = make_logarithms()
LN_2 = float(LOGARITHMS[2])


@entry
@inline
def logarithm(table, n):
    """ln(n); beyond the table halved until it fits, which is as good as it needs to be."""
    extra = 0.0
    while n >= SIZE:
        n >>= 1
        extra += LN_2
    return table[n] + extra
