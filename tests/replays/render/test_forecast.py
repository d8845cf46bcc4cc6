"""What the known bombs mean: drawn positions, and whole games against the engine's own kernels."""

import pytest

from engine.board import cells_of
from engine.notation import parse_position
from engine.survival import new_forecast, survivable_cells
from replays.forecast import Forecast, PlanStep, plan_ahead, ways_out
from replays.playback import Playback
from replays.render.overlays import overlay_of, plan_marks
from replays.replay import Move, Thought
from tests.replays.recorded import record_game
from tests.replays.render.test_views import position


def test_a_cell_burns_with_the_first_bomb_that_reaches_it() -> None:
    game = position("." * 13, "0 0 12 10 1 3", "1 0 0 0 3 3", "1 0 6 0 8 3")
    burning = Forecast(game).burning_turns()
    assert {cell: turns for cell, turns in burning.items() if cell[1] == 0} == {
        **{(0, 0): 3, (1, 0): 3, (2, 0): 3},
        **{(4, 0): 8, (5, 0): 8, (6, 0): 8, (7, 0): 8, (8, 0): 8},
    }


def test_a_chain_burns_with_its_first_bomb() -> None:
    game = position("." * 13, "0 0 12 10 1 3", "1 0 0 0 3 3", "1 0 2 0 8 3")
    assert set(Forecast(game).burning_turns().values()) == {3}


def test_reaching_a_cell_takes_as_many_turns_as_it_has_steps() -> None:
    game = position("." * 13, "0 0 0 0 1 3", "0 1 12 10 1 3")
    turns = Forecast(game).reachable_turns(0)
    assert all(turns[x, y] == x + y for x, y in turns if x % 2 == 0 or y % 2 == 0)
    assert len(turns) == 113


def test_nobody_walks_through_a_box_before_it_burns() -> None:
    rows = ["." * 13, "0X.X.X.X.X.X.", *([".............", ".X.X.X.X.X.X."] * 4), "." * 13]
    game = parse_position("\n".join([*rows, "2", "0 0 0 0 1 3", "1 0 1 0 8 3"]))
    assert Forecast(game).reachable_turns(0) == {(0, 0): 0}  # burnt in the corner, and never beyond it
    assert Forecast(game).survivable_turns(0) == {}
    assert not game.can_survive(0)


def test_survivable_cells_leave_out_where_the_fire_comes_too_soon() -> None:
    game = position("." * 13, "0 0 4 0 1 3", "0 1 12 10 1 3", "1 0 6 0 2 4")
    forecast = Forecast(game)
    reachable, survivable = forecast.reachable_turns(0), forecast.survivable_turns(0)
    assert (4, 1) in survivable  # out of the row in time
    assert reachable[5, 0] == 1 and (5, 0) not in survivable  # there the player would burn
    assert set(survivable) <= set(reachable)


@pytest.mark.parametrize("seed", [3, 11])
def test_a_whole_game_agrees_with_the_kernels(seed: int) -> None:
    playback = Playback(record_game(seed, 4, care=0.9))
    for turn in range(playback.first_turn, playback.end_turn + 1, 2):
        game = playback.game_at(turn)
        forecast = Forecast(game)
        standing = set(cells_of(survivable_cells(game.state, game.map, new_forecast())))
        assert ways_out(forecast.rounds)[0] - set(cells_of(game.state.boxes)) == standing
        for seat in range(4):
            assert bool(forecast.survivable_turns(seat)) == game.can_survive(seat)


def test_a_plan_is_followed_cell_by_cell() -> None:
    game = position("." * 13, "0 0 0 0 1 3", "0 1 12 10 1 3")
    steps = plan_ahead(game, 0, [7, 4, 0])  # right with a bomb, down into a wall, stay
    assert steps == [
        PlanStep(0, 0, 0, True),
        PlanStep(1, 1, 0, False),
        PlanStep(2, 1, 0, False),
        PlanStep(3, 1, 0, False),
    ]
    move = Move(7, thought=Thought(plan=[7, 4, 0]))
    assert plan_marks(game, 0, move) == {(0, 0): "0●", (1, 0): "1-3"}


def test_a_plan_ends_where_it_kills() -> None:
    game = position("." * 13, "0 0 0 0 1 3", "0 1 12 10 1 3", "1 1 2 0 2 3")
    assert [step.turns for step in plan_ahead(game, 0, [0, 0, 0, 0])] == [0, 1]


def test_every_overlay_has_a_word_about_itself() -> None:
    game = position("." * 13, "0 0 0 0 1 3")
    words = [
        overlay_of(name, game, seat, None).legend for name, seat in [("danger", 0), ("plan", 0), ("survivable", 1)]
    ]
    assert words == ["danger: no bomb ticks", "plan: none known of player 0", "survivable: player 1 is dead"]
    trapped = position("." * 13, "0 0 0 0 1 3", "1 0 0 0 1 3")
    assert overlay_of("survivable", trapped, 0, None).legend == "survivable: player 0 has no way out"
