"""A game of which a bot drew two turns."""

from pathlib import Path

import pytest

from replays.playback import Playback, load

DRAWN = "@cell 8 0 12.5 red\n@cell 4 4 </script> blue\n@path 6,0 7,0 8,0 green\n@value 7.25\n@text <b>box</b>\n"


@pytest.fixture
def drawn() -> Playback:
    playback = load(Path(__file__).parents[1] / "golden.json")
    for turn in (20, 22):
        move = playback.moves_at(turn)[1]
        assert move is not None
        move.stderr = DRAWN
    return playback
