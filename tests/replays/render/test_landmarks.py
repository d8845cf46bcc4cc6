"""Where a game is worth a look."""

from pathlib import Path

from replays.landmarks import Landmarks, next_in
from replays.playback import load


def test_landmarks_are_the_turns_on_which_it_shows() -> None:
    playback = load(Path(__file__).parents[1] / "golden.json")
    landmarks = Landmarks(playback)
    assert landmarks.deaths == [64, 83]
    assert landmarks.died == {2: 64, 0: 83, 3: 83}
    assert landmarks.boxes[-1] == playback.replay.result.boxes
    assert (landmarks.last_way_out(0), landmarks.last_way_out(1), landmarks.last_way_out(2)) == (80, None, 63)
    assert landmarks.tell_way_out(2)[1].endswith("but was eliminated for an error")


def test_the_next_turn_is_beyond_this_one() -> None:
    assert [next_in([3, 7], turn, 1) for turn in (2, 3, 7)] == [3, 7, None]
    assert [next_in([3, 7], turn, -1) for turn in (3, 7, 9)] == [None, 3, 7]
