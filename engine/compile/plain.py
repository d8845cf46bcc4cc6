"""Kernels as plain Python, for callers that use one too rarely to wait seconds for its compilation.

    plainly(play_round)     the same code as plain Python
    sparing(play_round)     the compiled kernel if there is one, else the plain one

To play a game again takes 50 ms of plain Python, and 1.7 s if a round has to be compiled for it.
"""

from collections.abc import Callable
from functools import cache
from itertools import count
from types import FunctionType
from typing import Any

import numpy as np

from engine.compile.cache import JIT_DISABLED

MOST_PLAIN = 10_000  # calls; as many rounds take about as long as compiling them


def with_plain(twin: Callable[..., Any]) -> Callable[[Any], Any]:
    """Name the twin of a kernel that can't run as plain Python, or only slowly; without compiler it is the twin."""

    def decorate(kernel: Any) -> Any:
        kernel.plain = twin
        return twin if JIT_DISABLED else kernel

    return decorate


@cache
def plain(kernel: Any) -> Any:
    """A kernel as plain Python, and so all kernels that it calls; anything else as it is."""
    if hasattr(kernel, "plain"):
        return plain(kernel.plain)
    if not hasattr(kernel, "py_func"):
        return kernel
    function = kernel.py_func
    outside = function.__globals__
    called = {name: plain(outside[name]) for name in function.__code__.co_names if is_compiled(outside.get(name))}
    return FunctionType(function.__code__, {**outside, **called}, function.__name__, function.__defaults__)


def is_compiled(value: Any) -> bool:
    return hasattr(value, "plain") or hasattr(value, "py_func")


def plainly(entry: Any) -> Callable[..., Any]:
    """The twin of an entry, to be called from Python."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # words wrap around
            return plain(entry)(*arguments)

    return call


def sparing(entry: Any) -> Callable[..., Any]:
    """The entry if it is compiled, in this process or in the cache as it was at the first call; else its twin.

    The cache is asked once: to load from it in the middle of a game would take as long as many turns. Whoever calls so
    often that compiling would have been quicker gets it compiled.
    """
    if JIT_DISABLED:
        return entry
    twin, calls = plainly(entry), count()

    @cache
    def was_kept() -> bool:
        return bool(entry.is_kept)

    def call(*arguments: Any) -> Any:
        is_fast = entry.overloads or was_kept() or next(calls) >= MOST_PLAIN
        return (entry if is_fast else twin)(*arguments)

    return call
