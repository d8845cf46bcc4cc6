"""Two games side by side: where they differ, at all sizes."""

import pytest
from syrupy.assertion import SnapshotAssertion

from replays.playback import Playback
from replays.render.pair import PairView, different_cells, first_difference
from tests.replays.recorded import record_game, stand_still_from
from tests.replays.render.test_views import screen

Games = tuple[Playback, Playback]


@pytest.fixture(scope="module")
def games() -> Games:
    replay = record_game(6, 3)
    return Playback(replay), Playback(stand_still_from(replay, 20))


def test_the_first_difference_is_where_somebody_does_something_else(games: Games) -> None:
    one, other = games
    turn = first_difference(one, other)
    assert turn is not None and turn >= 20
    assert one.replay.turns[turn].hash == other.replay.turns[turn].hash
    assert [move and move.action for move in one.moves_at(turn)] != [
        move and move.action for move in other.moves_at(turn)
    ]
    assert first_difference(one, one) is None


def test_marks_are_on_the_cells_that_differ(games: Games) -> None:
    one, other = games
    assert different_cells(one.game_at(10), other.game_at(10)) == set()
    cells = different_cells(one.game_at(24), other.game_at(24))
    places = [{(player.x, player.y) for player in game.game_at(24).players()} for game in games]
    assert places[0] ^ places[1] <= cells


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (160, 50)])
def test_both_boards_fit(games: Games, snapshot: SnapshotAssertion, width: int, height: int) -> None:
    view = PairView(games, ("recorded", "played on"), 24, (width, height))
    text = screen(view, width=width)
    assert len(text.splitlines()) == view.height
    assert max(map(len, text.splitlines())) <= width
    assert text == snapshot


def test_a_game_that_is_over_shows_its_end(games: Games) -> None:
    one, other = games
    last = max(one.end_turn, other.end_turn)
    assert "end after turn" in screen(PairView(games, ("recorded", "played on"), last, (160, 50)), width=160)
