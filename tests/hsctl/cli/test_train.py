"""`hsctl train`: what it refuses before anything is played."""

from pathlib import Path

import pytest

from tests.hsctl.run import refusal


def test_only_the_win_probability_can_be_trained(capsys: pytest.CaptureFixture[str]):
    assert "hsctl train winning" in refusal(capsys, "train", "beam")


def test_a_folder_without_replays_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    kept = ("--ledger", tmp_path / "games.sqlite", "--out", tmp_path / "games")
    assert "no replays" in refusal(capsys, "train", "winning", "--also", tmp_path, *kept)
