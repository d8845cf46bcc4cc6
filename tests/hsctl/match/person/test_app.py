"""People at the keyboard in a terminal that Textual's pilot drives: every key, both sizes, whole games."""

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from engine.board import MOVES
from engine.rules import BOMB
from hsctl.match.person import PersonSession
from hsctl.match.person_screen import LEAVE, READY, HumanGame, columns_for
from replays.playback import Playback
from tests.hsctl.match.person.playing import Helper, new_session, read, see, text_of
from tests.replays.viewer.driving import SIZES, SMALL, drive

LEFT, RIGHT, UP, DOWN = (MOVES.index(name) for name in ("left", "right", "up", "down"))


def play(
    session: PersonSession, press: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int] = SMALL
) -> None:
    """Play on a screen until the keys are all pressed, then leave."""
    try:
        drive(HumanGame(session, Helper()), size, press)
    finally:
        session.end()
    assert session.error is None


def actions_of(session: PersonSession, seat: int = 0) -> list[int | None]:
    return [move.action for turn in session.replay.turns if (move := turn.moves[seat])]


@SIZES
def test_arrows_move_and_space_bombs(size: tuple[int, int]) -> None:
    session = new_session("me", "still")

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "turn 0, seed 1")
        await read(pilot, "your turn")
        await pilot.press("right")
        await read(pilot, "turn 1,")
        await pilot.press("space")
        await read(pilot, READY)
        await pilot.press("left")
        await read(pilot, "turn 2,")
        await read(pilot, "me drops a bomb at 1,0")
        await pilot.press("down")
        await read(pilot, "turn 3,")
        await pilot.press("full_stop")
        await read(pilot, "turn 4,")
        await pilot.press("s")
        await read(pilot, "turn 5,")

    play(session, press, size)
    assert actions_of(session) == [RIGHT, BOMB + LEFT, DOWN, 0, 0]
    assert Playback(session.replay).end_turn == 5 and not session.replay.result.is_finished


def test_space_twice_drops_the_bomb_and_stays_and_escape_puts_it_away() -> None:
    session = new_session("me", "still")

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        await pilot.press("space", "escape")
        assert READY not in text_of(pilot.app)
        await pilot.press("space", "space")
        await read(pilot, "turn 1,")
        await pilot.press("space")
        await read(pilot, "no bomb left")
        await pilot.press("left")
        await read(pilot, "the way left is blocked")

    play(session, press)
    assert actions_of(session) == [BOMB]


def test_a_hint_says_what_and_why() -> None:
    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        await pilot.press("h")
        await read(pilot, "beam: right, value 1.5; m: more, H: another agent")
        await read(pilot, "beam would go right")
        await pilot.press("H")
        await read(pilot, "mcts would go right")
        await pilot.press("m")
        await see(pilot, lambda app: "has much to say" in text_of(app))
        await pilot.press("escape")
        await pilot.press("right")
        await read(pilot, "turn 1,")
        assert "would go right" not in text_of(pilot.app)

    play(new_session("me", "still"), press)


def test_danger_and_other_marks() -> None:
    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        await pilot.press("space", "right")
        await read(pilot, "turn 1,")
        for key, legend in (("x", "danger: in how many"), ("v", "survivable: "), ("r", "reachable: turns")):
            await pilot.press(key)
            await read(pilot, legend)
        await pilot.press("1")
        await read(pilot, "reachable: turns that player 1")

    play(new_session("me", "still"), press)


def test_turns_are_taken_back_in_practice_even_the_last() -> None:
    session = new_session("me", "still", is_practice=True)

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        await pilot.press("u")
        await read(pilot, "nothing to take back")
        for turn in range(1, 10):
            await pilot.press(*(["space"] if turn == 1 else []), "full_stop")
            await see(pilot, lambda app, turn=turn: app.record.end_turn == turn)
        await read(pilot, "me: place 2 of 2; q leaves, u takes a turn back")
        await pilot.press("u")
        await read(pilot, "back on turn 8")
        await read(pilot, "your turn")
        await pilot.press("u", "right")
        await read(pilot, "turn 8,")

    play(session, press)
    assert session.finished is None and session.taken_back == 2
    assert actions_of(session) == [BOMB, 0, 0, 0, 0, 0, 0, RIGHT]
    assert session.replay.players[0].params == {"taken_back": 2}


