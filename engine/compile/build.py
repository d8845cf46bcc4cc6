"""Which build of the kernels this process makes: the usual one, or one whose functions are changed before compiling.

A process that wants another build calls `use` before anything compiled is imported (`hsctl bench --profile` does, in
processes of its own). Its kernels have folders of their own in the cache; the usual build never notices.
"""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.compile.sources import digest_text


@contextmanager
def collector_off() -> Iterator[None]:
    """Pause the garbage collector: while code is read or compiled it finds nothing and takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


Function = Callable[..., Any]
Change = Callable[[Function, bool], Function]  # given a function, and whether Python calls it


def leave_alone(function: Function, is_entry: bool) -> Function:
    return function


change: Change = leave_alone
name = ""  # tells the builds apart in the cache


def use(new_name: str, new_change: Change) -> None:
    """Make another build from now on. Its name must change with whatever it does to functions."""
    global change, name
    if "engine.compile.cache" in sys.modules:
        raise RuntimeError("a build must be chosen before anything compiled is imported")
    change, name = new_change, new_name


def named(digests: Mapping[str, str]) -> dict[str, str]:
    """The digests of what is compiled for each module, in this build."""
    return {module: digest_text([digest, name]) if name else digest for module, digest in digests.items()}
