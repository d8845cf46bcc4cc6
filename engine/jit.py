"""The one njit of the project, and the compile cache that an edit can't fool.

numba's own cache looks at one file at a time: after an edit in `blast.py` a cached `step` in
`rules.py` would go on running the old code. So the cache folder is named by a digest of all
sources of `engine/` and `search/` (and of numba's and Python's versions); any edit starts a new one.
"""

import gc
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.errors import HsctlError

ROOT = Path(__file__).resolve().parent.parent
COMPILED_PACKAGES = ("engine", "search")
DAYS_KEPT = 14  # cache folders of other versions that nobody used for so long are removed


def source_digest() -> str:
    """A short digest of every source file that compiled code may come from."""
    digest = hashlib.sha256()
    for package in COMPILED_PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def check_sources() -> None:
    """Refuse to go on when sources were edited since the start: what is loaded only now would not be what is named."""
    if source_digest() != CACHE.name.rpartition("-")[2]:
        raise HsctlError("the sources of engine or search changed since this command started: start again")


def numba_version() -> str:
    from importlib.metadata import version

    return version("numba")


def cache_home() -> Path:
    """HSCTL_CACHE, or `hsctl` in the user's cache folder, or a private temporary folder if that can't be written."""
    if "HSCTL_CACHE" in os.environ:
        return Path(os.environ["HSCTL_CACHE"])
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = base / "hsctl"
    try:
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    except OSError:
        pass
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"hsctl-{user}"


def open_cache() -> Path:
    """Make this version's cache folder, remove those long unused, and return it."""
    home = cache_home()
    python = f"{sys.version_info.major}{sys.version_info.minor}"
    folder = home / f"numba-{numba_version()}-py{python}-{source_digest()}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    too_old = time.time() - DAYS_KEPT * 86400
    for other in home.glob("numba-*"):
        try:
            if other != folder and other.stat().st_mtime < too_old:
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            pass  # another process removed it first
    return folder


CACHE = open_cache()
os.environ["NUMBA_CACHE_DIR"] = str(CACHE)  # read by numba at its import, hence before it

# Where scipy is installed, numba loads all of its linear algebra with the first kernel (0.2 s), for functions that
# no kernel uses. This one import decides it.
BLAS = "scipy.linalg.cython_blas"
if BLAS not in sys.modules:
    sys.modules[BLAS] = None  # type: ignore[assignment]
    import numba.np.arraymath

    del sys.modules[BLAS]
import numba  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.core.types import unliteral  # noqa: E402

SETTINGS: Any = numba.config
SETTINGS.CACHE_DIR = str(CACHE)  # in case somebody imported numba before us
JIT_DISABLED = bool(SETTINGS.DISABLE_JIT)


class Kernel(CPUDispatcher):
    """A compiled function that costs no more to compile than it must: one specialisation for one kind of arguments."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """A literal in a caller is a number like any other; numba would compile the function again for each."""
        return super().get_call_template([unliteral(arg) for arg in args], {key: unliteral(kws[key]) for key in kws})

    def compile(self, sig: Any) -> Any:
        """The garbage collector finds nothing while numba works, and takes a tenth of the time."""
        was_on = gc.isenabled()
        gc.disable()
        try:
            return super().compile(sig)
        finally:
            if was_on:
                gc.enable()


def make_kernel(function: Callable[..., Any], **options: bool) -> Any:
    """Reference counting (`_nrt`) is left out, and so is the entry for callers in C."""
    if JIT_DISABLED:
        return function
    options |= {"nopython": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
    made = Kernel(function, targetoptions=options)
    made.enable_caching()
    return made


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that allocates nothing.

    `_nrt=False` leaves out reference counting, which costs more than a game step; it also makes any
    allocation inside a compile error. `nogil` lets threads run kernels side by side.
    """
    return make_kernel(function)


def inline(function: Callable[..., Any]) -> Any:
    """A kernel so small and so hot that it is merged into each caller."""
    return make_kernel(function, forceinline=True)


def is_compiled(name: str) -> bool:
    """Whether the kernels filed under `name` have been compiled before (then they load in a moment)."""
    return JIT_DISABLED or (CACHE / f"{name}.ready").exists()


@contextmanager
def compiling(name: str, announce: Callable[[str], None]) -> Iterator[None]:
    """Announce the compilation of `name` if it is still to be done, and remember that it was."""
    if not is_compiled(name):
        announce(f"compiling {name} (once per version, some seconds) ...")
    yield
    if not JIT_DISABLED:
        (CACHE / f"{name}.ready").touch()
