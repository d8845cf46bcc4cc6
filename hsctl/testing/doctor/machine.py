"""What this machine gives hsctl: a function for each section of the report."""

import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from engine.errors import HsctlError
from hsctl import __version__
from hsctl.testing.doctor.facts import NOTE, OK, PROBLEM, Fact, Level, shorten_home

PACKAGES = ("numba", "llvmlite", "numpy", "msgspec", "rich", "textual", "typer")
EXTRAS = {  # what each adds, and a module of each of its packages
    "cluster": ("leagues on Dask clusters", ("distributed",)),
    "parquet": ("Parquet files", ("pyarrow",)),
    "env": ("learning environments", ("gymnasium", "pettingzoo", "PIL")),
    "plot": ("plots and GIFs", ("matplotlib", "PIL")),
    "tune": ("`hsctl tune`", ("cmaes",)),
}
ROOT = Path(__file__).parents[3]
SLEEP_S, SLEEPS = 0.001, 20
LATE_S = 0.005  # a wake-up so late takes a twentieth of a turn
MEMORY = Path("/sys/fs/cgroup/memory.max")
NARROW, LOW = 80, 24


def examine_machine() -> dict[str, list[Fact]]:
    """All sections, by title."""
    return {
        "Versions": list(version_facts()),
        "Processor": list(processor_facts()),
        "Compiled code": list(code_facts()),
        "Protection from bots": list(protection_facts()),
        "Clock": list(clock_facts()),
        "Terminal": list(terminal_facts()),
        "Extras": list(extra_facts()),
    }


