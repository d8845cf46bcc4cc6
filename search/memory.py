"""Measure and limit an agent's memory: parameters that are fine one by one may be too much together."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from search.params import SpecError

MOST_MEMORY = 1 << 30  # bytes that one agent allocates
MEGABYTE = 1 << 20
PAGE = 4096  # bytes; the system's page size, or a divisor of it
MOST_PLACES = (1 << 31) - 1  # that an int32 can number: nodes of a tree, states of a layer


def check_memory(agent: object, text: str) -> None:
    """Raise if an agent is too large; unused memory takes no space yet."""
    taken = bytes_of(agent, set())
    if taken > MOST_MEMORY:
        most = MOST_MEMORY // MEGABYTE
        raise SpecError(f"{text!r}: needs {taken // MEGABYTE} MB of memory; use parameters that need at most {most} MB")


def bytes_of(thing: Any, seen: set[int]) -> int:
    """The bytes of all arrays that can be reached from an object, each counted once."""
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return int(thing.nbytes)
    if isinstance(thing, tuple | list):
        return sum(bytes_of(each, seen) for each in thing)
    if isinstance(thing, dict):
        return sum(bytes_of(each, seen) for each in thing.values())
    is_ours = type(thing).__module__.partition(".")[0] == "search"
    return bytes_of(vars(thing), seen) if is_ours and hasattr(thing, "__dict__") else 0


def take_memory(arrays: Iterable[np.ndarray]) -> None:
    """Touch every page, so that the system hands out all of it before any clock runs; that can take milliseconds."""
    for array in arrays:
        array.view(np.uint8).reshape(-1)[::PAGE] |= 0
