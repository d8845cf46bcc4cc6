"""The compiled code in the wheel, for all processors of the last ten years (x86-64-v3).

The first run unpacks it into the cache. Python, numba and the sources must be those it was made with, and the processor
must be able to run it. If not, or with HSCTL_NATIVE=1, kernels are compiled for this machine, and `Shipped.reason`
explains why.

    python -m engine.compile.shipped             packs the cache's code for this target into this package
    python -m engine.compile.shipped FOLDER ...  adds the archives of these folders, made from the same sources

There is an archive for each Python. DIGESTS holds the digest of their common sources and of each archive. An archive
is not loaded if it is damaged, or if anybody but the user and root can change it.

Two variables, which numba reads at import, set the target. They stay set for later compilations and for child
processes.
"""

import hashlib
import json
import os
import platform
import re
import stat
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from engine.errors import HsctlError

TARGET = "x86-64-v3"
TAG = "v3"  # of this target, in names of folders
VARIABLES = {"NUMBA_CPU_NAME": TARGET, "NUMBA_CPU_FEATURES": ""}
NEEDED = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}  # as Linux names them
SLOW_PEXT = ("AuthenticAMD", "23")  # Zen 1 and 2 can, but are faster without some of it
CPU_INFO = Path("/proc/cpuinfo")
FOLDER = Path(__file__).parent / "shipped_code"
DIGESTS = "digests.json"
ARCHIVE = re.compile(r"numba-(?P<numba>[\w.]+)-py(?P<major>\d)(?P<minor>\d+)-(?P<platform>\w+)\.zip")
MEMBER = re.compile(r"numba-[\w.-]+/[\w. -]+\.(nbi|nbc|ready)", re.ASCII)  # one folder deep, nothing above it
LARGEST_MEMBER, LARGEST_ARCHIVE, MOST_MEMBERS = 16 << 20, 512 << 20, 20_000  # bytes unpacked; files


def python_tag() -> str:
    return f"py{sys.version_info.major}{sys.version_info.minor}"


def archive(numba: str) -> Path:
    """Where the code for this Python and this numba would be."""
    return FOLDER / f"numba-{numba}-{python_tag()}-{sys.platform}.zip"


class Shipped(NamedTuple):
    """Whether shipped code is used, and if not, why."""

    is_used: bool
    reason: str = ""
    is_expected: bool = True  # False: there is none, as in a clone

    @property
    def line(self) -> str:
        """The explanation for a user who has to wait; empty if there is none."""
        return "" if self.is_used or not self.is_expected else f"the shipped machine code is not used: {self.reason}"


USED = Shipped(True)


def read_cpu() -> dict[str, str]:
    """The facts Linux has about the first processor; empty elsewhere."""
    try:
        lines = CPU_INFO.read_text().split("\n\n")[0].splitlines()
    except OSError:
        return {}
    return {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def cpu_lack() -> str:
    """Why the processor can't run code for the target, or gains nothing from it; empty if all is well."""
    if platform.machine() != "x86_64":
        return f"it is for x86-64 processors, this one is {platform.machine()}"
    facts = read_cpu()
    if (facts.get("vendor_id"), facts.get("cpu family")) == SLOW_PEXT:
        return "this processor (AMD Zen 1 or 2) is faster with code compiled for it"
    missing = sorted(NEEDED - set(facts.get("flags", "").split()))
    if "flags" not in facts:
        return "the abilities of this processor are unknown"
    return f"this processor has no {', '.join(missing).upper()}" if missing else ""


def cpu_can() -> bool:
    return not cpu_lack()


def is_native_wanted() -> bool:
    return os.environ.get("HSCTL_NATIVE", "0") not in ("", "0")


def is_target() -> bool:
    """Whether numba compiles for the target."""
    return all(os.environ.get(name) == value for name, value in VARIABLES.items())


def use(numba: str, sources: str, home: Path) -> Shipped:
    """If there is shipped code of these sources, unpack it into the cache and set numba's target to match."""
    path, marker = archive(numba), home / f"shipped-{sources}"
    archives = [match for file in sorted(FOLDER.glob("*.zip")) if (match := ARCHIVE.fullmatch(file.name))]
    if not archives:
        return Shipped(False, "this installation has none", is_expected=False)
    if reason := other_wish() or other_machine(archives, path, numba):
        return Shipped(False, reason)
    try:
        if not marker.exists():
            if reason := find_damage(path, sources):
                return Shipped(False, reason)
            unpack(path, f"kernels-{sources}.json", home)
        marker.touch()
    except (OSError, zipfile.BadZipFile) as error:  # a full disk, half a file: then it is compiled
        return Shipped(False, f"{path.name} can't be unpacked: {error}")
    os.environ.update(VARIABLES)
    return USED


def other_wish() -> str:
    """What the user, or a program that uses hsctl, wants instead; empty if nothing."""
    if is_native_wanted():
        return "HSCTL_NATIVE is set"
    if is_target():
        return ""
    if "numba" in sys.modules:
        return "numba was imported before hsctl"
    return next((f"{name} is set" for name in VARIABLES if name in os.environ), "")


def other_machine(archives: list[re.Match[str]], path: Path, numba: str) -> str:
    """What is different here from where the code was made; empty if nothing is."""
    if lack := cpu_lack():
        return lack
    if path.exists():
        return ""
    here = [match for match in archives if match["platform"] == sys.platform]
    if not here:
        return f"it is for {archives[0]['platform']}, this is {sys.platform}"
    pythons = [f"{match['major']}.{match['minor']}" for match in here]
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    if own not in pythons:
        return f"it is for Python {', '.join(dict.fromkeys(pythons))}, this is {own}"
    return f"it is for numba {here[pythons.index(own)]['numba']}, {numba} is installed"


def find_damage(path: Path, sources: str) -> str:
    """Why an archive must not be loaded; empty if it may."""
    if folder := open_to_others(path):
        return f"others can write to {folder}"
    known = read_digests(FOLDER)
    if known.get("sources") != sources:
        return "it was made from other sources"
    if known.get("archives", {}).get(path.name) != hashlib.sha256(path.read_bytes()).hexdigest():
        return f"{path.name} is damaged; install hsctl again"
    return ""


def read_digests(folder: Path) -> dict[str, Any]:
    try:
        known = json.loads((folder / DIGESTS).read_text())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def open_to_others(path: Path) -> Path | None:
    """The file, or the first folder above it, that anybody but the user and root can change; None if there is none."""
    if not hasattr(os, "getuid"):
        return None
    resolved = path.resolve()
    for place in (resolved, *resolved.parents):
        found = place.stat()
        is_sticky = place.is_dir() and found.st_mode & stat.S_ISVTX  # others can't replace what is in it
        is_shared = found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not is_own_group(found.st_gid))
        if found.st_uid not in (0, os.getuid()) or (is_shared and not is_sticky):
            return place
    return None


