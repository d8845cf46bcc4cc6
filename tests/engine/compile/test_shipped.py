"""Shipped code: taken where it fits, left alone where anything differs."""

import os
import stat
import subprocess
import sys
import zipfile

import pytest

from engine.compile import shipped
from engine.compile.cache import JIT_DISABLED
from engine.errors import HsctlError

FLAGS = "fpu " + " ".join(sorted(shipped.NEEDED))
NO_VARIABLES = {name: value for name, value in os.environ.items() if name not in shipped.VARIABLES}


def cpu_info(flags=FLAGS, vendor="GenuineIntel", family="6"):
    core = f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nflags\t\t: {flags}"
    return f"{core}\n\n{core.replace('processor	: 0', 'processor	: 1')}\n"


@pytest.mark.parametrize(
    ("text", "machine", "can"),
    [
        (cpu_info(), "x86_64", True),
        (cpu_info(vendor="AuthenticAMD", family="25"), "x86_64", True),
        (cpu_info(vendor="AuthenticAMD", family="23"), "x86_64", False),
        (cpu_info(FLAGS.replace("bmi2", "")), "x86_64", False),
        (cpu_info(), "aarch64", False),
        ("", "x86_64", False),
        (None, "x86_64", False),
    ],
)
def test_the_processor_must_be_able_to_run_it(tmp_path, monkeypatch, text, machine, can):
    monkeypatch.setattr(shipped, "CPU_INFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(shipped.platform, "machine", lambda: machine)
    if text is not None:
        (tmp_path / "cpuinfo").write_text(text)
    assert shipped.cpu_can() == can


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with shipped code for sources "0123", a cache, and a process in which numba isn't imported yet."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped_code")
    monkeypatch.setattr(shipped, "cpu_can", lambda: True)
    monkeypatch.setattr(os, "environ", dict(NO_VARIABLES))
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    (tmp_path / "made" / "numba-1-engine.rules").mkdir(parents=True)
    files = [tmp_path / "made" / "kernels-0123.json", tmp_path / "made" / "numba-1-engine.rules" / "step.nbi"]
    for file in files:
        file.write_text(file.name)
    shipped.pack(shipped.archive("1"), tmp_path / "made", files)
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_it_is_put_into_the_cache_once_and_compiled_for_from_then_on(package):
    shipped.use("1", "0123", package)
    step = package / "numba-1-engine.rules" / "step.nbi"
    assert step.read_text() == "step.nbi"
    assert shipped.is_target()
    step.unlink()
    shipped.use("1", "0123", package)  # as a process does that was started by this one
    assert not step.exists()


@pytest.mark.parametrize(
    ("numba", "sources", "environment"),
    [
        ("2", "0123", {}),
        ("1", "4567", {}),
        ("1", "0123", {"HSCTL_NATIVE": "1"}),
        ("1", "0123", {"NUMBA_CPU_NAME": "generic"}),
        ("1", "0123", {"NUMBA_CPU_FEATURES": "+avx"}),
    ],
)
def test_it_is_left_alone_where_anything_differs(package, numba, sources, environment):
    os.environ.update(environment)
    shipped.use(numba, sources, package)
    assert not list(package.iterdir())
    assert not shipped.is_target()


def test_half_a_file_is_no_error(package):
    path = shipped.archive("1")
    path.write_bytes(path.read_bytes()[:100])
    shipped.use("1", "0123", package)
    assert not shipped.is_target()


def a_link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    "member",
    [
        "../outside.nbc",
        "numba-1-engine.rules/../../outside.nbc",
        "/tmp/outside.nbc",
        "C:outside.nbc",
        "numba-1\\..\\outside.nbc",
        "numba-1-engine.rules/step.py",
        "other/step.nbc",
        "kernels-4567.json",
        "numba-1-engine.rules/",
        a_link("numba-1-engine.rules/link.nbc"),
    ],
    ids=str,
)
def test_an_archive_with_anything_else_is_refused_whole(package, member):
    with zipfile.ZipFile(shipped.archive("1"), "a") as packed:
        packed.writestr(member, "elsewhere")
    with pytest.raises(HsctlError):
        shipped.use("1", "0123", package)
    assert [path.name for path in package.parent.rglob("*") if package in path.parents or "outside" in path.name] == []
    assert not shipped.is_target()


@pytest.mark.parametrize(("limit", "value"), [("LARGEST_MEMBER", 7), ("LARGEST_ARCHIVE", 20), ("MOST_MEMBERS", 1)])
def test_an_archive_that_unpacks_to_too_much_is_refused(package, monkeypatch, limit, value):
    monkeypatch.setattr(shipped, limit, value)
    with pytest.raises(HsctlError):
        shipped.use("1", "0123", package)
    assert not list(package.iterdir())


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED or not shipped.cpu_can(), reason="nothing can be shipped to this machine")
def test_shipped_code_compiles_nothing_elsewhere(copied, tmp_path_factory):
    """Made in one folder with one cache, run in another with another."""
    environment = {**NO_VARIABLES, **shipped.VARIABLES, "HSCTL_CACHE": str(copied / "cache"), "PYTHONPATH": str(copied)}
    for command in (
        ["-c", "from search.warm import compile_part; compile_part('the game')"],
        ["-m", "engine.compile.shipped"],
    ):
        done = subprocess.run([sys.executable, *command], cwd=copied, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for package in ("engine", "search"):
        (copied / package).rename(elsewhere / package)
    code = """
from engine.compile import shipped
from engine.compile.cache import is_ready
assert shipped.is_target() and is_ready("the game")
from engine.game import Game
from engine.rules import play_round
Game.start(0, 2).step([0, 0])
print(sum(play_round._cache_misses.values()), sum(play_round._cache_hits.values()))
"""
    environment = {**NO_VARIABLES, "HSCTL_CACHE": str(elsewhere / "cache"), "PYTHONPATH": str(elsewhere)}
    done = subprocess.run([sys.executable, "-c", code], cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["0", "1"], done.stderr
    native = {**environment, "HSCTL_NATIVE": "1"}
    check = "from engine.compile import shipped, cache; print(shipped.is_target(), cache.is_ready('the game'))"
    done = subprocess.run([sys.executable, "-c", check], cwd=elsewhere, env=native, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"], done.stderr
