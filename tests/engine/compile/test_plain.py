"""Kernels as plain Python: they do what compiled code does, and compile nothing."""

from random import Random

import numpy as np
import pytest

from engine.board import U64
from engine.compile.cache import JIT_DISABLED
from engine.compile.plain import plainly, sparing
from engine.game import Game, pack_actions
from engine.jit import entry, kernel
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import copy_state
from engine.survival import fill_forecast, new_forecast, survivable_cells

compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="without the compiler everything is plain Python")
ROUNDS = 150


def draw_positions(seed):
    """A game of four who never stop bombing, position by position with what comes next."""
    random, game = Random(seed), Game.start(seed, 4)
    for _ in range(ROUNDS):
        actions = pack_actions([random.randrange(ACTIONS) for _ in range(4)])
        yield game, actions
        play_round(game.state, game.map, actions)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rounds_and_forecasts_are_the_same(seed):
    play, forecast, survive, legal = map(plainly, (play_round, fill_forecast, survivable_cells, legal_actions))
    for game, actions in draw_positions(seed):
        after, plain_after = copy_state(game.state), copy_state(game.state)
        play_round(after, game.map, actions)
        play(plain_after, game.map, actions)
        assert plain_after.tobytes() == after.tobytes()
        ahead, plain_ahead = new_forecast(), new_forecast()
        assert [*survive(game.state, game.map, plain_ahead)] == [*survivable_cells(game.state, game.map, ahead)]
        forecast(game.state, game.map, plain_ahead)
        assert plain_ahead.tobytes() == ahead.tobytes()
        assert [legal(game.state, at) for at in range(4)] == [legal_actions(game.state, at) for at in range(4)]


@kernel
def twice(number):
    return number + number


@entry
def four_times(number):
    return twice(twice(number))


@compiled_only
def test_whoever_is_sparing_compiles_nothing_and_takes_what_is_compiled(monkeypatch):
    call = sparing(four_times)
    monkeypatch.setattr(type(four_times), "is_kept", False)
    assert call(U64(1 << 62)) == 0  # without a warning: words wrap around
    assert isinstance(call(U64(3)), np.uint64) and not four_times.overloads and not twice.overloads
    assert four_times(U64(3)) == 12
    assert isinstance(call(U64(3)), int)  # as compiled code returns numbers


@entry
def eight_times(number):
    return twice(twice(twice(number)))


@compiled_only
def test_whoever_calls_too_often_to_be_sparing_gets_it_compiled(monkeypatch):
    monkeypatch.setattr("engine.compile.plain.MOST_PLAIN", 2)
    monkeypatch.setattr(type(eight_times), "is_kept", False)
    call = sparing(eight_times)
    for calls in range(1, 5):
        assert call(U64(3)) == 24
        assert bool(eight_times.overloads) == (calls > 2)
