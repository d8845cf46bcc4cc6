"""First move pruning against brute force on the naive engine."""

from itertools import product

import numpy as np
import pytest

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
    """The position after a round, everybody else staying."""
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


def is_killing(naive: np.record, player: int, rival: int, first: int) -> bool:
    """Whether a second action that the player survives (the opponent standing still) leaves the opponent no escape."""
    between = after(naive, {player: first})
    seconds = [each for each in legal(between, player) if is_survivable(after(between, {player: each}), player)]
    return any(
        not any(escapes(naive, rival, player, reply, (first, second)) for reply in legal(naive, rival))
        for second in seconds
    )


def is_punishable(naive: np.record, player: int, rival: int, first: int) -> bool:
    """Whether some two actions of the opponent leave the player no escape after this one."""
    return any(
        not escapes(naive, player, rival, first, replies) for replies in product(legal(naive, rival), range(ACTIONS))
    )


def is_winning_sacrifice(naive: np.record, player: int, rival: int, action: int, rounds: int) -> bool:
    """Whether both burn at once within so many rounds after this action, whatever the opponent does: boxes win."""
    return all(
        wins_dead_after(after(naive, {player: action, rival: reply}), player, rival, rounds)
        for reply in legal(naive, rival)
    )


def wins_dead_after(between: np.record, player: int, rival: int, rounds: int) -> bool:
    """Whether the next fire ends it so, or (more rounds being left) some further action does."""
    if not (between.players[player].alive and between.players[rival].alive):
        return False
    last = after(between, {})
    me, them = last.players[player], last.players[rival]
    if not me.alive and not them.alive and me.scored > them.scored:
        return True
    return rounds > 1 and any(
        is_winning_sacrifice(between, player, rival, each, rounds - 1) for each in legal(between, player)
    )


def pairs(count: int, seed: int):
    """Random positions with an opponent of the deciding player, and the same for the naive engine."""
    for position in random_positions(count, seed):
        for rival in range(MAX_PLAYERS):
            if rival != position.player and position.state.players[rival]:
                yield position, rival, from_state(position.state, position.map)


def test_survivable_moves_are_those_of_the_naive_engine():
    for (state, map_, player), _rival, naive in pairs(60, seed=1):
        expected = [each for each in legal(naive, player) if is_survivable(after(naive, {player: each}), player)]
        assert members(FIRST_MOVES.survivable(state, map_, player)) == expected


def test_killing_moves_are_those_of_brute_force():
    found = 0
    for (state, map_, player), rival, naive in pairs(80, seed=2):
        expected = [each for each in legal(naive, player) if is_killing(naive, player, rival, each)]
        assert members(FIRST_MOVES.killing(state, map_, player, rival)) == expected
        found += 0 < len(expected) < len(legal(naive, player))
    assert found > 0


def test_punishable_moves_are_those_of_brute_force():
    found = 0
    for (state, map_, player), rival, naive in pairs(40, seed=3):
        expected = [each for each in legal(naive, player) if is_punishable(naive, player, rival, each)]
        assert members(FIRST_MOVES.punishable(state, map_, player, rival)) == expected
        found += 0 < len(expected) < len(legal(naive, player))
    assert found > 0


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [1, 2])
def test_sacrifices_within_two_rounds_are_those_of_brute_force(rounds):
    found = 0
    for (state, map_, player), rival, _naive in pairs(300, seed=4):
        meet(state, player, rival, rounds)
        naive = from_state(state, map_)
        expected = [each for each in legal(naive, player) if is_winning_sacrifice(naive, player, rival, each, 2)]
        assert members(FIRST_MOVES.sacrifices(state, map_, player, rival)) == expected
        found += len(expected) > 0
    assert found > 0


def meet(state: np.record, player: int, rival: int, rounds: int) -> None:
    """Put the opponent onto the cell of the player, who leads; the first bombs explode in so many rounds."""
    state.players[rival] = int(state.players[rival]) & ~0xFF | int(state.players[player]) & 0xFF
    state.scored[player] = 9
    rows = [row for row in range(FUSE) if state.bombs[row]]
    state.turn = FUSE - rounds + (rows[0] if rows else 0)


def test_what_is_allowed_is_a_sacrifice_or_a_kill_or_survives():
    for position in random_positions(100, seed=5):
        state, map_, player = position
        rivals = [other for other in range(MAX_PLAYERS) if state.players[other] and other != player]
        survivable = FIRST_MOVES.survivable(state, map_, player)
        killing = 0
        for rival in rivals:
            killing |= FIRST_MOVES.killing(state, map_, player, rival)
        sacrifice = FIRST_MOVES.sacrifices(state, map_, player, rivals[0]) if len(rivals) == 1 else 0
        assert FIRST_MOVES.allowed(state, map_, player, rivals) == (sacrifice or survivable & killing or survivable)
