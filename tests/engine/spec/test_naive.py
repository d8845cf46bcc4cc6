"""Every rule that `hsctl conform` draws, on both engines; then what no board of the arena can show.

The rules are drawn once, in `hsctl/testing/conform/rules.txt`: a new one starts there.
"""

import numpy as np
import pytest

from engine.board import cells_of
from engine.game import Game, pack_actions
from engine.rules import ACTION_NAMES, ACTIONS, play_round
from engine.rules import legal_actions as fast_legal_actions
from engine.spec.bridge import draw, from_state
from engine.spec.naive import legal_actions as slow_legal_actions
from engine.spec.naive import step as slow_step
from engine.state import MAX_PLAYERS
from engine.survival import fill_forecast, new_forecast
from hsctl.testing.conform.case import Case, position_of
from hsctl.testing.conform.case import Position as Seen
from hsctl.testing.conform.rules import RULES, Drawing
from hsctl.testing.conform.run import case_image, images, position_image
from tests.engine.draw import Position, assert_same, board, pack, position

DRAWINGS = [pytest.param(drawing, id=f"{rule.name}-{at}") for rule in RULES for at, drawing in enumerate(rule.drawings)]
TURNS = (0, 3, 7)  # so that several rows of the ring are due


def play(before: Position, actions: np.uint64) -> np.record:
    """One round on both engines, which must agree in every field and in what burns."""
    state, map_ = before
    naive, forecast = from_state(state, map_), new_forecast()
    fill_forecast(state, map_, forecast)
    play_round(state, map_, actions)
    slow_step(naive, actions)
    assert_same(naive, state, map_)
    assert set(cells_of(forecast.fire[0])) == {(int(x), int(y)) for y, x in zip(*np.nonzero(naive.fire), strict=True)}
    return naive


def check(before: str, actions: dict[int, str], after: str) -> None:
    for turn in TURNS:
        assert draw(play(position(before, turn), pack(actions))) == board(after)


def check_case(case: Case, afters: list[Seen], turn: int) -> None:
    start = case.start
    game = Game.build(start.boxes, start.players, start.bombs, start.items, seats=MAX_PLAYERS, turn=turn)
    for actions, after in zip(case.rounds, afters, strict=True):
        packed = pack_actions([actions.get(seat, 0) for seat in range(MAX_PLAYERS)])
        assert position_of(play(Position(game.state, game.map), packed)) == after


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_both_engines_play_every_drawing_in_all_directions(drawing: Drawing) -> None:
    for to, is_reversed in images(drawing.case.start):
        afters = [position_image(after, to, is_reversed) for after in drawing.afters]
        for turn in TURNS:
            check_case(case_image(drawing.case, to, is_reversed), afters, turn)


def test_a_bomb_shows_8_then_1_eight_turns_later_and_then_explodes():
    game = position("0 0 0 0 1 3")
    timers = []
    for action in ["right+bomb", "right", "right", "down", *["stay"] * 5]:
        naive = play(game, pack({0: action}))
        timers.append([int(bomb.timer) for bomb in naive.bombs[: naive.bomb_count]])
    assert timers == [[8], [7], [6], [5], [4], [3], [2], [1], []]


def test_a_bomb_exploding_this_round_still_blocks_moves():
    """In a game, a player next to it is dead: ranges are at least 3."""
    check(
        """
        0 0 0 0 1 3
        1 1 1 0 1 1
        """,
        {0: "right"},
        "0 0 0 0 1 3",
    )


def test_one_who_only_stands_on_an_item_does_not_get_it():
    drawn = """
        0 0 0 0 1 3
        2 0 0 0 1 1
        """
    check(drawn, {0: "up"}, drawn)


def test_eight_bombs_of_one_player_lie_on_the_board_and_a_ninth_replaces_the_first():
    bombs = [f"1 0 {x} 10 {timer} 1" for timer, x in enumerate(range(0, 8), 1)]
    aged = [f"1 0 {x} 10 {timer - 1} 1" for timer, x in enumerate(range(0, 8), 1) if timer > 1]
    check(
        "\n".join(["0 0 0 0 5 3", *bombs]),
        {0: "stay+bomb"},
        "\n".join(["0 0 0 0 5 3", *aged, "1 0 0 0 8 3"]),
    )


def legal(drawn: str, player: int) -> list[str]:
    """The names of a player's legal actions, the same on both engines."""
    state, map_ = position(drawn)
    bits = int(slow_legal_actions(from_state(state, map_), player))
    assert int(fast_legal_actions(state, player)) == bits
    return [ACTION_NAMES[action] for action in range(ACTIONS) if bits >> action & 1]


def test_legal_actions_are_the_moves_that_lead_somewhere_and_each_with_a_bomb():
    corner = """
        .0.
        .X.
        ...
        0 0 0 0 1 3
        0 1 2 2 0 3
        0 2 0 2 1 3
        1 1 0 2 5 3
        """
    assert legal(corner, 0) == ["stay", "down", "stay+bomb", "down+bomb"]
    assert legal(corner, 1) == ["stay", "left", "right", "up", "down"]
    assert legal(corner, 2) == ["stay", "right", "up", "down"]
    assert legal(corner, 3) == []
