"""Games that grow while they are looked at, and games that were stopped before their end."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.game import Game
from engine.notation import digest
from replays.landmarks import Landmarks
from replays.playback import Live, Playback, game_from, load, play_moves, result_of
from replays.replay import UNFINISHED, VERSION, Replay, ReplayError, Turn, decode, encode

GOLDEN = Path(__file__).parents[1] / "golden.json"


def cut(replay: Replay, turns: int | None = None) -> Replay:
    """The same game in today's format, stopped after so many turns."""
    game: Game = game_from(replay.start)
    played = []
    for turn in replay.turns[:turns]:
        played.append(Turn(digest(game), turn.moves))
        play_moves(game, turn.moves)
    return replace(replay, version=VERSION, turns=played, result=result_of(game))


@pytest.fixture(scope="module")
def whole() -> Playback:
    return Playback(cut(load(GOLDEN).replay))


def test_a_game_that_grows_is_in_the_end_the_game_that_was_played(whole: Playback) -> None:
    live = Live(cut(whole.replay, 0))
    landmarks = Landmarks(live)
    for turn in whole.replay.turns:
        assert live.is_live and live.title_at(live.end_turn).startswith(f"turn {live.end_turn}, seed")
        live.grow(turn)
        landmarks.grow()
    assert not live.is_live and live.replay == whole.replay
    known = Landmarks(whole)
    for name in ("turns", "boxes", "deaths", "explosions", "stderr", "notes", "died", "span"):
        assert getattr(landmarks, name) == getattr(known, name), name
    assert [live.title_at(turn) for turn in known.turns] == [whole.title_at(turn) for turn in known.turns]


def test_what_was_read_of_a_live_game_stays_as_it_was(whole: Playback) -> None:
    live = Live(cut(whole.replay, 5))
    before = live.replay
    live.grow(whole.replay.turns[5])
    Playback(before)
    assert (len(before.turns), len(live.replay.turns)) == (5, 6)


def test_a_turn_that_does_not_fit_is_refused(whole: Playback) -> None:
    live = Live(cut(whole.replay, 5))
    with pytest.raises(ReplayError, match="turn 5: hash"):
        live.grow(whole.replay.turns[6])


def test_a_timeline_of_a_live_game_has_room_for_all_turns_to_come(whole: Playback) -> None:
    live = Live(cut(whole.replay, 5))
    assert Landmarks(live).span == range(201)
    live.is_stopped = True
    assert Landmarks(live).span == range(6)


def test_a_stopped_game_is_a_replay_that_says_so(whole: Playback) -> None:
    stopped = Playback(decode(encode(cut(whole.replay, 70))))
    assert not stopped.is_finished and stopped.end_turn == 70
    assert stopped.title_at(70) == "stopped after turn 69, seed 3: unfinished"
    lost = [stopped.replay.result.has_lost(seat) for seat in range(4)]
    assert lost == [False, False, True, False]  # player 2 failed on turn 63; the others are alive


@pytest.mark.parametrize("turns", [70, 83])
def test_a_result_that_is_not_so_is_refused(whole: Playback, turns: int) -> None:
    replay = cut(whole.replay, turns)
    other = "200 turns" if turns == 70 else UNFINISHED
    with pytest.raises(ReplayError, match="the file ends before" if turns == 70 else "result: reason unfinished"):
        Playback(replace(replay, result=replace(replay.result, reason=other)))
