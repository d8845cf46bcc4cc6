"""Batches: many games stepped together are the same games stepped one by one."""

import numpy as np
import pytest

from engine import batch as batch_module
from engine.batch import Batch, pack_actions
from engine.errors import HsctlError
from engine.game import Game
from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import MAX_PLAYERS, copy_state

GAMES = 50
ROUNDS = 60


def new_games() -> list[Game]:
    return [Game.start(seed, 2 + seed % 3) for seed in range(GAMES)]


@pytest.mark.parametrize("threads", [1, 2, 3, GAMES + 7])
def test_a_batch_plays_what_each_of_its_games_plays_alone(threads, monkeypatch):
    monkeypatch.setattr(batch_module, "PIECE", 1)
    games, random = new_games(), np.random.default_rng(threads)
    batch, alone = Batch.of(games, threads), [copy_state(game.state) for game in games]
    assert len(batch.pieces) == min(threads, GAMES) + 1
    for _ in range(ROUNDS):
        actions = random.integers(0, ACTIONS, (GAMES, MAX_PLAYERS))
        joints = pack_actions(actions)
        batch.step(joints)
        for game, state, joint in zip(games, alone, joints, strict=True):
            play_round(state, game.map, joint)
    assert all(batch.states[game] == alone[game] for game in range(GAMES))
    assert len({state.tobytes() for state in batch.states}) > GAMES // 2
    assert all(game.state.turn == 0 for game in games)


def test_a_small_batch_is_left_to_one_thread():
    assert Batch.of(new_games(), threads=8).helpers is None


def test_legal_tells_everybodys_legal_actions():
    batch = Batch.of(new_games())
    legal = batch.legal()
    assert legal.shape == (GAMES, MAX_PLAYERS)
    for game in range(GAMES):
        assert list(legal[game]) == [legal_actions(batch.states[game], player) for player in range(MAX_PLAYERS)]


def test_actions_are_packed_seat_by_seat():
    assert list(pack_actions(np.array([[1, 9], [0, 2]]))) == [0x91, 0x20]
    assert list(pack_actions(np.array([[4, 3, 2, 1]], np.uint8))) == [0x1234]


@pytest.mark.parametrize("actions", [[[10, 0]], [[-1, 0]], [0, 1], [[0, 1, 2, 3, 4]], [[0.5, 1.0]]])
def test_what_is_no_action_is_refused(actions):
    with pytest.raises(HsctlError, match="actions"):
        pack_actions(np.array(actions))


def test_words_and_maps_must_fit_the_games():
    batch = Batch.of(new_games())
    for joints in (np.zeros(GAMES - 1, np.uint64), np.zeros(GAMES, np.int64)):
        with pytest.raises(HsctlError, match=f"{GAMES} uint64"):
            batch.step(joints)
    with pytest.raises(HsctlError, match="maps"):
        Batch(batch.states, batch.maps[1:])
    with pytest.raises(HsctlError, match="0 threads"):
        Batch(batch.states, batch.maps, threads=0)