def is_own_group(number: int) -> bool:
    """Whether a group has no other members: root's, or the one with the user's name, which many systems create."""
    import grp
    import pwd

    try:
        return number == 0 or grp.getgrgid(number).gr_name == pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return False


def unpack(path: Path, needed: str, home: Path) -> None:
    """Write all files, each atomically: other processes may be doing the same."""
    with zipfile.ZipFile(path) as packed:
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


def check_members(path: Path, needed: str, members: list[zipfile.ZipInfo]) -> None:
    """Raise if an archive has anything but compiled code, could write elsewhere or could fill the disk."""
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        is_named_well = member.filename == needed or MEMBER.fullmatch(member.filename)
        if not is_named_well or kind not in (0, stat.S_IFREG) or member.file_size > LARGEST_MEMBER:
            raise damaged(path, f"{member.filename!r} is not a file of compiled code")
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LARGEST_ARCHIVE:
        raise damaged(path, "it is too large")


def damaged(path: Path, what: str) -> HsctlError:
    return HsctlError(f"{path}: {what}: install hsctl again, or set HSCTL_NATIVE=1 to compile for this machine")


def pack(path: Path, home: Path, sources: str, files: Iterable[Path]) -> None:
    """Add an archive to those of the same sources. Equal files give equal bytes."""
    remove_others(sources)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(files):
            member = zipfile.ZipInfo(file.relative_to(home).as_posix())  # of the year 1980
            member.external_attr = (stat.S_IFREG | 0o644) << 16
            packed.writestr(member, file.read_bytes(), zipfile.ZIP_DEFLATED)
    write_digests(sources)


def merge(folder: Path, sources: str) -> None:
    """Add the archives of a folder, if they are what its digests say and are made of the same sources."""
    known = read_digests(folder)
    if known.get("sources") != sources:
        raise HsctlError(f"{folder}: made from other sources ({known.get('sources')}), not from {sources}")
    remove_others(sources)
    for name, digest in sorted(known["archives"].items()):
        content = (folder / name).read_bytes()
        if not ARCHIVE.fullmatch(name) or hashlib.sha256(content).hexdigest() != digest:
            raise HsctlError(f"{folder / name}: is not what {DIGESTS} says: make it again")
        (FOLDER / name).write_bytes(content)
    write_digests(sources)


def remove_others(sources: str) -> None:
    """Remove the archives that are made of other sources."""
    FOLDER.mkdir(exist_ok=True)
    if read_digests(FOLDER).get("sources") != sources:
        for other in FOLDER.glob("*.zip"):
            other.unlink()


def write_digests(sources: str) -> None:
    digests = {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in sorted(FOLDER.glob("*.zip"))}
    (FOLDER / DIGESTS).write_text(json.dumps({"sources": sources, "archives": digests}, indent=1) + "\n")


def main() -> None:
    """Pack the entries; they include the kernels that only kernels call."""
    from engine.compile import cache

    if folders := sys.argv[1:]:
        for folder in folders:
            merge(Path(folder), cache.SOURCES)
        return print("\n".join(sorted(path.name for path in FOLDER.glob("*.zip"))))
    if not is_target():
        raise HsctlError(f"set {' '.join(f'{name}={value}' for name, value in VARIABLES.items())}")
    kept = [cache.CACHE, *filter(None, map(cache.module_folder, cache.DIGESTS))]
    files = [file for folder in kept for file in folder.glob("*") if is_shipped(file)]
    path = archive(cache.numba_version())
    pack(path, cache.HOME, cache.SOURCES, [cache.HOME / f"kernels-{cache.SOURCES}.json", *files])
    print(f"{path}: {len(files)} files, {path.stat().st_size / 2**20:.1f} MB")


def is_shipped(file: Path) -> bool:
    return file.suffix in (".nbi", ".nbc", ".ready") and ".inner-" not in file.name


if __name__ == "__main__":
    main()
