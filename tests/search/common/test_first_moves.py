"""First move pruning against brute force on the naive engine."""

from itertools import product

import numpy as np

from engine.rules import ACTIONS
from engine.spec.bridge import from_state
from engine.spec.naive import legal_actions, new_naives, step
from engine.spec.naive_survival import new_boards, new_reach, survives
from engine.state import FUSE, MAX_PLAYERS
from search.common.first_moves import FirstMoves, members
from tests.search.positions import random_positions

FIRST_MOVES = FirstMoves()
BOARDS, REACH = new_boards(), new_reach()


def legal(naive: np.record, player: int) -> list[int]:
    return members(int(legal_actions(naive, player)))


def after(naive: np.record, actions: dict[int, int]) -> np.record:
    """The position after a round, everybody else standing still."""
    boards = new_naives(1)
    boards[0] = naive
    step(boards[0], np.uint64(sum(action << 4 * player for player, action in actions.items())))
    return boards[0]


def is_survivable(naive: np.record, player: int) -> bool:
    return bool(survives(naive, player, BOARDS, REACH))


def escapes(naive: np.record, victim: int, killer: int, first: int, replies: tuple[int, int]) -> bool:
    """Whether a second action saves the victim who began with `first` from these two of the killer."""
    between = after(naive, {victim: first, killer: replies[0]})
    return any(
        is_survivable(after(between, {victim: second, killer: replies[1]}), victim) for second in legal(between, victim)
    )


def is_killing(naive: np.record, player: int, enemy: int, first: int) -> bool:
    """Whether a second action that the player survives (the enemy standing still) leaves the enemy no escape."""
    between = after(naive, {player: first})
    seconds = [each for each in legal(between, player) if is_survivable(after(between, {player: each}), player)]
    return any(
        not any(escapes(naive, enemy, player, reply, (first, second)) for reply in legal(naive, enemy))
        for second in seconds
    )


def is_punishable(naive: np.record, player: int, enemy: int, first: int) -> bool:
    """Whether some two actions of the enemy leave the player no escape after this one."""
    return any(
        not escapes(naive, player, enemy, first, replies) for replies in product(legal(naive, enemy), range(ACTIONS))
    )


def is_winning_sacrifice(naive: np.record, player: int, enemy: int, first: int) -> bool:
    """Whether both live after this round and burn in the next one, whatever the enemy does, and the boxes win."""
    for reply in legal(naive, enemy):
        between = after(naive, {player: first, enemy: reply})
        last = after(between, {})
        me, him = last.players[player], last.players[enemy]
        if not (between.players[player].alive and between.players[enemy].alive):
            return False
        if me.alive or him.alive or me.scored <= him.scored:
            return False
    return bool(legal(naive, enemy))


def pairs(count: int, seed: int):
    """Random positions with an enemy of the deciding player, and the same for the naive engine."""
    for position in random_positions(count, seed):
        for enemy in range(MAX_PLAYERS):
            if enemy != position.player and position.state.players[enemy]:
                yield position, enemy, from_state(position.state, position.map)


def test_survivable_moves_are_those_of_the_naive_engine():
    for (state, map_, player), _enemy, naive in pairs(60, seed=1):
        expected = [each for each in legal(naive, player) if is_survivable(after(naive, {player: each}), player)]
        assert members(FIRST_MOVES.survivable(state, map_, player)) == expected


def test_killing_moves_are_those_of_brute_force():
    found = 0
    for (state, map_, player), enemy, naive in pairs(80, seed=2):
        expected = [each for each in legal(naive, player) if is_killing(naive, player, enemy, each)]
        assert members(FIRST_MOVES.killing(state, map_, player, enemy)) == expected
        found += 0 < len(expected) < len(legal(naive, player))
    assert found > 0


def test_punishable_moves_are_those_of_brute_force():
    found = 0
    for (state, map_, player), enemy, naive in pairs(40, seed=3):
        expected = [each for each in legal(naive, player) if is_punishable(naive, player, enemy, each)]
        assert members(FIRST_MOVES.punishable(state, map_, player, enemy)) == expected
        found += 0 < len(expected) < len(legal(naive, player))
    assert found > 0


def test_sacrifices_are_those_of_brute_force():
    found = 0
    for (state, map_, player), enemy, _naive in pairs(300, seed=4):
        meet(state, player, enemy)
        naive = from_state(state, map_)
        expected = [each for each in legal(naive, player) if is_winning_sacrifice(naive, player, enemy, each)]
        assert members(FIRST_MOVES.sacrifices(state, map_, player, enemy)) == expected
        found += len(expected) > 0
    assert found > 0


def meet(state: np.record, player: int, enemy: int) -> None:
    """Put the enemy onto the cell of the player, who leads; the first bombs of the ring explode in the next round."""
    state.players[enemy] = int(state.players[enemy]) & ~0xFF | int(state.players[player]) & 0xFF
    state.scored[player] = 9
    rows = [row for row in range(FUSE) if state.bombs[row]]
    state.turn = FUSE - 1 + (rows[0] if rows else 0)


def test_what_is_allowed_is_a_sacrifice_or_a_kill_or_survives():
    for position in random_positions(100, seed=5):
        state, map_, player = position
        enemies = [other for other in range(MAX_PLAYERS) if state.players[other] and other != player]
        survivable = FIRST_MOVES.survivable(state, map_, player)
        killing = 0
        for enemy in enemies:
            killing |= FIRST_MOVES.killing(state, map_, player, enemy)
        sacrifice = FIRST_MOVES.sacrifices(state, map_, player, enemies[0]) if len(enemies) == 1 else 0
        assert FIRST_MOVES.allowed(state, map_, player, enemies) == (sacrifice or survivable & killing or survivable)
