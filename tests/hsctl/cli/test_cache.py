"""`hsctl cache`: what it shows, compiles and removes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.compile.cache import JIT_DISABLED
from tests.hsctl.run import refusal

ROOT = Path(__file__).parents[3]


def hsctl(folder, *words):
    environment = {**os.environ, "HSCTL_CACHE": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "hsctl", "cache", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)


def record(folder, *words):
    done = hsctl(folder, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_what_was_compiled_beforehand_is_there_until_it_is_removed(tmp_path):
    assert record(tmp_path, "random")["missing"] == ["the game", "random"]
    warm = hsctl(tmp_path, "--warm", "random")
    assert warm.stderr.startswith("compiling random, the game (once per version, about ")
    assert f"{tmp_path}: " in warm.stdout and "compiled: the game, random\n" in warm.stdout
    assert hsctl(tmp_path, "--warm", "random").stderr == ""
    aside = tmp_path / "numba-examples"
    aside.mkdir()
    cleaned = record(tmp_path, "--clean")
    assert not cleaned["compiled"] and cleaned["bytes"] == 0
    assert aside.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--warm", "--clean"], "--warm cannot be combined with --clean"),
        (["--clean", "beam"], "--clean cannot be combined with AGENT"),
        (["--warm", "bean"], "'bean' is not an agent"),
    ],
)
def test_what_makes_no_sense_is_refused(capsys, words, message):
    assert message in refusal(capsys, "cache", *words)


@pytest.mark.slow
def test_what_is_kept_for_the_user_is_told_and_never_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    replay, ledger = tmp_path / "data" / "replays" / "a.json", tmp_path / "data" / "ledger.sqlite"
    replay.parent.mkdir(parents=True)
    replay.write_bytes(b"x" * 3 * 2**20)
    ledger.write_bytes(b"x" * 2**20)
    shown = hsctl(tmp_path / "cache").stdout
    assert f"replays:  {replay.parent}: 1 files, 3.0 MB\n" in shown and f"ledger:   {ledger}: 1.0 MB\n" in shown
    data = record(tmp_path / "cache", "--clean")["data"]
    assert data["replays"] == {"folder": str(replay.parent), "files": 1, "bytes": 3 * 2**20}
    assert data["ledger"]["bytes"] == 2**20 and replay.exists() and ledger.exists()
