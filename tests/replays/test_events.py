"""What happened in a turn, in words: failures and events, from recorded games and from drawn positions."""

import pytest

from engine.events import Death, Explosion
from engine.game import Game
from engine.notation import parse_position
from replays.events import describe, events_of, to_json
from replays.playback import Playback
from replays.replay import Failure, Move
from tests.engine.test_events import check_events, of
from tests.replays.recorded import record_game

NAMES = ["ann", "bob", "cid", "dee"]
OPEN_ROW, WALL_ROW = ".............", ".X.X.X.X.X.X."


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("failures", "care"), [(0.0, 1.0), (0.01, 0.97), (0.0, 0.5)])
def test_events_lead_from_each_position_to_the_next(seats: int, failures: float, care: float) -> None:
    for seed in range(3):
        playback = Playback(record_game(100 * seats + seed, seats, failures, care=care))
        for turn in range(playback.end_turn):
            check_events(playback.game_at(turn), playback.events_at(turn), playback.game_at(turn + 1))


# Drawn positions


def position(row: str, *entities: str) -> Game:
    """A board that is empty but for its first row."""
    rows = [row, *(WALL_ROW if y % 2 else OPEN_ROW for y in range(1, 11))]
    return parse_position("\n".join([*rows, str(len(entities)), *entities]))


def all_stay(game: Game) -> list[Move | None]:
    return [Move(0) if seat in game.living else None for seat in range(game.seats)]


def told(game: Game, moves: list[Move | None] | None = None) -> list[str]:
    return [describe(event, NAMES) for event in events_of(game, moves or all_stay(game))]


def test_a_chain_tells_which_bomb_lit_which() -> None:
    game = position(
        OPEN_ROW, "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 2 0 1 3", "1 1 4 0 5 3", "1 0 6 0 7 3", "1 1 9 0 2 3"
    )
    assert told(game) == [
        "ann's bomb at 2,0 explodes",
        "bob's bomb at 4,0 explodes, lit by ann's at 2,0",
        "ann's bomb at 6,0 explodes, lit by bob's at 4,0",
    ]


def test_bombs_of_one_cell_go_together() -> None:
    game = position(OPEN_ROW, "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 2 0 1 3", "1 1 2 0 4 3")
    assert told(game) == ["ann's bomb at 2,0 explodes", "bob's bomb at 2,0 explodes, lit by ann's at 2,0"]


def test_an_explosion_names_the_cells_it_burns() -> None:
    game = position("..0..........", "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 4 0 1 4", "2 0 4 2 1 1")
    (explosion,) = of(events_of(game, all_stay(game)), Explosion)
    assert explosion.cells == ((4, 0), (3, 0), (2, 0), (5, 0), (6, 0), (7, 0), (4, 1), (4, 2))


def test_a_box_between_two_bombs_scores_for_both_owners() -> None:
    game = position("...1.........", "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 1 0 1 3", "1 1 5 0 1 3")
    assert told(game)[2:] == ["ann and bob destroy the box at 3,0 (range item)", "range item appears at 3,0"]


def test_an_item_burns_before_anybody_can_take_it() -> None:
    game = position(OPEN_ROW, "0 0 6 0 1 3", "0 1 12 10 1 3", "1 1 3 0 1 3", "2 0 5 0 2 2")
    assert told(game, [Move(1), Move(0)]) == ["bob's bomb at 3,0 explodes", "bomb item at 5,0 burns"]


def test_two_who_come_together_both_get_the_item() -> None:
    game = position(OPEN_ROW, "0 0 4 0 1 3", "0 1 6 0 1 3", "2 0 5 0 2 2")
    assert told(game, [Move(2), Move(6)]) == [
        "bob drops a bomb at 6,0",
        "ann picks up a bomb item at 5,0",
        "bob picks up a bomb item at 5,0",
    ]


def test_a_player_dies_by_all_whose_blasts_meet_on_him() -> None:
    game = position(
        OPEN_ROW, "0 0 3 0 1 3", "0 1 12 10 1 3", "0 2 0 10 1 3", "1 0 2 0 1 3", "1 1 4 0 1 3", "1 2 5 0 1 3"
    )
    assert told(game)[-1] == "ann dies by their own and bob's bomb"
    (death,) = of(events_of(game, all_stay(game)), Death)
    assert (death.owners, death.own_bomb) == ((0, 1), True)  # cid's blast ends on bob's bomb


def test_who_dies_neither_drops_nor_picks_up() -> None:
    game = position(OPEN_ROW, "0 0 3 0 1 3", "0 1 12 10 1 3", "1 1 2 0 1 3", "2 0 3 2 1 1")
    assert told(game, [Move(9), Move(0)]) == ["bob's bomb at 2,0 explodes", "ann dies by bob's bomb"]


def test_who_fails_is_not_killed_again_and_does_nothing() -> None:
    game = position(OPEN_ROW, "0 0 3 0 1 3", "0 1 12 10 1 3", "1 1 2 0 1 3")
    failed = Move(failure=Failure("timeout", "no answer in 100 ms"))
    assert told(game, [failed, Move(0)]) == [
        "ann is eliminated: timeout (no answer in 100 ms)",
        "bob's bomb at 2,0 explodes",
    ]


def test_a_bomb_that_cannot_be_dropped_is_no_event() -> None:
    game = position(OPEN_ROW, "0 0 3 0 0 3", "0 1 12 10 1 3", "1 1 12 10 5 3")
    assert told(game, [Move(5), Move(5)]) == []


def test_a_move_that_is_blocked_picks_nothing_up() -> None:
    game = position("...0.........", "0 0 4 0 1 3", "0 1 12 10 1 3", "2 0 4 0 1 1")
    assert told(game, [Move(1), Move(0)]) == []


def test_json_leaves_out_what_says_nothing() -> None:
    game = position(OPEN_ROW, "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 2 0 1 2", "1 1 3 0 5 1")
    due, lit = events_of(game, all_stay(game))
    assert to_json(due) == {"event": "explosion", "x": 2, "y": 0, "owner": 0, "range": 2, "cells": due.cells}
    assert to_json(lit)["lit_by"] == (0, 2, 0)
    failed = to_json(Death(3, 0, 1, failure="timeout"))
    assert failed == {"event": "death", "x": 3, "y": 0, "player": 1, "failure": "timeout"}
