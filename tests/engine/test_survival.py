"""Forecasts, traps with some first actions only, and items on the way out: the fast answers, checked.

Whole answers of is_survivable, the mask and can_kill are compared in `test_naive_survival`.
"""

import numpy as np
import pytest

from engine.board import CELLS, OPEN_CELLS, cells_of
from engine.rules import ACTIONS, BOMB, legal_actions, play_round
from engine.spec import naive_survival as slow
from engine.spec.bridge import from_state
from engine.spec.naive import legal_actions as slow_legal_actions
from engine.spec.naive import new_naives
from engine.spec.naive import step as slow_step
from engine.spec.wild import below, careful_actions, make_position, new_random
from engine.state import FUSE, MAX_PLAYERS, copy_state, new_map, new_states
from engine.survival import (
    KILL_SCRATCH,
    fill_forecast,
    hits_ahead,
    is_cell_survivable,
    is_lost,
    is_surely_survivable,
    is_survivable,
    new_forecast,
    survivable_cells,
)
from engine.zobrist import hash_state
from tests.engine.draw import position
from tests.kernels import entries_in

globals().update(entries_in(globals()))

NOBODY_ACTS = np.uint64(0)
ALL = np.uint64((1 << ACTIONS) - 1)
FORECASTS, MASKS, TRAPS, WALKS = 300, 700, 400, 100  # random positions


def random_positions(count, seed):
    """Random positions, some of them a few rounds old; State and Map are those of the last one."""
    random, states, map_ = new_random(seed), new_states(2), new_map()
    for number in range(count):
        make_position(states[0], map_, random, 2 + number % 3)
        for _ in range(number % 4):
            play_round(states[0], map_, careful_actions(states[0], map_, random, 40, states[1:]))
        yield states[0], map_, random


def burning(naive):
    return {(int(x), int(y)) for y, x in zip(*np.nonzero(naive.fire), strict=True)}


def scored(naive):
    return [int(me.scored) for me in naive.players]


def blocked_cells(naive):
    bombs = {(int(bomb.x), int(bomb.y)) for bomb in naive.bombs[: naive.bomb_count]}
    return {(x, y) for x, y in OPEN_CELLS if naive.grid[y, x] != 0} | bombs


def test_the_forecast_is_what_happens_if_nobody_acts():
    forecast, explosions, hit = new_forecast(), 0, 0
    for state, map_, _random in random_positions(FORECASTS, seed=5):
        fill_forecast(state, map_, forecast)
        ahead = [int(hits_ahead(state, map_, player)) for player in range(MAX_PLAYERS)]
        naive = from_state(state, map_)
        for k in range(FUSE):
            assert (naive.bomb_count > 0) == (k < forecast.rounds)
            before, blocked = scored(naive), blocked_cells(naive)
            slow_step(naive, NOBODY_ACTS)
            hits = [now - was for now, was in zip(scored(naive), before, strict=True)]
            assert [numbers >> 8 * k & 0xFF for numbers in ahead] == hits
            if k < forecast.rounds:
                assert set(cells_of(forecast.fire[k])) == burning(naive)
                assert set(cells_of(forecast.blocked[k])) == blocked
                assert [int(forecast.hits[k]) >> 16 * player & 0xFFFF for player in range(MAX_PLAYERS)] == hits
                explosions += bool(burning(naive))
                hit += sum(hits)
    assert explosions > FORECASTS
    assert hit > FORECASTS


def test_every_cell_of_the_mask_is_a_cell_that_is_survivable_alone():
    forecast = new_forecast()
    for state, map_, _random in random_positions(MASKS, seed=6):
        mask = set(cells_of(np.array(survivable_cells(state, map_, forecast), np.uint64)))
        boxes = set(cells_of(state.boxes))
        for x, y in OPEN_CELLS:
            if (x, y) not in boxes:
                assert bool(is_cell_survivable(state, map_, np.uint64(CELLS[y, x]))) == ((x, y) in mask)


# Traps


def allowed(naive, player, firsts):
    bits = int(slow_legal_actions(naive, player)) & firsts
    return [action for action in range(ACTIONS) if bits >> action & 1]


def played(naive, victim, action, killer, reply):
    after = new_naives(1)
    after[0] = naive
    slow_step(after[0], np.uint64(action << 4 * victim | reply << 4 * killer))
    return after[0]


def is_trapped(naive, victim, killer, victim_firsts, killer_firsts):
    """The definition, written out: two actions of the killer that no two of the victim survive."""
    for first_reply in allowed(naive, killer, killer_firsts):
        afters = [played(naive, victim, first, killer, first_reply) for first in allowed(naive, victim, victim_firsts)]
        for reply in range(ACTIONS):
            ends = (
                played(after, victim, second, killer, reply)
                for after in afters
                for second in allowed(after, victim, ALL)
            )
            if not any(slow.is_survivable(end, victim) for end in ends):
                return True
    return False


def test_a_trap_with_some_first_actions_only_is_found_by_trying_all():
    found = 0
    for state, map_, random in random_positions(TRAPS, seed=7):
        victim = below(random, 2)
        firsts = 1 << below(random, ACTIONS), 1 << below(random, ACTIONS) | 1 << below(random, ACTIONS)
        for victim_firsts, killer_firsts in [(firsts[0], int(ALL)), (int(ALL), firsts[0]), firsts]:
            sets = np.uint64(victim_firsts), np.uint64(killer_firsts)
            fast = is_lost(state, map_, victim, 1 - victim, *sets, new_states(KILL_SCRATCH))
            answer = is_trapped(from_state(state, map_), victim, 1 - victim, victim_firsts, killer_firsts)
            assert bool(fast) == answer
            found += answer
    assert TRAPS // 4 < found < 3 * TRAPS - TRAPS // 4


# Items on the way out


@pytest.mark.parametrize(("reach", "is_sure"), [(4, True), (8, False)])
def test_an_item_that_the_player_takes_away_stops_no_fire(reach, is_sure):
    state, map_ = position(f"""
        .......
        0X0X0X0
        0 0 1 0 0 3
        1 0 0 0 4 {reach}
        2 0 2 0 1 1
        """)
    assert is_survivable(state, map_, 0)
    assert is_surely_survivable(state, map_, 0) == is_sure


def test_an_item_next_to_the_way_goes_on_stopping_fire():
    state, map_ = position("""
        .......
        0X0X0X0
        0 0 3 0 0 3
        1 0 0 0 4 12
        2 0 2 0 1 1
        """)
    assert is_surely_survivable(state, map_, 0)


def gets_away_for_real(state, map_, player):
    """Whether some moves of the player live through eight rounds, played with all that he picks up."""
    alive = [state]
    for _round in range(FUSE):
        nexts = {}
        for before in alive:
            for action in range(BOMB):
                if int(legal_actions(before, player)) >> action & 1:
                    after = copy_state(before)
                    play_round(after, map_, np.uint64(action << 4 * player))
                    if after.players[player]:
                        nexts[int(hash_state(after))] = after
        alive = list(nexts.values())
    return bool(alive)


@pytest.mark.slow
def test_who_is_surely_survivable_gets_away_for_real():
    overrated = 0
    for state, map_, _random in random_positions(WALKS, seed=8):
        for player in range(MAX_PLAYERS):
            if state.players[player] and is_survivable(state, map_, player):
                is_real = gets_away_for_real(state, map_, player)
                assert is_real or not is_surely_survivable(state, map_, player)
                overrated += not is_real
    assert overrated
