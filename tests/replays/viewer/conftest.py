"""The game that the tests of the stepper step through."""

from pathlib import Path

import pytest

from replays.playback import Playback, load


@pytest.fixture(scope="module")
def playback() -> Playback:
    return load(Path(__file__).parents[1] / "golden.json")
