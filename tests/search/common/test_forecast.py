"""The forecast kept with every state of a search equals the one foreseen from scratch."""

import numpy as np
import pytest

from engine.board import DOWN, RIGHT, STAY, UP, cells_of
from engine.rules import BOMB, play_round
from engine.spec.wild import below, new_random
from engine.state import FUSE, MAX_PLAYERS, copy_state
from engine.survival import fill_forecast, hits_ahead, is_survivable, new_forecast
from search.common.evaluate import make_weights
from search.common.forecast import ROLLING_FORECAST, foresee, survives
from search.common.params import EvaluationParams
from tests.kernels import entries_in
from tests.search.beam.beams import new_beam, nodes_of, random_plans, search_by_layers
from tests.search.positions import Position, drawn, legal, random_positions

globals().update(entries_in(globals()))

BEAM = "beam:paper,width=40,lb=0,sc=0"
WEIGHTS = make_weights(EvaluationParams())


def foreseen(state: np.record, map_: np.record, player: int, mates: tuple[int, ...] = ()) -> np.record:
    forecast, weights = np.zeros(1, ROLLING_FORECAST)[0], WEIGHTS.copy()
    weights.mates = sum(0xFFFF << 16 * mate for mate in mates)
    foresee(state, map_, player, weights, forecast, 0)
    return forecast


def hits_of(forecast: np.record) -> list[int]:
    """Own boxes destroyed by round."""
    return list(int(forecast.hits).to_bytes(FUSE, "little"))


def test_the_forecast_is_what_happens_when_nobody_acts():
    for state, map_, player in random_positions(200):
        forecast, played, hits = foreseen(state, map_, player), copy_state(state), []
        for _ in range(FUSE):
            scored = int(played.scored[player])
            play_round(played, map_, np.uint64(0))
            hits.append(int(played.scored[player]) - scored)
        assert hits_of(forecast) == hits


def test_boxes_of_all_but_the_player_and_teammates_are_lost():
    lost = 0
    for state, map_, player in random_positions(200, seed=7):
        ahead = [int(hits_ahead(state, map_, other)) for other in range(MAX_PLAYERS)]
        for mate in set(range(MAX_PLAYERS)) - {player}:
            theirs = sum(ahead) - ahead[player] - ahead[mate]
            assert int(foreseen(state, map_, player, (mate,)).losses) == theirs
            lost += ahead[mate] > 0
    assert lost > 30


def test_the_fire_of_the_forecast_is_all_that_will_burn():
    forecasts = new_forecast()
    for state, map_, player in random_positions(200, seed=1):
        fill_forecast(state, map_, forecasts)
        forecast = foreseen(state, map_, player)
        for k in range(FUSE):
            burning = forecasts.fire[k] if k < forecasts.rounds else np.zeros(3, np.uint64)
            assert cells_of(forecast.fires[(int(state.turn) + k) % FUSE]) == cells_of(burning)
        assert cells_of(forecast.fire) == cells_of(np.bitwise_or.reduce(forecasts.fire[: forecasts.rounds], axis=0))


def check_nodes(position: Position, plans: dict[int, list[int]], roots: int, mates: tuple[int, ...] = ()) -> int:
    """Every state that a search keeps has the forecast that it should; returns how many there were."""
    beam, count = new_beam(BEAM), 0
    beam.start_game(position.map, position.player, 0, mates)
    for depth in search_by_layers(beam, position, plans, FUSE + 2, roots):
        for node in nodes_of(beam, depth):
            fresh = foreseen(node.state, position.map, position.player, mates)
            assert node.forecast.tobytes() == fresh.tobytes()
            cell = np.uint64(int(node.state.players[position.player]) & 0xFF)
            expected = is_survivable(node.state, position.map, position.player)
            assert survives(node.state, cell, node.forecast) == expected
            count += 1
    return count


def test_the_forecast_of_every_kept_state_is_the_one_foreseen_from_scratch():
    random = new_random(2)
    count = sum(
        check_nodes(position, random_plans(position, random) if number % 3 else {}, 0)
        for number, position in enumerate(random_positions(50, seed=2))
    )
    assert count > 5_000


def test_first_moves_that_are_left_out_do_not_change_the_forecast_of_the_others():
    random = new_random(3)
    for position in random_positions(30, seed=3):
        roots = sum(1 << action for action in legal(position) if below(random, 2))
        check_nodes(position, random_plans(position, random), roots)


def test_so_it_is_in_a_team():
    random = new_random(4)
    for position in random_positions(30, seed=4):
        check_nodes(position, random_plans(position, random), 0, mates=((position.player + 1) % MAX_PLAYERS,))


def own_forecast(text: str, action: int, roots: int = 0, mates: tuple[int, ...] = (), **plans: list[int]) -> np.record:
    """The forecast that a search keeps of the child of one first action."""
    beam, position = new_beam(BEAM), drawn(text)
    beam.start_game(position.map, position.player, 0, mates)
    for depth in search_by_layers(beam, position, {int(name[-1]): plan for name, plan in plans.items()}, 1, roots):
        for node in nodes_of(beam, depth):
            if beam.layers.action[depth, node.place] == action:
                return node.forecast
    raise AssertionError("no such child")


@pytest.mark.parametrize("mates", [(), (1,)])
def test_a_box_hit_by_own_and_other_bombs_of_one_round_counts(mates):
    text = """
        ..0..
        0 0 0 0 1 3
        0 1 4 0 1 3
        """
    assert hits_of(own_forecast(text, STAY + BOMB, mates=mates, player_1=[STAY + BOMB])) == [0, 0, 0, 0, 0, 0, 0, 1]


def test_an_item_that_one_child_takes_still_stops_the_blast_of_the_others():
    text = """
        ..0
        0 0 0 0 1 3
        0 1 12 10 1 3
        1 1 0 2 5 3
        2 0 1 0 1 1
        """
    roots = 1 << RIGHT + BOMB | 1 << DOWN + BOMB
    assert hits_of(own_forecast(text, RIGHT + BOMB, roots)) == [0, 0, 0, 1, 0, 0, 0, 0]
    assert hits_of(own_forecast(text, DOWN + BOMB, roots)) == [0, 0, 0, 0, 0, 0, 0, 0]


def test_an_item_that_another_player_takes_while_dropping_a_bomb_no_longer_stops_a_blast():
    text = """
        ....0
        0 0 12 10 1 3
        0 1 2 1 1 3
        1 0 0 0 5 5
        2 0 2 0 1 1
        """
    assert hits_of(own_forecast(text, STAY)) == [0, 0, 0, 0, 0, 0, 0, 0]
    assert hits_of(own_forecast(text, STAY, player_1=[UP + BOMB])) == [0, 0, 0, 1, 0, 0, 0, 0]
