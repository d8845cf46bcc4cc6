"""A study on a real Dask cluster finds what it finds here."""

import json
from pathlib import Path

import pytest

from tests.hsctl.run import run_here, run_program

pytest.importorskip("distributed", reason="needs the extra [cluster]")
from tests.hsctl.league.test_cluster import scheduler, worker

STUDY = ("tune", "simple", "--params", "box=0..3,decay", "--against", "simple", "--nodes", "5", "--json")
SMALL = ("--games", "2", "--trials", "12", "--confirm", "4")


@pytest.mark.slow
def test_a_study_on_a_cluster_comes_to_the_same_trials_as_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = run_here(capsys, *STUDY, *SMALL, "--jobs", "1", "--study", tmp_path / "here")
    with scheduler(tmp_path) as (address, _), worker(address), worker(address):
        there = run_program(*STUDY, *SMALL, "--cluster", address, "--study", tmp_path / "there")
    assert there.returncode == here.code in (0, 1, 3), there.stderr
    assert json.loads(there.stdout) == json.loads(here.out)
