"""Shipped code: taken where it fits, left alone where anything differs, with the reason."""

import hashlib
import json
import os
import stat
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import pytest

from engine.compile import cache, shipped
from engine.compile.cache import JIT_DISABLED
from engine.compile.files import EntryFiles
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
    monkeypatch.setattr(shipped, "cpu_lack", lambda: "")
    monkeypatch.setattr(os, "environ", dict(NO_VARIABLES))
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    (tmp_path / "made" / "numba-1-engine.rules").mkdir(parents=True)
    files = [tmp_path / "made" / "kernels-0123.json", tmp_path / "made" / "numba-1-engine.rules" / "step.nbi"]
    for file in files:
        file.write_text(file.name)
    shipped.pack(shipped.archive("1"), tmp_path / "made", "0123", files)
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_it_is_put_into_the_cache_once_and_compiled_for_from_then_on(package):
    assert shipped.use("1", "0123", package) == shipped.USED
    step = package / "numba-1-engine.rules" / "step.nbi"
    assert step.read_text() == "step.nbi"
    assert shipped.is_target()
    step.unlink()
    shipped.use("1", "0123", package)  # as a process does that was started by this one
    assert not step.exists()


@pytest.mark.parametrize(
    ("numba", "sources", "environment", "reason"),
    [
        ("2", "0123", {}, "it is for numba 1, 2 is installed"),
        ("1", "4567", {}, "it was made from other sources"),
        ("1", "0123", {"HSCTL_NATIVE": "1"}, "HSCTL_NATIVE is set"),
        ("1", "0123", {"NUMBA_CPU_NAME": "generic"}, "NUMBA_CPU_NAME is set"),
        ("1", "0123", {"NUMBA_CPU_FEATURES": "+avx"}, "NUMBA_CPU_FEATURES is set"),
    ],
)
def test_it_is_left_alone_where_anything_differs(package, numba, sources, environment, reason):
    os.environ.update(environment)
    found = shipped.use(numba, sources, package)
    assert (found.is_used, found.reason) == (False, reason) and found.line.endswith(reason)
    assert not list(package.iterdir())
    assert not shipped.is_target()


def test_nobody_misses_what_a_clone_does_not_have(package):
    shipped.archive("1").unlink()
    os.environ["HSCTL_NATIVE"] = "1"
    found = shipped.use("1", "0123", package)
    assert (found.is_used, found.line) == (False, "") and found.reason


def test_another_python_or_system_is_the_reason(package):
    archive = shipped.archive("1")
    archive.rename(archive.with_name("numba-1-py39-linux.zip"))
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert shipped.use("1", "0123", package).reason == f"it is for Python 3.9, this is {own}"
    archive.with_name("numba-1-py39-linux.zip").rename(archive.with_name("numba-1-py311-beos.zip"))
    assert shipped.use("1", "0123", package).reason == f"it is for beos, this is {sys.platform}"


def test_what_the_processor_lacks_is_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "CPU_INFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(shipped.platform, "machine", lambda: "x86_64")
    (tmp_path / "cpuinfo").write_text(cpu_info(FLAGS.replace("avx2", "")))
    assert shipped.cpu_lack() == "this processor has no AVX2"


def test_numba_that_was_imported_first_is_the_reason(package, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert shipped.use("1", "0123", package).reason == "numba was imported before hsctl"


def test_half_a_file_is_no_error(package):
    path = shipped.archive("1")
    path.write_bytes(path.read_bytes()[:100])
    assert "is damaged" in shipped.use("1", "0123", package).reason
    assert not shipped.is_target()


def test_a_digest_that_differs_is_never_loaded(package):
    digests = shipped.FOLDER / shipped.DIGESTS
    known = json.loads(digests.read_text())
    known["archives"] = dict.fromkeys(known["archives"], "0" * 64)
    digests.write_text(json.dumps(known))
    assert "is damaged" in shipped.use("1", "0123", package).reason
    digests.unlink()
    assert not shipped.use("1", "0123", package).is_used
    assert not list(package.iterdir())


@pytest.mark.linux
@pytest.mark.parametrize("place", [".", "shipped_code", "archive"])
def test_an_archive_that_others_can_change_is_never_loaded(package, place):
    shared = shipped.archive("1") if place == "archive" else package.parent / place
    shared.chmod(0o777)
    found = shipped.use("1", "0123", package)
    assert (found.is_used, found.reason) == (False, f"others can write to {shared.resolve()}")
    shared.chmod(0o755)
    assert shipped.use("1", "0123", package).is_used


def test_who_has_to_wait_is_told_why_once(monkeypatch):
    monkeypatch.setattr(cache, "SHIPPED", shipped.Shipped(False, "this processor has no AVX2"))
    cache.explain_compiling.cache_clear()
    told = []
    announce = told.append
    for _ in range(2):
        cache.explain_compiling(announce)
    cache.explain_compiling.cache_clear()
    assert told == ["the shipped machine code is not used: this processor has no AVX2"]


def test_archives_of_the_same_sources_stay(package):
    made = package.parent / "made"
    other = shipped.archive("1").with_name("numba-1-py39-linux.zip")
    shipped.pack(other, made, "0123", [made / "kernels-0123.json"])
    assert {path.name for path in shipped.FOLDER.glob("*.zip")} == {other.name, shipped.archive("1").name}
    assert shipped.use("1", "0123", package).is_used
    (made / "kernels-4567.json").write_text("new")
    shipped.pack(other, made, "4567", [made / "kernels-4567.json"])
    assert [path.name for path in shipped.FOLDER.glob("*.zip")] == [other.name]
    assert list(json.loads((shipped.FOLDER / shipped.DIGESTS).read_text())["archives"]) == [other.name]


def test_archives_made_elsewhere_are_added(package, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    name = "numba-1-py39-linux.zip"
    (elsewhere / name).write_bytes(b"code")
    known = {"sources": "0123", "archives": {name: hashlib.sha256(b"code").hexdigest()}}
    (elsewhere / shipped.DIGESTS).write_text(json.dumps(known))
    shipped.merge(elsewhere, "0123")
    assert set(shipped.read_digests(shipped.FOLDER)["archives"]) == {name, shipped.archive("1").name}
    with pytest.raises(HsctlError):
        shipped.merge(elsewhere, "4567")
    (elsewhere / name).write_bytes(b"other code")
    with pytest.raises(HsctlError):
        shipped.merge(elsewhere, "0123")
    assert (shipped.FOLDER / name).read_bytes() == b"code"


def test_the_same_files_make_the_same_archive(package):
    made = package.parent / "made"
    files = [made / "kernels-0123.json", made / "numba-1-engine.rules" / "step.nbi"]
    before = shipped.archive("1").read_bytes()
    for file in files:
        os.utime(file, (10**9, 10**9))
    shipped.pack(shipped.archive("1"), made, "0123", reversed(files))
    assert shipped.archive("1").read_bytes() == before


def test_what_is_kept_names_no_address_of_this_process():
    """The listing of types would: two builds of one commit must be equal."""
    made = SimpleNamespace(_reduce=lambda: (*range(6), "global(step: <function step at 0x7f18fc0114e0>)", 7, 8))
    assert EntryFiles.reduce(object.__new__(EntryFiles), made) == (*range(6), "", 7, 8)


def vouch_for_archive():
    """Write the digest of an archive that was changed, as its maker would."""
    path = shipped.archive("1")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (shipped.FOLDER / shipped.DIGESTS).write_text(json.dumps({"sources": "0123", "archives": {path.name: digest}}))


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
    vouch_for_archive()
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
