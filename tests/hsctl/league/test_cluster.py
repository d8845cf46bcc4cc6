"""Leagues on a real Dask cluster: a scheduler and two workers as processes, one of them killed on the way."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hsctl.league.cluster import Cluster
from hsctl.league.ledger import Ledger
from tests.hsctl.run import PLENTY, ROOT, refusal, run_here, run_program, start_marked, wait_for

pytest.importorskip("distributed", reason="needs the extra [cluster]")
LEAGUE = ("league", "simple", "random", "--nodes", "5", "--json")


@contextmanager
def started(*words: str, sources: Path = ROOT) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of Dask with the sources of hsctl in that folder, ended in the end."""
    settings = {**os.environ, "PYTHONPATH": str(sources)}
    process = subprocess.Popen(
        [sys.executable, "-m", *words], cwd=sources, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PLENTY)


@contextmanager
def scheduler(folder: Path, *more: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A running scheduler: its address and its process."""
    file = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    with started("distributed.cli.dask_scheduler", *options, *more) as process:
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        yield json.loads(file.read_text())["address"], process


def worker(
    address: str, threads: int = 1, sources: Path = ROOT, *more: str
) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    options = ["--nthreads", str(threads), "--no-nanny", "--no-dashboard", *more]
    return started("distributed.cli.dask_worker", address, *options, sources=sources)


def told_in(err: str) -> list[str]:
    """What a league told, but not whether it came before its workers."""
    return [line for line in err.splitlines() if not line.endswith("has no workers yet: waiting")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with scheduler(tmp_path_factory.mktemp("cluster")) as (address, _):
        yield address


def test_a_lost_worker_is_reported_once() -> None:
    client = SimpleNamespace(nthreads=lambda: {"tcp://b": 1}, status="running")
    told: list[str] = []
    cluster = Cluster(cast(Any, client), cast(Any, None), "tcp://scheduler", told.append, fit={"tcp://a", "tcp://b"})
    cluster.look_around()
    cluster.look_around()
    assert cluster.fit == {"tcp://b"}
    assert [line.split()[1] for line in told] == ["tcp://a"]


@pytest.mark.slow
def test_a_lost_worker_costs_no_game(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replays, ledger = tmp_path / "replays", tmp_path / "ledger"
    games = ("--games", "60", "--ledger", str(ledger), "--out", str(replays))
    with worker(address) as lost, worker(address):
        main = start_marked("", *LEAGUE, *games, "--cluster", address)
        wait_for(lambda: main.poll() is not None or (replays.exists() and len(list(replays.glob("*.json"))) >= 10))
        assert main.poll() is None
        lost.kill()
        out, err = main.communicate(timeout=PLENTY)
    assert main.returncode == 0, err
    assert len([line for line in told_in(err) if "tcp://" in line]) == 1  # about the worker that was lost
    record = json.loads(out)
    assert len(record["games"]) == 60 == len({(game["seed"], *game["seats"]) for game in record["games"]})
    with Ledger(ledger) as opened:
        assert len(opened) == 60
    assert {Path(game["replay"]) for game in record["games"]} == set(replays.glob("*.json"))
    here = run_here(capsys, *LEAGUE, "--games", "4", "--jobs", "1", "--ledger", tmp_path / "here")
    played_here = json.loads(here.out)["games"]
    assert [{**game, "replay": None} for game in record["games"][:4]] == played_here
    again = json.loads(run_here(capsys, *LEAGUE, *games, "--jobs", "1").out)
    assert again["effort"]["played_now"] == 0 and again["games"] == record["games"]


@pytest.mark.slow
def test_a_worker_that_could_not_play_fairly_is_refused(address: str, tmp_path: Path) -> None:
    with worker(address, threads=2):
        done = run_program(*LEAGUE, "--games", "2", "--cluster", address, "--ledger", tmp_path / "a")
    assert (done.returncode, done.stdout) == (2, "")
    error = done.stderr.splitlines()[-1]
    assert error.startswith(f"hsctl: no worker of {address} can play; tcp://")
    assert "it has 2 threads; start it with --nthreads 1" in error


@pytest.mark.slow
def test_a_worker_with_other_sources_is_left_out(address: str, tmp_path: Path) -> None:
    for package in ("engine", "search", "replays", "hsctl"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "search/simple/agent.py").open("a") as file:
        file.write("\nEDITED = True\n")
    with worker(address, sources=tmp_path), worker(address):
        words = (*LEAGUE, "--games", "6", "--cluster", address, "--ledger", tmp_path / "a")
        done = run_program(*words)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["games"]) == 6
    (told,) = told_in(done.stderr)
    assert told.startswith("worker tcp://") and "is left out" in told and "other sources" in told


@pytest.mark.slow
def test_the_death_of_the_scheduler_is_told_and_the_same_command_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger, replays = tmp_path / "ledger", tmp_path / "replays"
    games = (*LEAGUE, "--games", "100", "--ledger", str(ledger), "--out", str(replays))
    with scheduler(tmp_path) as (address, process), worker(address):
        main = start_marked("", *games, "--cluster", address)
        wait_for(lambda: main.poll() is not None or (replays.exists() and len(list(replays.glob("*.json"))) >= 4))
        process.kill()
        out, err = main.communicate(timeout=PLENTY)
    assert (main.returncode, out) == (2, ""), err
    [line] = told_in(err)
    assert address in line
    with Ledger(ledger) as opened:
        assert 4 <= len(opened) < 100
        kept = len(opened)
    done = json.loads(run_here(capsys, *games, "--jobs", "1").out)
    assert len(done["games"]) == 100 and done["effort"]["played_now"] == 100 - kept


@pytest.mark.slow
def test_the_block_of_a_dead_client_ends(address: str, tmp_path: Path) -> None:
    from distributed import Client

    with worker(address), Client(address, set_as_default=False) as onlooker:
        words = ("league", "mcts:nodes=1000000", "still", "--games", "2", "--ledger", str(tmp_path / "a"))
        main = start_marked("", *words, "--cluster", address)

        def executing() -> int:
            counts = onlooker.run(lambda dask_worker: dask_worker.state.executing_count)
            return sum(counts.values())

        wait_for(lambda: main.poll() is not None or executing())
        assert main.poll() is None and executing() == 1, main.communicate()
        main.kill()
        main.communicate()
        wait_for(lambda: executing() == 0)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_certificates_of_dasks_own_configuration_are_used(tmp_path: Path) -> None:
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    words = f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=x -keyout {key} -out {cert}"
    subprocess.run(words.split(), check=True, capture_output=True)
    tls = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    names = {"CA_FILE": cert, "CLIENT__CERT": cert, "CLIENT__KEY": key}
    settings = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": value for name, value in names.items()}
    with scheduler(tmp_path, "--protocol", "tls", *tls) as (address, _), worker(address, 1, ROOT, *tls):
        assert address.startswith("tls://")
        league = (*LEAGUE, "--games", "2", "--cluster", address, "--ledger")
        done = run_program(*league, tmp_path / "a", env={**os.environ, **settings})
        assert done.returncode == 0, done.stderr
        refused = run_program(*league, tmp_path / "b")
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert refused.stderr.startswith(f"hsctl: --cluster {address}: no certificates; set distributed.comm.tls")


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hsctl.league.cluster.CONNECT_S", 1)
    error = refusal(capsys, *LEAGUE, "--games", "2", "--cluster", "tcp://127.0.0.1:1", "--ledger", tmp_path / "a")
    assert error.startswith("--cluster tcp://127.0.0.1:1: ") and "dask scheduler" in error