def version_facts() -> Iterator[Fact]:
    kind = "from a clone" if (ROOT / "pyproject.toml").exists() else "installed"
    yield Fact("hsctl", f"{__version__}, {kind}")
    yield Fact("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    yield Fact("system", platform.platform())
    for name in PACKAGES:
        try:
            yield Fact(name, version(name))
        except PackageNotFoundError:
            yield Fact(name, "not installed", PROBLEM, "Install hsctl again.")


def processor_facts() -> Iterator[Fact]:
    from engine.compile import shipped
    from hsctl.match.cores import core_count

    facts = shipped.read_cpu()
    yield Fact("model", facts.get("model name") or platform.processor() or platform.machine())
    yield Fact("cores", f"{core_count()} for hsctl, {os.cpu_count()} in the machine")
    flags = set(facts.get("flags", "").split())
    if flags and not flags >= {"avx2", "bmi2"}:
        yield Fact("instructions", "without AVX2 or BMI2", NOTE, "The engine runs, but slower.")
    yield target_fact()


def target_fact() -> Fact:
    """What kernels are compiled for."""
    from engine.compile.shipped import TARGET, is_target

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        advice = "Unset NUMBA_DISABLE_JIT: without compiler, searches are about 100 times slower."
        return Fact("compiled for", "nothing, everything is plain Python", PROBLEM, advice)
    asked = os.environ.get("NUMBA_CPU_NAME")
    if asked and not is_target():
        return Fact("compiled for", f"{asked}, by NUMBA_CPU_NAME")
    from llvmlite.binding import get_host_cpu_name

    return Fact("compiled for", f"{TARGET}, as shipped" if is_target() else f"this processor ({get_host_cpu_name()})")


# Compiled code and folders


def code_facts() -> Iterator[Fact]:
    try:
        from engine.compile import cache
    except HsctlError as error:  # HSCTL_CACHE can't be written
        yield Fact("cache", str(error), PROBLEM, "Unset HSCTL_CACHE, or name a folder that you can write to.")
        return
    from search.spec import AGENTS
    from search.warm import missing_parts, parts_of

    yield shipped_fact(cache.SHIPPED.is_used, cache.SHIPPED.reason, cache.SHIPPED.is_expected)
    yield folder_fact(CACHE, cache.HOME, cache.used_bytes())
    missing, parts = missing_parts(AGENTS), parts_of(AGENTS)
    advice = "`hsctl cache --warm` compiles all before it is needed." if missing else ""
    yield Fact("compiled", f"{len(parts) - len(missing)} of {len(parts)} parts", NOTE if missing else OK, advice)
    from replays.store import data_folder

    yield folder_fact("replays and ledger", data_folder(), size_of(data_folder()))


CACHE = "cache"


def shipped_fact(is_used: bool, reason: str, is_expected: bool) -> Fact:
    if is_used:
        return Fact("shipped code", "used")
    if not is_expected:
        return Fact("shipped code", f"not used: {reason}")
    return Fact("shipped code", f"not used: {reason}", NOTE, "The first run of each version compiles for some seconds.")


def folder_fact(name: str, folder: Path, size: int) -> Fact:
    """Where something is kept, how large it is, and who can write to it."""
    from engine.compile.cache import is_writable
    from engine.compile.shipped import open_to_others

    value = f"{shorten_home(folder)}, {size / 2**20:.0f} MB"
    if not is_writable(folder):
        return Fact(name, f"{value}, read-only", PROBLEM, f"Make it writable: {shorten_home(folder)}")
    if (shared := open_to_others(folder)) is not None:
        advice = f"Others can put code there that hsctl runs: chmod go-w {shorten_home(shared)}"
        return Fact(name, f"{value}, writable by others", PROBLEM, advice)
    if name == CACHE and folder.is_relative_to(tempfile.gettempdir()) and "HSCTL_CACHE" not in os.environ:
        advice = "Your cache folder can't be written: name another by HSCTL_CACHE."
        return Fact(name, f"{value}, temporary", NOTE, advice)
    return Fact(name, f"{value}, writable")


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# Protection from bots


def protection_facts() -> Iterator[Fact]:
    from hsctl.match.bots.confine import FIRST_VERSION_WITH_SCOPES, LARGEST_FILE_MB, landlock_version

    found = landlock_version()
    if not found:
        advice = "Bots can reach your other processes. Linux 5.13 and later has it."
        yield Fact("Landlock", "not available", NOTE, advice)
    elif found < FIRST_VERSION_WITH_SCOPES:
        yield Fact("Landlock", f"version {found}: bots can't read your processes, but send them signals")
    else:
        yield Fact("Landlock", f"version {found}: bots can't reach your processes")
    yield sandbox_fact()
    if find_spec("resource"):
        yield Fact("file limits", f"core files off, files up to {LARGEST_FILE_MB} MB (prlimit)")
    else:
        yield Fact("file limits", "none on this system", NOTE)
    yield Fact("container limits", container_limits())


def sandbox_fact() -> Fact:
    from hsctl.match.bots.sandbox import check_sandbox

    try:
        check_sandbox()
    except HsctlError as error:
        reason = str(error).removeprefix("--sandbox: ")
        advice = "Install it, for instance with `apt install bubblewrap`: bots can read your files without."
        return Fact("bubblewrap", f"--sandbox doesn't work: {reason}", NOTE, advice)
    return Fact("bubblewrap", "--sandbox works: no network, read-only files")


def container_limits() -> str:
    """What cgroups allow to this process."""
    from hsctl.match.cores import QUOTA

    limits = []
    for name, path in (("cores", QUOTA), ("memory", MEMORY)):
        try:
            words = path.read_text().split()
        except OSError:
            continue
        if words and words[0] != "max":
            amount = f"{int(words[0]) / int(words[1]):g}" if len(words) == 2 else f"{int(words[0]) / 2**20:.0f} MB"
            limits.append(f"{name} {amount}")
    return ", ".join(limits) or "none"


# The clock


def clock_facts(sleep: Callable[[float], None] = time.sleep) -> Iterator[Fact]:
    from hsctl.match.cores import core_count, find_capacity, work

    yield Fact("resolution", f"{time.get_clock_info('perf_counter').resolution * 1e9:.0f} ns")
    late = sorted(overslept(sleep) for _ in range(SLEEPS))
    level: Level = NOTE if late[-1] > LATE_S else OK
    yield Fact("wakes up late by", f"{median(late) * 1000:.2f} ms, at worst {late[-1] * 1000:.2f} ms", level)
    most = core_count()
    yield capacity_fact(find_capacity(most, work), most)


def overslept(sleep: Callable[[float], None]) -> float:
    began = time.perf_counter()
    sleep(SLEEP_S)
    return max(0.0, time.perf_counter() - began - SLEEP_S)


def capacity_fact(capacity: "tuple[int, bool]", most: int) -> Fact:
    """Whether turns of 100 ms can be judged here, by how many cores other work leaves."""
    jobs, is_free = capacity
    if not is_free:
        advice = "Stop other work, or play with --nodes: agents then need no clock. Late bots may not be at fault."
        return Fact("100 ms turns", "can't be judged fairly now: no core is free", PROBLEM, advice)
    cores = "1 core is" if jobs == 1 else f"{jobs} cores are"
    if jobs < most:
        return Fact("100 ms turns", f"can be judged: {cores} free of {most}", NOTE, f"Use --jobs {jobs} for series.")
    return Fact("100 ms turns", f"can be judged: {cores} free")


# The terminal


def terminal_facts() -> Iterator[Fact]:
    from hsctl.plain import shows_all
    from hsctl.report.safe_console import SafeConsole

    console = SafeConsole()
    term = os.environ.get("TERM", "")
    if not console.is_terminal:
        yield Fact("kind", f"not a terminal (TERM={term})" if term else "not a terminal")
    elif console.is_dumb_terminal:
        yield Fact("kind", f"TERM={term}", NOTE, "Boards can't be stepped through: use `hsctl replay --html FILE`.")
    else:
        yield Fact("kind", f"TERM={term}")
    columns, rows = shutil.get_terminal_size()
    is_small = console.is_terminal and (columns < NARROW or rows < LOW)
    advice = f"{NARROW} x {LOW} shows a board beside its players." if is_small else ""
    yield Fact("size", f"{columns} x {rows}", NOTE if is_small else OK, advice)
    yield Fact("colours", console.color_system or "none")
    if shows_all(sys.stdout):
        yield Fact("characters", f"Unicode ({sys.stdout.encoding})")
    else:
        advice = "Boards use plain letters; PYTHONUTF8=1 gives the others."
        yield Fact("characters", sys.stdout.encoding or "ASCII", NOTE, advice)


# Extras


def extra_facts() -> Iterator[Fact]:
    for name, (purpose, modules) in EXTRAS.items():
        if all(find_spec(module) for module in modules):
            yield Fact(name, f"{purpose}: installed")
        else:
            yield Fact(name, f"{purpose}: not installed", OK, f"To add it: {install_command(name)}")


def install_command(extra: str) -> str:
    if (ROOT / "pyproject.toml").exists():
        return f"pip install -e '{shorten_home(ROOT)}[{extra}]'"
    return f"pip install 'hsctl[{extra}]'"
