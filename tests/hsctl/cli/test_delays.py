"""A machine that delays every turn of the wall clock: what commands say of their series then, and how they end."""

import json
from pathlib import Path
from typing import Any

import pytest

from hsctl.budget import HAS_CPU_CLOCK
from hsctl.match import seats
from tests.hsctl.run import run_here

Capture = pytest.CaptureFixture[str]
WALL = ("--clock", "wall", "--jobs", "1")
SERIES = {
    "play": ("play", "random", "still", "--games", "2", "--no-save"),
    "league": ("league", "random", "still", "--games", "2"),
    "compare": ("compare", "still", "random", "--games", "2"),
    "scale": ("scale", "random", "--time", "5", "--against", "still:time=5", "--games", "2"),
}


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "data"


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "is_long_wait", lambda *_: True)


def record_of(capsys: Capture, *words: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(run_here(capsys, *words, "--json").out)
    return record


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.usefixtures("busy")
def test_a_delayed_series_says_so_first(name: str, capsys: Capture) -> None:
    out = run_here(capsys, *SERIES[name], *WALL).out
    assert out.splitlines()[0].startswith("100 % of turns were delayed by the machine")
    assert max(map(len, out.splitlines())) <= 80
    record = record_of(capsys, *SERIES[name], *WALL)
    assert (record["clock"], record["valid"], record["delayed_turns"], record["retries"]) == ("wall", False, 1.0, 2)


@pytest.mark.skipif(not HAS_CPU_CLOCK, reason="the CPU clock of this system is too coarse")
@pytest.mark.parametrize("name", SERIES)
@pytest.mark.usefixtures("busy")
def test_on_the_cpu_clock_nothing_is_delayed(name: str, capsys: Capture) -> None:
    record = record_of(capsys, *SERIES[name], "--jobs", "1")
    assert (record["clock"], record["valid"], record["delayed_turns"], record["retries"]) == ("cpu", True, 0.0, 0)


def test_a_series_that_was_not_delayed_is_valid(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "is_long_wait", lambda *_: False)
    assert record_of(capsys, *SERIES["play"], *WALL)["valid"] is True


def test_compare_refuses_a_verdict(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("compare", "still", "random", "--elo1", "200", *WALL)
    for is_busy, expected in ((True, (3, "undecided", False)), (False, (0, "better", True))):
        monkeypatch.setattr(seats, "is_long_wait", lambda *_, is_busy=is_busy: is_busy)
        code, out, _ = run_here(capsys, *words, "--json")
        record = json.loads(out)
        assert (code, record["verdict"], record["valid"]) == expected
        assert record["llr"] > record["upper"]  # decided, were it not for the machine


def test_tune_refuses_a_verdict(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cmaes", reason="needs the extra [tune]")
    words = ("tune", "simple", "--params", "box=0..3,decay", "--against", "simple", *WALL)
    size = ("--games", "2", "--trials", "12", "--confirm", "4", "--seed", "5")
    monkeypatch.setattr(seats, "is_long_wait", lambda *_: True)
    code, out, _ = run_here(capsys, *words, *size, "--json")
    record = json.loads(out)
    assert (code, record["verdict"], record["valid"], record["confirmation"]["valid"]) == (3, "undecided", False, False)
