"""Where compiled code is kept, so that an edit can't leave old code running.

numba's own cache looks at one file at a time: after an edit in `blast.py` a cached `step` in `rules.py` would go on
running the old code. So the kernels of each module are kept in a folder that is named by a digest of all that is
compiled for them, in whichever file it stands (see `engine.compile.reach`), and by numba's and Python's versions:

    numba-0.68.1-py311-engine.rules-6c1f0be3a7d94f52

An edit of what a kernel reaches starts a new folder; any other edit compiles nothing. To find the digests takes half a
second, so they are kept beside the folders, filed under a digest of the sources' bytes.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from engine.compile.sources import DIGEST_LENGTH, ROOT, digest_text
from engine.errors import HsctlError

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
        from engine.compile.reach import Reach

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
def folder_of(file: str) -> Path | None:
    """Where the kernels of a source file are kept; None for files outside our packages, which may reach anything."""
    path = Path(file).resolve()
    if not path.is_relative_to(ROOT):
        return None
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return open_folder(f"{module}-{DIGESTS[module]}") if module in DIGESTS else None


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
CACHE = open_folder(digest_text(f"{module} {digest}" for module, digest in DIGESTS.items()))  # of all kernels together
remove_unused()
