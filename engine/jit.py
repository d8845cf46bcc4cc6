"""The one njit of the project, and the compile cache that an edit can't fool.

numba's own cache looks at one file at a time: after an edit in `blast.py` a cached `step` in `rules.py` would go on
running the old code. So the kernels of each module are cached in a folder that is named by a digest of all that is
compiled for them, in whichever file it stands (see `engine.compiled`), and by numba's and Python's versions:

    numba-0.61.2-py311-engine.rules-6c1f0be3a7d94f52

An edit of what a kernel reaches starts a new folder; any other edit leaves it as it is. To find the digests takes half
a second, so they are kept beside the folders, filed under a digest of the sources' bytes.
"""

import gc
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.errors import HsctlError
from engine.sources import DIGEST_LENGTH, ROOT, digest_text

COMPILED_PACKAGES = ("engine", "search")
DAYS_KEPT = 14  # what nobody used for so long is removed from the cache


def source_digest() -> str:
    """A short digest of the bytes of every source file that compiled code may come from."""
    digest = hashlib.sha256()
    for package in COMPILED_PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]


def check_sources() -> None:
    """Refuse to go on when sources were edited since the start: what is loaded only now would not be what is named."""
    if source_digest() != SOURCES:
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


def load_digests(home: Path) -> dict[str, str]:
    """What is compiled for each module with kernels, as a digest: found now, or when these sources were first seen."""
    kept = home / f"kernels-{SOURCES}.json"
    try:
        digests = json.loads(kept.read_text())
        os.utime(kept)
    except (OSError, ValueError):
        from engine.compiled import Reach

        digests = Reach(*COMPILED_PACKAGES).digests()
        home.mkdir(parents=True, exist_ok=True)
        written = kept.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(digests))
        written.replace(kept)  # at once: others may be reading it
    return digests


def open_folder(name: str) -> Path:
    """A folder of the cache for this numba and this Python, in use from now on."""
    folder = HOME / f"numba-{numba_version()}-py{sys.version_info.major}{sys.version_info.minor}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    return folder


@lru_cache(None)
def folder_of(file: str) -> Path:
    """Where the kernels of a source file are cached. Those outside our packages may reach any of ours."""
    path = Path(file).resolve()
    if path.is_relative_to(ROOT):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if module in DIGESTS:
            return open_folder(f"{module}-{DIGESTS[module]}")
    return CACHE


def remove_unused() -> None:
    too_old = time.time() - DAYS_KEPT * 86400
    for path in [*HOME.glob("numba-*"), *HOME.glob("kernels-*")]:
        try:
            if path.stat().st_mtime >= too_old:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
        except OSError:
            pass  # another process removed it first


SOURCES = source_digest()
HOME = cache_home()
DIGESTS = load_digests(HOME)  # [module]
CACHE = open_folder(digest_text(f"{module} {digest}" for module, digest in DIGESTS.items()))  # all kernels together
remove_unused()
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
    SETTINGS.CACHE_DIR = str(folder_of(function.__code__.co_filename))  # where numba enables caching
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
