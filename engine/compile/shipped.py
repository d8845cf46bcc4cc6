"""Compiled code that travels in the wheel, for all processors of the last ten years (x86-64-v3).

It is put into the cache at the first run. Python, numba and the sources must be those that it was made with, and the
processor must be able to run it; otherwise, and with HSCTL_NATIVE=1, kernels are compiled for this very machine.

    python -m engine.compile.shipped        packs what is in the cache, compiled for this target, into this package

Two variables, which numba reads when it is imported, set what it compiles for. They stay set for all that is
compiled later, and for processes that are started.
"""

import os
import platform
import re
import stat
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from engine.errors import HsctlError

TARGET = "x86-64-v3"
TAG = "v3"  # of this target, in names of folders
VARIABLES = {"NUMBA_CPU_NAME": TARGET, "NUMBA_CPU_FEATURES": ""}
NEEDED = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}  # as Linux names them
SLOW_PEXT = ("AuthenticAMD", "23")  # Zen 1 and 2 can, but are faster without some of it
CPU_INFO = Path("/proc/cpuinfo")
FOLDER = Path(__file__).parent / "shipped_code"
MEMBER = re.compile(r"numba-[\w.-]+/[\w. -]+\.(nbi|nbc|ready)", re.ASCII)  # one folder deep, nothing above it
LARGEST_MEMBER, LARGEST_ARCHIVE, MOST_MEMBERS = 16 << 20, 512 << 20, 20_000  # bytes unpacked; files


def python_tag() -> str:
    return f"py{sys.version_info.major}{sys.version_info.minor}"


def archive(numba: str) -> Path:
    """Where the code for this Python and this numba would be."""
    return FOLDER / f"numba-{numba}-{python_tag()}-{sys.platform}.zip"


def cpu_can() -> bool:
    """Whether the processor runs code for the target, and gains by it."""
    if platform.machine() != "x86_64":
        return False
    try:
        lines = CPU_INFO.read_text().split("\n\n")[0].splitlines()
    except OSError:
        return False
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    is_slow = (facts.get("vendor_id"), facts.get("cpu family")) == SLOW_PEXT
    return facts.keys() >= {"flags"} and set(facts["flags"].split()) >= NEEDED and not is_slow


def is_native_wanted() -> bool:
    return os.environ.get("HSCTL_NATIVE", "0") not in ("", "0")


def is_target() -> bool:
    """Whether numba compiles for the target."""
    return all(os.environ.get(name) == value for name, value in VARIABLES.items())


def use(numba: str, sources: str, home: Path) -> None:
    """If there is shipped code of these sources, have it in the cache, and compile for its target from now on."""
    path, marker = archive(numba), home / f"shipped-{sources}"
    is_asked_otherwise = "numba" in sys.modules or any(name in os.environ for name in VARIABLES)
    if not path.exists() or is_native_wanted() or (is_asked_otherwise and not is_target()) or not cpu_can():
        return
    try:
        if not marker.exists() and not unpack(path, f"kernels-{sources}.json", home):
            return
        marker.touch()
    except (OSError, zipfile.BadZipFile):  # a full disk, half a file: then it is compiled
        return
    os.environ.update(VARIABLES)


def unpack(path: Path, needed: str, home: Path) -> bool:
    """Put all files where they belong, each at once: others may be doing the same. False if it is of other sources."""
    with zipfile.ZipFile(path) as packed:
        if needed not in packed.namelist():
            return False
        check_members(path, needed, packed.infolist())
        for name in packed.namelist():
            place = home / name
            place.parent.mkdir(parents=True, exist_ok=True)
            written = place.with_name(f"{place.name}.{os.getpid()}")
            try:
                written.write_bytes(packed.read(name))
                written.replace(place)
            finally:
                written.unlink(missing_ok=True)  # of a full disk
    return True


def check_members(path: Path, needed: str, members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive with anything but files of compiled code: it must not write elsewhere or fill the disk."""
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        is_named_well = member.filename == needed or MEMBER.fullmatch(member.filename)
        if not is_named_well or kind not in (0, stat.S_IFREG) or member.file_size > LARGEST_MEMBER:
            raise damaged(path, f"{member.filename!r} is not a file of compiled code")
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
        raise damaged(path, "it is too large")


def damaged(path: Path, what: str) -> HsctlError:
    return HsctlError(f"{path}: {what}: install hsctl again, or set HSCTL_NATIVE=1 to compile for this machine")


def pack(path: Path, home: Path, files: Iterable[Path]) -> None:
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(files):
            packed.write(file, file.relative_to(home))


def main() -> None:
    """What entries are made of; what only kernels call is part of them."""
    from engine.compile import cache

    if not is_target():
        raise HsctlError(f"set {' '.join(f'{name}={value}' for name, value in VARIABLES.items())}")
    folders = [cache.CACHE, *filter(None, map(cache.module_folder, cache.DIGESTS))]
    files = [file for folder in folders for file in folder.glob("*") if is_shipped(file)]
    path = archive(cache.numba_version())
    pack(path, cache.HOME, [cache.HOME / f"kernels-{cache.SOURCES}.json", *files])
    print(f"{path}: {len(files)} files, {path.stat().st_size / 2**20:.1f} MB")


def is_shipped(file: Path) -> bool:
    return file.suffix in (".nbi", ".nbc", ".ready") and ".inner-" not in file.name


if __name__ == "__main__":
    main()
