"""The build of the kernels that this process makes: the usual one, or one that changes functions before compiling.

A process that wants another build calls `use` before anything compiled is imported (`hsctl bench --profile` does, in
its own processes). Its kernels have their own folders in the cache, apart from the usual build.
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
name = ""  # separates the builds in the cache


def use(new_name: str, new_change: Change) -> None:
    """Switch this process to another build. Each change needs its own name."""
    global change, name
    if "engine.compile.cache" in sys.modules:
        raise RuntimeError("a build must be chosen before anything compiled is imported")
    change, name = new_change, new_name


def named(digests: Mapping[str, str]) -> dict[str, str]:
    """The digests of each module's kernels, in this build."""
    return {module: digest_text([digest, name]) if name else digest for module, digest in digests.items()}
