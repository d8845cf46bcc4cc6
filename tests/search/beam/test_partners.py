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
from tests.search.positions import DEAD_END, Position, close_up, drawn, legal, others_of


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


@pytest.mark.parametrize("name", ["eighth", "third", "racer"])
def test_a_public_bot_fears_a_bomb_of_everybody_and_nothing_else(name):
    some_fear = 0
    for position in close_up(120, seed=4):
        survivable = [action for action in legal(position) if lives(position, action, all_bomb=False)]
        held = [action for action in survivable if lives(position, action, all_bomb=True)]
        assert roots_of(f"beam:{name}", position) == (held or survivable)
        some_fear += held != survivable
    assert some_fear > 5


def test_a_public_bot_neither_kills_by_plan_nor_dies_to_win():
    position = drawn(DEAD_END.format(x=0, theirs=2), player=1)
    killing = roots_of("beam:scaled", position)
    assert killing == members(FirstMoves().killing(position.state, position.map, 1, 0))
    assert set(killing) < set(roots_of("beam:eighth", position))


def test_a_bot_of_the_gold_league_filters_nothing():
    assert all(roots_of("beam:gold", position) == members(ALL_ROOTS) for position in close_up(20, seed=4))
