"""Leagues on a real Dask cluster: a scheduler and two workers as processes, one of them killed on the way."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from hsctl.league.ledger import Ledger
from tests.hsctl.run import PLENTY, ROOT, refusal, run_program, start_marked, wait_for

pytest.importorskip("distributed", reason="needs the extra [cluster]")
LEAGUE = ("league", "simple", "random", "--nodes", "5", "--json")


@contextmanager
def started(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of Dask, ended in the end."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", *words], cwd=ROOT, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PLENTY)


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """The address of a running scheduler."""
    file = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    with started("distributed.cli.dask_scheduler", *options):
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        yield json.loads(file.read_text())["address"]


def worker(address: str, threads: int = 1) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    return started("distributed.cli.dask_worker", address, "--nthreads", str(threads), "--no-nanny", "--no-dashboard")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with scheduler(tmp_path_factory.mktemp("cluster")) as address:
        yield address


@pytest.mark.slow
def test_a_lost_worker_costs_no_game(address: str, tmp_path: Path) -> None:
    replays, ledger = tmp_path / "replays", tmp_path / "ledger"
    games = ("--games", "120", "--ledger", str(ledger), "--out", str(replays))
    with worker(address) as lost, worker(address):
        main = start_marked("", *LEAGUE, *games, "--cluster", address)
        wait_for(lambda: main.poll() is not None or (replays.exists() and len(list(replays.glob("*.json"))) >= 10))
        assert main.poll() is None
        lost.kill()
        out, err = main.communicate(timeout=PLENTY)
    assert main.returncode == 0, err
    record = json.loads(out)
    assert len(record["games"]) == 120 == len({(game["seed"], *game["seats"]) for game in record["games"]})
    with Ledger(ledger) as opened:
        assert len(opened) == 120
    assert {Path(game["replay"]) for game in record["games"]} == set(replays.glob("*.json"))
    here = run_program(*LEAGUE, "--games", "4", "--jobs", "1", "--ledger", tmp_path / "here")
    played_here = json.loads(here.stdout)["games"]
    assert [{**game, "replay": None} for game in record["games"][:4]] == played_here
    again = json.loads(run_program(*LEAGUE, *games, "--jobs", "1").stdout)
    assert again["effort"]["played_now"] == 0 and again["games"] == record["games"]


@pytest.mark.slow
def test_a_worker_that_could_not_play_fairly_is_refused(address: str, tmp_path: Path) -> None:
    with worker(address, threads=2):
        done = run_program(*LEAGUE, "--games", "2", "--cluster", address, "--ledger", tmp_path / "a")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "hsctl: a worker has 2 threads, expected 1: start it with --nthreads 1"
    )


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hsctl.league.cluster.CONNECT_S", 1)
    error = refusal(capsys, *LEAGUE, "--games", "2", "--cluster", "tcp://127.0.0.1:1", "--ledger", tmp_path / "a")
    assert error.startswith("--cluster tcp://127.0.0.1:1: ") and "expected a Dask scheduler" in error
