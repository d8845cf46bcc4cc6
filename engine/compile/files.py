"""The files of numba's cache: where they are, and how hsctl copes with files that can't be read or written."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, Any

from engine.compile.cache import folder_of
from engine.compile.library import load_entry, load_kernel, rebuild
from engine.compile.numba_parts import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator, rtsys

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LONGEST_WAIT_S = 120.0  # for a process that may be stopped, before compiling the same code in parallel
LOOK_AGAIN_S = 0.02
ANNOTATION = 6  # its place in what `CompileResult._reduce` makes


def lock(file: IO[bytes]) -> None:
    """Lock the file, waiting for other processes; closing it, or the end of the process, unlocks it."""
    if fcntl is None:
        return
    give_up_at = time.monotonic() + LONGEST_WAIT_S
    while time.monotonic() < give_up_at:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(LOOK_AGAIN_S)


class Locator(UserProvidedCacheLocator):
    """Shows numba where the kernels of our modules are kept.

    The folder's name covers the compiled source, so neither the file's bytes, the kernel's line nor the paths of
    sources and cache matter: code compiled elsewhere can be copied here.
    """

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)  # type: ignore[no-untyped-call]
        self._cache_path = str(folder_of(file))

    def get_source_stamp(self) -> str:
        return os.path.basename(self._cache_path)

    def get_disambiguator(self) -> str:
        return "kernel"

    @classmethod
    def from_function(cls, function: Any, file: str) -> Any:
        return super().from_function(function, file) if folder_of(file) else None  # type: ignore[no-untyped-call]


class EntryFiles(CompileResultCacheImpl):
    _locator_classes = [Locator, UserProvidedCacheLocator]  # noqa: RUF012

    def reduce(self, data: Any) -> tuple[Any, ...]:
        """What is kept: all but a listing for people, which names addresses of this process and is half of the file."""
        payload = super().reduce(data)  # type: ignore[no-untyped-call]
        return (*payload[:ANNOTATION], "", *payload[ANNOTATION + 1 :])

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        return rebuild(load_entry, target_context, payload)


class EntryCache(FunctionCache):
    """A cache that never fails: files that can't be read are compiled again, failed writes are ignored."""

    _impl_class = EntryFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load without numba's first step, the registration of all its functions, which only compiling needs."""
        rtsys.initialize(target_context)
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # a truncated or damaged file: unpickling it may raise anything
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    @property
    def is_filled(self) -> bool:
        """Whether the cache has any code of this function."""
        return os.path.exists(self._cache_file._index_path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one process at a time load or compile the function: the second one finds it compiled.

        The lock of a function is held while those that it calls are compiled. Calls are never circular, so processes
        can't deadlock. Where files can't be locked or written, code may be compiled twice.
        """
        with ExitStack() as held:
            with suppress(OSError):
                lock(held.enter_context(open(f"{self._cache_file._index_path}.lock", "wb")))
            yield

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a full or read-only disk
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


class KernelFiles(EntryFiles):
    def rebuild(self, target_context: Any, payload: Any) -> Any:
        return rebuild(load_kernel, target_context, payload)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """A function may be a kernel here and an entry there: they must not take each other's code."""
        return str(super().get_filename_base(f"{fullname}.inner", abiflags))  # type: ignore[no-untyped-call]


class KernelCache(EntryCache):
    _impl_class = KernelFiles
