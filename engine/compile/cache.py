"""Where compiled code is kept, so that an edit can't leave old code running.

numba's own cache looks at one file at a time: after an edit in `blast.py` a cached `step` in `rules.py` still
run the old code. So the kernels of each module are kept in a folder named by a digest of all source they are compiled
from, in any file (see `engine.compile.reach`), by the versions of numba and Python, and by v3 if they are compiled for
the target of `engine.compile.shipped`:

    numba-0.68.1-py311-engine.rules-6c1f0be3a7d94f52

An edit that a kernel reaches starts a new folder; any other edit compiles nothing. Computing the digests takes half a
second, so they are stored next to the folders, under a digest of the sources' bytes.
"""

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from engine.compile import build, shipped
from engine.compile.build import collector_off
from engine.compile.sources import DIGEST_LENGTH, ROOT, digest_text
from engine.errors import HsctlError

COMPILED_PACKAGES = ("engine", "search")
OURS = re.compile(
    r"numba-\d[\w.]*-py\d+(v3)?-([\w.]+-)?[0-9a-f]{16}|kernels-[0-9a-f]{16}\.(json(\.\d+)?|\d+)|shipped-[0-9a-f]{16}"
)
DRAFT = re.compile(r".+\.(nbi|nbc|ready)\.(\d+|tmp\.[0-9a-f]{16})")  # of `shipped` and of numba
JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
DAYS_KEPT = 14  # after so long without use, code is removed from the cache
OLD_S = 86400.0  # a draft of this age was left by a killed process


def source_digest() -> str:
    """A short digest of the bytes of every source file that compiled code may come from."""
    digest = hashlib.sha256()
    for package in COMPILED_PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]


def check_sources() -> None:
    """Raise if sources were edited since the start: code loaded now would not match its folder's name."""
    if source_digest() != SOURCES:
        raise HsctlError("the sources of engine or search changed since this command started: start again")


@lru_cache(None)
def numba_version() -> str:
    from importlib.metadata import version

    return version("numba")


def cache_home() -> Path:
    """HSCTL_CACHE, or `hsctl` in the user's cache folder, or a private temporary folder if that can't be written.

    The cache is unpickled: anyone who can write to it can run code as the user.
    """
    if "HSCTL_CACHE" in os.environ:
        home = Path(os.environ["HSCTL_CACHE"])
        if not is_writable(home):
            raise HsctlError(f"HSCTL_CACHE={home}: can't write there; set it to a folder for compiled code")
        return home
    try:
        home = user_cache() / "hsctl"
    except RuntimeError:  # the user has no home folder
        return private_folder()
    return home if is_writable(home) else private_folder()


def user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def is_writable(folder: Path) -> bool:
    """Whether files can be written there; creates the folder if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def private_folder() -> Path:
    """A folder of the user in the shared temporary folder; a new one if somebody else owns that name."""
    if hasattr(os, "getuid"):
        folder = Path(tempfile.gettempdir()) / f"hsctl-{os.getuid()}"
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and found.st_mode & 0o077 == 0:
                return folder
        except OSError:  # somebody's file, or a link to nowhere
            pass
    return Path(tempfile.mkdtemp(prefix="hsctl-"))


def load_digests(home: Path) -> dict[str, str]:
    """The digest of each module's kernels: computed now, or stored when these sources were first seen."""
    kept = home / f"kernels-{SOURCES}.json"
    try:
        digests = json.loads(kept.read_text())
        os.utime(kept)
    except (OSError, ValueError):
        from engine.compile.reach import Reach

        with collector_off():
            digests = Reach(*COMPILED_PACKAGES).digests()
        home.mkdir(parents=True, exist_ok=True)
        written = kept.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(digests))
        with suppress(PermissionError):  # Windows replaces no file that another is reading, and that has the same text
            written.replace(kept)  # at once: others may be reading it
    return digests


def open_folder(name: str) -> Path:
    """A folder of the cache for this numba, this Python and this target; marks it as used."""
    target = shipped.TAG if shipped.is_target() else ""
    folder = HOME / f"numba-{numba_version()}-{shipped.python_tag()}{target}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    remove_leftovers(folder)
    os.utime(folder)
    return folder


def remove_leftovers(folder: Path) -> None:
    """Remove leftovers of killed processes: drafts, and code (`step.1.nbc`) without its index (`step.nbi`)."""
    names: set[str] = set()
    with suppress(OSError):  # another process empties the cache
        names.update(os.listdir(folder))
    too_old = time.time() - OLD_S
    for name in names:
        is_lost = name.endswith(".nbc") and f"{name.rsplit('.', 2)[0]}.nbi" not in names
        if is_lost or DRAFT.fullmatch(name):
            with suppress(OSError):
                if (folder / name).lstat().st_mtime < too_old:
                    (folder / name).unlink()


def module_folder(module: str) -> Path:
    """Where the kernels of a module are kept."""
    return open_folder(f"{module}-{DIGESTS[module]}")


@lru_cache(None)
def folder_of(file: str) -> Path | None:
    """Where the kernels of a source file are kept; None for files outside our packages, which may reach anything."""
    path = Path(file).resolve()
    if not path.is_relative_to(ROOT):
        return None
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return module_folder(module) if module in DIGESTS else None


@lru_cache(1)  # once per process
def explain_compiling(announce: Callable[[str], None]) -> None:
    """Announce why code is compiled although the wheel has it compiled."""
    if SHIPPED.line:
        announce(SHIPPED.line)


def is_ready(name: str) -> bool:
    """Whether the code called `name` has been compiled before (then it loads in a moment)."""
    return JIT_DISABLED or (CACHE / f"{name}.ready").exists()


def set_ready(name: str) -> None:
    """Remember that the code called `name` is compiled."""
    if not JIT_DISABLED:
        with suppress(OSError):
            (CACHE / f"{name}.ready").touch()


def ours() -> Iterator[Path]:
    """The entries of the cache: only names that hsctl itself gives."""
    return (path for path in HOME.iterdir() if OURS.fullmatch(path.name) and not path.is_symlink())


def used_bytes() -> int:
    """The disk space that the cache takes."""
    return sum(file.stat().st_size for path in ours() for file in (path, *path.rglob("*")) if file.is_file())


def remove_unused() -> None:
    """Remove folders that were not used for DAYS_KEPT days."""
    too_old = time.time() - DAYS_KEPT * 86400
    for path in ours():
        with suppress(OSError):  # another process removed it first
            if path.stat().st_mtime < too_old:
                remove(path)


def remove_all() -> None:
    """Empty the cache. Running processes keep the code they have loaded."""
    for path in ours():
        remove(path)


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


SOURCES = source_digest()
HOME = cache_home()
SHIPPED = shipped.use(numba_version(), SOURCES, HOME)
DIGESTS = build.named(load_digests(HOME))  # [module]
CACHE = open_folder(digest_text(f"{module} {digest}" for module, digest in DIGESTS.items()))  # of all kernels together
remove_unused()
