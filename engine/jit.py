"""Compile kernels, and announce compilations: the project's only use of njit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.compile import build
from engine.compile.build import collector_off
from engine.compile.cache import JIT_DISABLED as JIT_DISABLED
from engine.compile.cache import explain_compiling, is_ready, set_ready
from engine.compile.files import EntryCache, KernelCache
from engine.compile.library import KernelCompiler
from engine.compile.numba_parts import (
    Compiler,
    CompilerBase,
    CPUDispatcher,
    global_compiler_lock,
    normalize_signature,
    unliteral,
)


class Entry(CPUDispatcher):
    """A compiled function with one specialisation for each set of argument types, to save compile time."""

    cache_class = EntryCache
    compiler: type[CompilerBase] = Compiler
    _kept: EntryCache | None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Treat literals in callers as plain numbers; numba would compile the function again for each."""
        return super().get_call_template([unliteral(arg) for arg in args], {key: unliteral(kws[key]) for key in kws})

    @property
    def _cache(self) -> EntryCache:
        """Made on first use: with entries from the cache, most kernels never need it."""
        if self._kept is None:
            self._kept = self.cache_class(self.py_func)  # type: ignore[no-untyped-call]
        return self._kept

    @_cache.setter
    def _cache(self, _: Any) -> None:
        """Ignore numba's initial cache, which stores nothing."""
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
    """An Entry without a wrapper for Python; numba itself would crash on such a call."""

    cache_class = KernelCache
    compiler = KernelCompiler

    def __call__(self, *_: Any, **__: Any) -> Any:
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        raise TypeError(f"{name} can only be called by kernels: make it an @entry to call it from Python")


def compiled(made: type[Entry], function: Callable[..., Any], **options: bool) -> Any:
    """Compile without reference counting (`_nrt`) and without a wrapper for C."""
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
    """A kernel that Python can call too; it can also decorate an `@inline` function."""
    if JIT_DISABLED:
        return function
    if isinstance(function, Kernel):
        return compiled(Entry, function.py_func, forceinline=function.targetoptions.get("forceinline", False))
    return compiled(Entry, function)


@contextmanager
def compiling(name: str, announce: Callable[[str], None]) -> Iterator[None]:
    """Announce the compilation of `name` if it is missing, and remember that it was done."""
    if not is_ready(name):
        explain_compiling(announce)
        announce(f"compiling {name} (once per version, some seconds) ...")
    yield
    set_ready(name)
