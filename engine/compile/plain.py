"""Run kernels as plain Python, for callers that use one too rarely to wait seconds for its compilation.

    plainly(play_round)     the same code as plain Python
    sparing(play_round)     the compiled kernel if there is one, else the plain one

Replaying a game takes 50 ms in plain Python, and 1.7 s if a round has to be compiled first.
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
    """Set the twin of a kernel that can't run as plain Python, or only slowly; with the compiler off, return it."""

    def decorate(kernel: Any) -> Any:
        kernel.plain = twin
        return twin if JIT_DISABLED else kernel

    return decorate


@cache
def plain(kernel: Any) -> Any:
    """A kernel and all kernels that it calls as plain Python; other values unchanged."""
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
    """The plain twin of an entry, for Python to call."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # words wrap around
            return plain(entry)(*arguments)

    return call


def sparing(entry: Any) -> Callable[..., Any]:
    """The entry if it is compiled, in this process or in the cache as it was at the first call; else its twin.

    It looks at the cache once, because loading in the middle of a game would take as long as many turns. After
    MOST_PLAIN calls it compiles the entry.
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
