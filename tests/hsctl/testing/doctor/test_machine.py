"""The doctor's facts about a machine, with things taken away."""

import json
import os
import stat
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.compile import cache, shipped
from hsctl.match import cores
from hsctl.match.bots import confine, sandbox
from hsctl.match.cores import Capacity, Worked
from hsctl.testing.doctor import machine
from hsctl.testing.doctor.facts import NOTE, OK, PROBLEM, Fact, shorten_home
from tests.hsctl.run import ROOT, run_here


def named(facts: Iterable[Fact]) -> dict[str, Fact]:
    return {fact.name: fact for fact in facts}


@pytest.fixture
def quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is measured: every process gets its core."""
    monkeypatch.setattr(cores, "work", lambda processes: [Worked(0.0, 1.0)] * processes)
    monkeypatch.setattr(machine, "SLEEPS", 1)


def test_the_report_is_one_document(quiet_machine: None, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_here(capsys, "doctor", "--json")
    report = json.loads(run.out)
    assert (run.code, report["format"], report["bot"], report["fix_first"]) == (0, "hsctl-doctor", None, [])
    assert list(report["sections"]) == list(machine.examine_machine())
    for facts in report["sections"].values():
        assert facts and all(set(fact) == {"name", "value", "level", "advice"} for fact in facts)
        assert all(fact["level"] in (OK, NOTE, PROBLEM) for fact in facts)


def test_the_screen_has_every_fact(quiet_machine: None, capsys: pytest.CaptureFixture[str]) -> None:
    out = run_here(capsys, "doctor").out
    for title, facts in machine.examine_machine().items():
        assert title in out.splitlines() and all(fact.name in out for fact in facts)
    assert max(map(len, out.splitlines())) <= 80


def test_a_processor_without_avx2_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = " ".join(shipped.NEEDED - {"avx2"})
    (tmp_path / "cpuinfo").write_text(f"model name\t: Old\nvendor_id\t: GenuineIntel\nflags\t\t: {flags}\n\n")
    monkeypatch.setattr(shipped, "CPU_INFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(shipped.platform, "machine", lambda: "x86_64")
    facts = named(machine.processor_facts())
    assert facts["model"].value == "Old" and facts["instructions"].level == NOTE
    lack = shipped.Shipped(False, shipped.cpu_lack())
    assert machine.shipped_fact(*lack).value == "not used: this processor has no AVX2"


@pytest.mark.parametrize(
    ("found", "level"),
    [
        (shipped.USED, OK),
        (shipped.Shipped(False, "it is for Python 3.9, this is 3.11"), NOTE),
        (shipped.Shipped(False, "this installation has none", is_expected=False), OK),
    ],
)
def test_why_shipped_code_is_not_used(found: shipped.Shipped, level: str) -> None:
    fact = machine.shipped_fact(*found)
    assert fact.level == level and found.reason in fact.value


def test_a_process_without_compiler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert machine.target_fact().level == PROBLEM


def test_a_read_only_folder_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HSCTL_CACHE", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path.parent))
    assert machine.folder_fact(machine.CACHE, tmp_path, 0).value.endswith("temporary")
    assert machine.folder_fact("replays", tmp_path, 0).value.endswith("writable")
    monkeypatch.setattr(cache, "is_writable", lambda folder: False)
    fact = machine.folder_fact("cache", tmp_path, 3 << 20)
    assert fact.level == PROBLEM and fact.value.endswith("3 MB, read-only")


@pytest.mark.linux
def test_a_folder_that_others_can_write_to_is_a_problem(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRWXU | stat.S_IWOTH)
    fact = machine.folder_fact("cache", tmp_path, 0)
    assert fact.level == PROBLEM and str(tmp_path) in fact.advice
    tmp_path.chmod(stat.S_IRWXU)


@pytest.mark.linux
def test_a_cache_that_cannot_be_written_does_not_stop_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "engine.compile.cache")
    monkeypatch.delattr("engine.compile.cache")
    monkeypatch.setenv("HSCTL_CACHE", "/dev/null/no")
    [fact] = machine.code_facts()
    assert (fact.name, fact.level) == ("cache", PROBLEM) and "/dev/null/no" in fact.value


def test_without_bubblewrap_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PROGRAM", "no-such-bwrap")
    sandbox.check_sandbox.cache_clear()
    fact = machine.sandbox_fact()
    sandbox.check_sandbox.cache_clear()
    assert fact.level == NOTE and "bubblewrap" in fact.advice


@pytest.mark.parametrize(("found", "level"), [(0, NOTE), (3, OK), (confine.FIRST_VERSION_WITH_SCOPES, OK)])
def test_what_landlock_can_do_is_reported(monkeypatch: pytest.MonkeyPatch, found: int, level: str) -> None:
    monkeypatch.setattr(confine, "landlock_version", lambda: found)
    assert named(machine.protection_facts())["Landlock"].level == level


def test_limits_of_a_container_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(machine, "MEMORY", tmp_path / "memory.max")
    assert machine.container_limits() == "none"
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    (tmp_path / "memory.max").write_text(f"{512 << 20}\n")
    assert machine.container_limits() == "cores 1.5, memory 512 MB"
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.container_limits() == "cores 1.5"


@pytest.mark.parametrize(
    ("capacity", "level"), [(Capacity(4, True), OK), (Capacity(2, True), NOTE), (Capacity(1, False), PROBLEM)]
)
def test_a_busy_machine_cannot_judge_turns(capacity: Capacity, level: str) -> None:
    assert machine.capacity_fact(capacity, 4).level == level


def test_a_dumb_terminal_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    monkeypatch.setenv("COLUMNS", "60")
    facts = named(machine.terminal_facts())
    assert facts["kind"].level == NOTE and facts["colours"].value == "none"
    assert facts["size"].level == NOTE and facts["size"].value.startswith("60 x ")


def test_extras_are_those_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(machine.EXTRAS) == set(project) - {"dev"}
    monkeypatch.setattr(machine, "find_spec", lambda name: None if name == "cmaes" else object())
    facts = named(machine.extra_facts())
    assert facts["tune"].advice.endswith("[tune]'") and not facts["plot"].advice


def test_a_path_does_not_name_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert shorten_home("/home/anna/.cache/hsctl") == "~/.cache/hsctl"
    assert shorten_home(Path(tempfile.gettempdir())) == tempfile.gettempdir()
    assert os.environ["HOME"] not in shorten_home("/home/anna/x")
