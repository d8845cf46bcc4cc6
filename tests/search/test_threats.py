"""Moves that hold or win whatever an opponent answers: against a search written the plain way, and drawn."""

from collections.abc import Iterator

import numpy as np
import pytest

from engine.rules import ACTION_NAMES, legal_actions, play_round
from engine.state import copy_state
from engine.survival import is_survivable
from search.agent import Budget
from search.first_moves import members
from search.threats import Threats, count_refutations, fears_sacrifice, is_near
from tests.search.positions import Position, agent, choice, decide, drawn, legal, others_of, random_positions

THREATS = Threats(3)


def after(state: np.record, map_: np.record, actions: dict[int, int]) -> np.record:
    played = copy_state(state)
    play_round(played, map_, np.uint64(sum(action << 4 * player for player, action in actions.items())))
    return played


def replies(state: np.record, enemy: int) -> list[int]:
    return members(int(legal_actions(state, enemy))) or [0]


def holds(state: np.record, map_: np.record, me: int, he: int, rounds: int, fears: bool) -> bool:
    """Whether we hold for so many rounds."""
    if not is_survivable(state, map_, me):
        return not (fears or is_survivable(state, map_, he))
    if not rounds or not (fears or is_survivable(state, map_, he)):
        return True
    return any(
        not refutations(state, map_, me, he, action, rounds, fears) for action in members(int(legal_actions(state, me)))
    )


def refutations(state: np.record, map_: np.record, me: int, he: int, action: int, rounds: int, fears: bool) -> int:
    """How many answers leave nothing that holds."""
    return sum(
        not holds(after(state, map_, {me: action, he: reply}), map_, me, he, rounds - 1, fears)
        for reply in replies(state, he)
    )


def wins(state: np.record, map_: np.record, me: int, he: int, action: int, rounds: int, is_last: bool) -> bool:
    """Whether an action wins within so many rounds, whatever he answers."""
    for reply in replies(state, he):
        then = after(state, map_, {me: action, he: reply})
        if is_won(then, map_, me, he, is_last):
            continue
        if rounds == 1 or not then.players[me] or not is_survivable(then, map_, he):
            return False
        nexts = members(int(legal_actions(then, me)))
        if not any(wins(then, map_, me, he, following, rounds - 1, is_last) for following in nexts):
            return False
    return True


def is_won(state: np.record, map_: np.record, me: int, he: int, is_last: bool) -> bool:
    if is_survivable(state, map_, he):
        return False
    if is_survivable(state, map_, me):
        return True
    burnt = after(state, map_, {})
    return is_last and not burnt.players[me] and not burnt.players[he] and bool(burnt.scored[me] > burnt.scored[he])


def close_up(count: int, seed: int) -> Iterator[Position]:
    """Random positions, in every second one an opponent put onto the own cell."""
    for number, position in enumerate(random_positions(count, seed)):
        state, _map, player = position
        if number % 2 and (others := others_of(position)):
            state.players[others[0]] = int(state.players[others[0]]) & ~0xFF | int(state.players[player]) & 0xFF
        yield position


@pytest.mark.parametrize("rounds", [1, 2])
def test_answers_are_those_that_a_plain_search_finds(rounds):
    found = 0
    for position in close_up(60 // rounds, seed=11):
        state, map_, player = position
        enemies = others_of(position)
        moves = sum(1 << action for action in legal(position))
        fears = fears_sacrifice(state, player, enemies)
        for action, count in THREATS.answers(state, map_, player, enemies, moves, rounds).items():
            near = [enemy for enemy in enemies if is_near(state, player, enemy)]
            assert count == sum(refutations(state, map_, player, each, action, rounds, fears) for each in near)
            found += bool(count)
    assert found > 10


@pytest.mark.parametrize("rounds", [1, 2])
def test_wins_are_those_that_a_plain_search_finds(rounds):
    found = 0
    for position in close_up(1000 // rounds, seed=12):
        state, map_, player = position
        enemies = others_of(position)
        near = [enemy for enemy in enemies if is_near(state, player, enemy)]
        for enemy in near:
            for action in legal(position):
                THREATS.room[0] = state
                is_won_by_force = not THREATS.count(map_, player, enemy, action, rounds, True, len(enemies) == 1)
                assert is_won_by_force == wins(state, map_, player, enemy, action, rounds, len(enemies) == 1)
                found += is_won_by_force
    assert found > 1


# The player stands in a dead end. An opponent at its mouth can shut it by a bomb.
DEAD_END = """
    .......
    0X.X.X.
    .......
    0 0 {x} 0 1 3
    0 1 {his} 0 1 5
    """


def names(actions: int) -> set[str]:
    return {ACTION_NAMES[action] for action in members(actions)}


def safe(position: Position) -> set[str]:
    enemies = others_of(position)
    return names(THREATS.safe(position.state, position.map, position.player, enemies, 0))


def test_who_can_be_shut_in_leaves_the_dead_end():
    assert "left" not in safe(drawn(DEAD_END.format(x=1, his=3)))
    assert "right" in safe(drawn(DEAD_END.format(x=1, his=3)))


def test_a_far_opponent_forbids_nothing():
    position = drawn(DEAD_END.format(x=1, his=3).replace("0 1 3 0 1 5", "0 1 12 10 1 3"))
    assert safe(position) == {ACTION_NAMES[action] for action in legal(position)}


def test_the_killer_takes_the_win_by_force():
    position = drawn(DEAD_END.format(x=0, his=2), player=1)
    winning = THREATS.winning(position.state, position.map, 1, [0])
    assert any("bomb" in name for name in names(winning))
    assert choice("beam", position, 2000) in names(winning)


def test_the_passes_of_a_search_are_recorded_and_make_it_again():
    beam = agent("beam")
    for position in random_positions(5, seed=13):
        decision = decide(beam, position, Budget(nodes=20_000))
        widths = [int(stage.split()[-1]) for stage in decision.stages if stage.startswith("own ")]
        assert widths[0] == 60 and widths == sorted(widths)
        assert decide(beam, position, decision.budget()) == decision


def test_warming_up_compiles_what_games_need():
    agent("beam").warm_up()
    compiled = list(count_refutations.signatures)
    for position in random_positions(30, seed=14):
        decide(agent("beam"), position, Budget(nodes=100))
    assert compiled and list(count_refutations.signatures) == compiled
