"""The search for better values: CMA-ES, a cloud of candidates that moves to where the better half of them lies.

    ask    a generation of candidates around the centre
    tell   their goals; only their order counts, so noise does little harm while it is fair to all of them

Generations are twice as large as usual for CMA-ES, which helps against noise. The answer is the centre of the cloud,
not the luckiest candidate: docs/tune.md has the comparison behind both. Switches and small ranges of whole numbers keep
a margin, so that the cloud never loses one of them by chance. The same seed and goals lead to the same candidates.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import HsctlError
from hsctl.tune.space import Tunable, Value

LARGER = 2  # than the usual size of a generation
SEED_BITS = 32  # of numpy's
FEWEST_AXES = 2  # of CMA-ES
IDLE = (-5.0, 5.0)  # ends of an axis that means nothing


class Search:
    """A search in a space, maximising."""

    def __init__(self, space: Sequence[Tunable], seed: int) -> None:
        self.space = space
        idle = max(0, FEWEST_AXES - len(space))
        ends = [*(each.ends for each in space), *[IDLE] * idle]
        grid = [*(each.grid for each in space), *[0.0] * idle]
        self._cloud = new_cloud(np.array(ends), np.array(grid), seed % (1 << SEED_BITS))
        self._asked: list[Any] = []  # the last generation as the cloud wants to be told of it

    @property
    def generation_size(self) -> int:
        return int(self._cloud.population_size)

    @property
    def is_finished(self) -> bool:
        """Whether the cloud has shrunk to a point."""
        return bool(self._cloud.should_stop())

    def ask(self) -> list[dict[str, Value]]:
        """The values of the next generation."""
        points = [self._cloud.ask() for _ in range(self.generation_size)]
        self._asked = [told for _, told in points]
        return [self._values(shown) for shown, _ in points]

    def tell(self, goals: Sequence[float]) -> None:
        """The goals of the last generation, in its order."""
        self._cloud.tell([(told, -goal) for told, goal in zip(self._asked, goals, strict=True)])

    @property
    def centre(self) -> dict[str, Value]:
        """What the search holds for the best by now."""
        return self._values(self._cloud.mean)

    def _values(self, point: Sequence[float]) -> dict[str, Value]:
        return {each.name: each.value(float(at)) for each, at in zip(self.space, point, strict=False)}


def new_cloud(ends: np.ndarray, grid: np.ndarray, seed: int) -> Any:
    """Around 0, its first step 1 along every axis."""
    try:
        from cmaes import CMAwM
    except ImportError:
        raise HsctlError("tune needs cmaes: pip install 'hsctl[tune]'") from None
    axes = len(ends)
    size = LARGER * (4 + int(3 * np.log(axes)))
    return CMAwM(np.zeros(axes), 1.0, ends, grid, seed=seed, population_size=size)
