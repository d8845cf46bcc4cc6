"""`simple` never bombs itself in: it counts no item as cover that it would take away on its way out."""

import pytest

from engine.game import Game
from engine.notation import parse_position
from engine.rules import play_round
from engine.state import MAX_TURNS
from search import make_agent
from search.agent import Budget
from tests.engine.draw import board

# The item at 8,4 stops the blast of the bomb at 10,4, until the player at 9,4 walks over it.
TRAP = """
    .........0...
    .X.X.X2X2X2X.
    ........011..
    .X.X.X.X.X2X.
    ...........01
    .X.X.X.X.X.X.
    ...........01
    .X.X.X.X.X2X.
    ...1.1.1011..
    .X2X.X2X2X2X.
    ...02...20...
    0 0 10 4 3 8
    0 1 12 10 1 3
    1 0 8 6 5 8
    1 0 10 6 7 8
    2 0 8 4 1 1
    """


def deaths(spec: str, seeds: range | list[int]) -> int:
    """Games against a player that stands still, and how many of them it dies in."""
    agent, died = make_agent(spec), 0
    for seed in seeds:
        game = Game.start(seed, 2)
        state, map_ = game.state, game.map
        agent.start_game(map_, 0, seed)
        while state.turn < MAX_TURNS and state.players[0] and (state.boxes.any() or state.bombs.any()):
            play_round(state, map_, agent.decide(state, 0, Budget(nodes=50)).action)
        died += not state.players[0]
    return died


def test_it_drops_no_bomb_where_the_only_way_out_leads_over_an_item() -> None:
    game = parse_position(board(TRAP), 96)
    for spec, drops in (("simple:trusting", True), ("simple", False)):
        agent = make_agent(spec)
        agent.start_game(game.map, 0, 0)
        assert (agent.decide(game.state, 0, Budget(nodes=50)).action == 6) is drops


def test_it_survives_the_boards_on_which_it_used_to_die() -> None:
    boards = [0, 5, 22, 25, 68, 110]
    assert deaths("simple", boards) == 0 < deaths("simple:trusting", boards)


@pytest.mark.slow
def test_it_never_dies_in_1000_games() -> None:
    assert deaths("simple", range(1000)) == 0
