"""Sets of cells against plain Python sets, and packed players and bombs against what was packed."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from engine import cells as words
from engine.board import CELLS, DELTAS, OPEN_CELLS, U64, X_OF, Y_OF, cells_of, is_on_board, is_wall, words_of
from engine.rules import ACTIONS, action_of, pack
from engine.state import (
    FUSE,
    MAX_PLAYERS,
    MAX_RANGE,
    MAX_STOCK,
    bomb_in,
    cell_of,
    dropped_by,
    new_state,
    pack_bomb,
    pack_player,
    range_of,
    row_in,
    slot_of,
    stock_of,
)
from tests.kernels import entries_in

globals().update(entries_in(globals()))
words = SimpleNamespace(**{**vars(words), **entries_in(vars(words))})

EVERYWHERE = set(OPEN_CELLS)


def draw_set(seed):
    """From nothing to everything, by the seed."""
    return set(random.Random(seed).sample(OPEN_CELLS, seed % (len(OPEN_CELLS) + 1)))


def packed(places):
    """A set as kernels take it."""
    return tuple(words_of(sorted(places)))


def places_in(found):
    """A set that a kernel returned, bits that belong to no cell left out."""
    return set(cells_of(np.array(found, np.uint64)))


def number(place):
    return U64(CELLS[place[1], place[0]])


def neighbours(place):
    around = [(place[0] + dx, place[1] + dy) for dx, dy in DELTAS[1:]]
    return {to for to in around if is_on_board(*to) and not is_wall(*to)}


SEEDS = pytest.mark.parametrize("seed", range(0, 114, 7))


@SEEDS
def test_two_sets_are_joined_cut_and_subtracted(seed):
    some, others = draw_set(seed), draw_set(113 - seed)
    assert places_in(words.union(packed(some), packed(others))) == some | others
    assert places_in(words.common(packed(some), packed(others))) == some & others
    assert places_in(words.without(packed(some), packed(others))) == some - others


@SEEDS
def test_a_set_knows_its_size_and_its_lowest_cell(seed):
    some = draw_set(seed)
    assert words.count_cells(packed(some)) == len(some)
    assert words.is_empty(packed(some)) == (not some)
    if some:
        assert words.first_cell(packed(some)) == min(number(place) for place in some)


@pytest.mark.parametrize("seed", [0, 1, 50, 113])
def test_has_asks_a_set_in_a_kernel_and_a_set_in_a_record_alike(seed):
    some = draw_set(seed)
    for place in OPEN_CELLS:
        assert words.has(packed(some), number(place)) == (place in some)
        assert words.has(words_of(sorted(some)), number(place)) == (place in some)


def test_a_cell_is_added_to_and_removed_from_a_set_in_a_record():
    some = draw_set(40)
    for place in OPEN_CELLS:
        held = words_of(sorted(some))
        words.add(held, number(place))
        assert set(cells_of(held)) == some | {place}
        words.remove(held, number(place))
        assert set(cells_of(held)) == some - {place}
        assert places_in(words.single(number(place))) == {place}


def test_a_set_is_written_to_a_record_and_read_back():
    held = words_of([])
    words.write(held, packed(draw_set(40)))
    assert set(cells_of(held)) == places_in(words.read(held)) == draw_set(40)


@SEEDS
def test_a_set_spreads_to_its_neighbours_and_floods_those_that_are_free(seed):
    some, blocked = draw_set(seed), draw_set(113 - seed)
    around = some.union(*map(neighbours, some))
    assert places_in(words.spread(packed(some))) == around
    assert places_in(words.flood(packed(some), packed(blocked))) == some | around - blocked
    wide = {place for place in some if len(neighbours(place) & some) >= 2}
    assert places_in(words.with_two_neighbours(packed(some))) == wide


def test_bombs_stand_where_it_is_blocked_without_a_box():
    state = new_state()
    words.write(state.boxes, packed(draw_set(30)))
    words.write(state.blocked, words.union(words.read(state.blocked), packed(draw_set(30) | draw_set(31))))
    found = words.live_bombs(words.read(state.blocked), words.read(state.boxes))
    assert places_in(found) == draw_set(31) - draw_set(30)
    assert words.is_empty(words.without(found, words.ALL_CELLS))


@pytest.mark.parametrize(("bomb_range", "stock"), [(1, 0), (3, 1), (MAX_RANGE, MAX_STOCK)])
def test_a_packed_player_is_taken_apart_again(bomb_range, stock):
    for place in OPEN_CELLS:
        me = U64(pack_player(number(place), U64(bomb_range), U64(stock)))
        assert (X_OF[cell_of(me)], Y_OF[cell_of(me)]) == place
        assert (range_of(me), stock_of(me)) == (bomb_range, stock)
        assert dropped_by(me) == pack_bomb(number(place), U64(bomb_range))


def test_each_owner_has_a_slot_in_a_row_of_the_ring():
    bombs = [U64(pack_bomb(number(OPEN_CELLS[k]), U64(k + 1))) for k in range(MAX_PLAYERS)]
    row = U64(sum(int(slot_of(bomb, owner)) for owner, bomb in enumerate(bombs)))
    assert [bomb_in(row, owner) for owner in range(MAX_PLAYERS)] == bombs


def test_the_rows_of_the_ring_follow_the_turns():
    state = new_state()
    state.turn = 5
    assert [row_in(state, rounds) for rounds in range(FUSE)] == [5, 6, 7, 0, 1, 2, 3, 4]


def test_the_actions_of_all_players_fit_into_one_number():
    for actions in [(0, 9, 3, 7), (9, 9, 9, 9), (4, 0, 0, 1)]:
        joint = U64(sum(int(pack(player, action)) for player, action in enumerate(actions)))
        assert tuple(action_of(joint, player) for player in range(MAX_PLAYERS)) == actions
        assert max(actions) < ACTIONS
