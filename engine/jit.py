"""The one njit of the project: how kernels are compiled, and how a compilation is announced."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.compile import build
from engine.compile.build import collector_off
from engine.compile.cache import CACHE, is_ready, set_ready
from engine.compile.cache import JIT_DISABLED as JIT_DISABLED

os.environ["NUMBA_CACHE_DIR"] = str(CACHE)  # read by numba at its import, hence before it

# numba takes settings from .numba_config.yaml in the current folder, and with them the names of files to overwrite. It
# reads that file by yaml, and warns without.
YAML = sys.modules.get("yaml")
sys.modules["yaml"] = None  # type: ignore[assignment]
with warnings.catch_warnings(action="ignore"):
    import numba.core.config
if YAML is None:
    del sys.modules["yaml"]
else:
    sys.modules["yaml"] = YAML
numba.core.config._config_fname = ""  # read again before functions are compiled

# Where scipy is installed, numba loads all of its linear algebra with the first kernel (0.2 s), for functions that
# no kernel uses. This one import decides it.
BLAS = "scipy.linalg.cython_blas"
if BLAS not in sys.modules:
    sys.modules[BLAS] = None  # type: ignore[assignment]
    import numba.np.arraymath

    del sys.modules[BLAS]
import numba  # noqa: E402
from numba.core.compiler import Compiler, CompilerBase  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.core.sigutils import normalize_signature  # noqa: E402
from numba.core.types import unliteral  # noqa: E402

from engine.compile.files import EntryCache, KernelCache  # noqa: E402
from engine.compile.library import KernelCompiler  # noqa: E402

SETTINGS: Any = numba.config
SETTINGS.CACHE_DIR = str(CACHE)  # in case somebody imported numba before us


class Entry(CPUDispatcher):
    """A compiled function that costs no more to compile than it must: one specialisation for one kind of arguments."""

    cache_class = EntryCache
    compiler: type[CompilerBase] = Compiler
    _kept: EntryCache | None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """A literal in a caller is a number like any other; numba would compile the function again for each."""
        return super().get_call_template([unliteral(arg) for arg in args], {key: unliteral(kws[key]) for key in kws})

    @property
    def _cache(self) -> EntryCache:
        """Made when it is first asked for: with entries from the cache, nobody asks for most kernels."""
        if self._kept is None:
            self._kept = self.cache_class(self.py_func)  # type: ignore[no-untyped-call]
        return self._kept

    @_cache.setter
    def _cache(self, _: Any) -> None:
        """numba begins with one that keeps nothing."""
        self._kept = None

    @property
    def is_kept(self) -> bool:
        """Whether the cache has it compiled."""
        return self._cache.is_filled

    def compile(self, sig: Any) -> Any:
        """Load or compile, one process and one thread at a time."""
        if tuple(normalize_signature(sig)[0]) in self.overloads:
            return super().compile(sig)
        with global_compiler_lock, self._cache.locked(), collector_off():
            return super().compile(sig)


class Kernel(Entry):
    """The same without the part that Python would call. numba itself would end the process on such a call."""

    cache_class = KernelCache
    compiler = KernelCompiler

    def __call__(self, *_: Any, **__: Any) -> Any:
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        raise TypeError(f"{name} can only be called by kernels: make it an @entry to call it from Python")


def compiled(made: type[Entry], function: Callable[..., Any], **options: bool) -> Any:
    """Reference counting (`_nrt`) is left out, and so is the part that callers in C would need."""
    options |= {"nopython": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
    function = build.change(function, made is Entry)
    return made(function, targetoptions=options, pipeline_class=made.compiler)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that allocates nothing, for other kernels to call.

    `_nrt=False` leaves out reference counting, which costs more than a game step; it also makes any
    allocation inside a compile error. `nogil` lets threads run kernels side by side.
    """
    return function if JIT_DISABLED else compiled(Kernel, function, no_cpython_wrapper=True)


def inline(function: Callable[..., Any]) -> Any:
    """A kernel so small and so hot that it is merged into each caller."""
    return function if JIT_DISABLED else compiled(Kernel, function, no_cpython_wrapper=True, forceinline=True)


def entry(function: Any) -> Any:
    """A kernel that Python calls as well; it can also stand above `@inline`."""
    if JIT_DISABLED:
        return function
    if isinstance(function, Kernel):
        return compiled(Entry, function.py_func, forceinline=function.targetoptions.get("forceinline", False))
    return compiled(Entry, function)


@contextmanager
def compiling(name: str, announce: Callable[[str], None]) -> Iterator[None]:
    """Announce the compilation of `name` if it is still to be done, and remember that it was."""
    if not is_ready(name):
        announce(f"compiling {name} (once per version, some seconds) ...")
    yield
    set_ready(name)
