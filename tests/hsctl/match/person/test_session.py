"""Games with people among all kinds of players, without a screen."""

import sys

import pytest

from engine.rules import BOMB
from hsctl.match.person import TakenBack
from replays.playback import Playback
from tests.hsctl.match.person.playing import new_session, press

STAY = 0


@pytest.mark.slow
def test_all_kinds_of_players_get_back_to_a_turn() -> None:
    bot = f"{sys.executable} -m hsctl bot simple --nodes 10"
    session = new_session("me", bot, "duel", "random", is_practice=True)
    press(session, STAY, STAY, STAY, TakenBack, TakenBack, STAY, STAY)
    played = Playback(session.replay)
    assert (session.taken_back, played.end_turn) == (2, 3)
    assert session.record.replay.turns == session.replay.turns
    assert [len(turn.moves) for turn in session.replay.turns] == [4, 4, 4]
    assert session.replay.players[0].params == {"taken_back": 2}


def test_the_end_is_told_as_of_any_game() -> None:
    session = new_session("me", "still")
    press(session, BOMB, *[STAY] * 8)
    assert session.finished is not None and session.finished.deaths[0] is not None
    assert session.finished.thinking[0].turns == 9
