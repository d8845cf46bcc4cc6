"""What sparring partners after public bots ask of first moves: what is described of these bots, no more."""

import pytest

from engine.rules import BOMB, play_round
from engine.state import copy_state
from engine.survival import is_surely_survivable, is_survivable
from search.agent import Budget
from search.clock import Timer
from search.common.first_moves import FirstMoves, members, pack_actions
from search.common.planning import ALL_ROOTS
from tests.search.beam.beams import beam_agent
from tests.search.positions import Position, drawn, legal, others_of, random_positions

SHUT_IN = """
    .......
    0X.X.X.
    .......
    0 0 0 0 1 3
    0 1 2 0 1 5
    """  # player 0 is in a dead end, which player 1 can shut by a bomb


def roots_of(spec: str, position: Position) -> list[int]:
    """The first moves that an agent would search."""
    beam = beam_agent(spec)
    beam.start_game(position.map, position.player, 0)
    return members(beam.own_roots(position.state, position.player, Timer(Budget(nodes=1000)), {}))


def lives(position: Position, action: int, all_bomb: bool) -> bool:
    after, actions = copy_state(position.state), {position.player: action}
    if all_bomb:
        actions |= dict.fromkeys(others_of(position), BOMB)
    play_round(after, position.map, pack_actions(actions))
    is_safe = is_surely_survivable if all_bomb else is_survivable
    return bool(is_safe(after, position.map, position.player))


def close_positions(count: int) -> list[Position]:
    """Random ones, a rival on the own cell."""
    positions = [position for position in random_positions(count, seed=4) if others_of(position)]
    for state, _map, player in positions:
        other = next(at for at in range(4) if at != player and state.players[at])
        state.players[other] = int(state.players[other]) & ~0xFF | int(state.players[player]) & 0xFF
    return positions


@pytest.mark.parametrize("name", ["eighth", "third", "racer"])
def test_a_public_bot_fears_a_bomb_of_everybody_and_nothing_else(name):
    some_fear = 0
    for position in close_positions(60):
        survivable = [action for action in legal(position) if lives(position, action, all_bomb=False)]
        held = [action for action in survivable if lives(position, action, all_bomb=True)]
        assert roots_of(f"beam:{name}", position) == (held or survivable)
        some_fear += held != survivable
    assert some_fear > 5


def test_a_public_bot_neither_kills_by_plan_nor_dies_to_win():
    position = drawn(SHUT_IN, player=1)
    killing = roots_of("beam:paper", position)
    assert killing == members(FirstMoves().killing(position.state, position.map, 1, 0))
    assert set(killing) < set(roots_of("beam:eighth", position))


def test_a_bot_of_the_gold_league_filters_nothing():
    assert all(roots_of("beam:gold", position) == members(ALL_ROOTS) for position in close_positions(10))
