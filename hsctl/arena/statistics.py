"""Intervals that hold the truth in 95 of 100 series: Wilson's for shares, Student's for means.

share   centre = (k + z²/2) / (n + z²),  half = z / (n + z²) · √(k (n - k) / n + z²/4)
mean    mean ± t(n - 1) · s / √n
"""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

Z = 1.959963984540054  # 97.5 % of the normal distribution lie below
T_SMALL = (  # the same of Student's, for 1 to 8 degrees of freedom; the series below is exact enough for more
    12.706204736174707,
    4.302652729749464,
    3.182446305283710,
    2.776445105197794,
    2.570581835636315,
    2.446911851144969,
    2.364624251592784,
    2.306004135204166,
)


class Interval(NamedTuple):
    low: float
    high: float


def share_interval(count: int, total: int) -> Interval:
    """Wilson's interval of a share of `count` in `total`; everything is possible when there is nothing yet."""
    if total == 0:
        return Interval(0.0, 1.0)
    centre = (count + Z * Z / 2) / (total + Z * Z)
    half = Z / (total + Z * Z) * math.sqrt(count * (total - count) / total + Z * Z / 4)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(values: Sequence[float]) -> Interval | None:
    """Student's interval of a mean; a single value tells nothing of its spread."""
    if len(values) < 2:
        return None
    half = student(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return Interval(fmean(values) - half, fmean(values) + half)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t: a table, then Fisher's expansion around the normal one."""
    if freedom <= len(T_SMALL):
        return T_SMALL[freedom - 1]
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return Z + sum(term / freedom ** (k + 1) for k, term in enumerate(terms))