def test_nothing_is_taken_back_in_earnest() -> None:
    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        await pilot.press("right")
        await read(pilot, "turn 1,")
        await pilot.press("u")
        await read(pilot, "turns are taken back with --practice")

    play(new_session("me", "still"), press)


def test_two_people_share_the_keyboard() -> None:
    session = new_session("me:Anna", "me:Ben")

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "Anna …  Ben …")
        await pilot.press("right")
        await read(pilot, "Anna ✓  Ben …")
        await pilot.press("e")
        await read(pilot, f"Ben, {READY[:40]}")
        await pilot.press("a")
        await read(pilot, "turn 1,")
        await pilot.press("w", "s", "f", "full_stop")
        await read(pilot, "turn 2,")

    play(session, press)
    assert (actions_of(session, 0), actions_of(session, 1)) == ([RIGHT, 0], [BOMB + LEFT, 0])


def test_on_a_clock_turns_go_by() -> None:
    session = new_session("me", "still", pace_s=0.02)

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "‖ the next move starts the clock")
        await pilot.press("right")
        await read(pilot, "20 idle rounds")

    play(session, press)
    assert actions_of(session) == [RIGHT] + [0] * 20


def test_a_clock_can_be_stopped() -> None:
    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "‖ the next move starts the clock")
        for key in ("p", "h", "question_mark"):
            await pilot.press("right")
            await read(pilot, "60000 ms a turn")
            await pilot.press(key)
            await pilot.press("escape")
            await read(pilot, "‖ the next move starts the clock")

    play(new_session("me", "still", pace_s=60.0), press)


def test_who_is_dead_watches_the_others() -> None:
    session = new_session("me", "still", "still")

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        for turn in range(1, 10):
            await pilot.press(*(["space"] if turn == 1 else []), "full_stop")
            await see(pilot, lambda app, turn=turn: app.record.end_turn >= turn)
        await read(pilot, "the others play on")
        await see(pilot, lambda app: app.record.end_turn > 10)

    play(session, press)
    assert session.finished is None


def test_leaving_asks_once_and_keeps_what_was_played() -> None:
    session = new_session("me", "still")

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        await pilot.press("q")
        await read(pilot, LEAVE)
        await pilot.press("down")
        await read(pilot, "turn 1,")
        await pilot.press("q", "q")

    play(session, press)
    assert actions_of(session) == [DOWN]


def test_a_game_to_its_end() -> None:
    session = new_session("me", "still")

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "your turn")
        for turn in range(1, 10):
            await pilot.press(*(["space"] if turn == 1 else []), "full_stop")
            await see(pilot, lambda app, turn=turn: app.record.end_turn == turn)
        await read(pilot, "me: place 2 of 2; q leaves")
        await pilot.press("q")

    play(session, press)
    assert session.finished is not None and session.finished.ranks == [2, 1]
    assert Playback(session.replay).is_finished


@pytest.mark.parametrize("people", [1, 2])
def test_the_help_fits_and_every_key_has_an_action(people: int) -> None:
    names = ["me:Anna", "me:Ben"][:people] + ["still"] * (2 - people)

    async def press(pilot: Pilot[None]) -> None:
        await read(pilot, "turn 0")
        await pilot.press("question_mark")
        for section in (section for column in columns_for(people) for section in column):
            for key in filter(lambda key: key.shown, section.keys):
                assert key.words in text_of(pilot.app)
                assert not key.action or hasattr(pilot.app, f"action_{key.action.partition('(')[0]}")
        await pilot.press("escape")

    play(new_session(*names), press)


def test_no_key_has_two_meanings() -> None:
    for people in (1, 2):
        names = [
            name for column in columns_for(people) for section in column for key in section.keys for name in key.names
        ]
        assert len(names) == len(set(names))
