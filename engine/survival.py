"""Survival: is_survivable, the mask of all survivable cells, can_kill.

All three look at the known bombs only, eight rounds ahead (by then all have exploded): nobody else acts, the
player only moves, nobody picks up items (is_surely_survivable: but the player does). Before each move of a round
its fire kills every player in it:

    round k:   reach -= fire of k        (walking into it in the same round is safe)
               reach += free neighbours  (boxes and bombs that burn in round k still block in it)

Going forward from one cell answers for one player; going backward from "anywhere, after the last explosion"
answers for every cell at once. The forward explosions are the Forecast, which also has the boxes that each
player will destroy, and when.
"""

import numpy as np

from engine.blast import COLUMN, ROW, THREE, burn_away, due_in, explode, hits_of
from engine.board import ONE, OPEN_A, OPEN_H, OPEN_V, SEVEN, U64, ZERO, has_bit
from engine.cells import (
    ALL_CELLS,
    NOTHING,
    common,
    flood,
    is_empty,
    live_bombs,
    read,
    single,
    spread,
    union,
    without,
    write,
)
from engine.instructions import occupied
from engine.jit import entry, inline, kernel
from engine.rules import ACTIONS, legal_actions, pack, play_round
from engine.state import FUSE, cell_of, record, row_in

# The explosions of the known bombs if nobody acts: one entry per round from now.
FORECAST = record(
    [
        ("fire", np.uint64, (FUSE, 3)),
        ("blocked", np.uint64, (FUSE, 3)),  # for moves of that round
        ("hits", np.uint64, FUSE),  # boxes destroyed by each owner, 16 bits each
        ("rounds", np.int64),  # how many rounds until nothing is left to explode
    ]
)


ROWS_TOP = U64(sum(1 << 7 * row + 6 for row in range(6)))  # the last bit of each row
ROWS_LOW = U64(sum(0b111111 << 7 * row for row in range(6)))  # all others
KILL_SCRATCH = ACTIONS + 1  # states that can_kill needs for its work
ALL_ACTIONS = U64((1 << ACTIONS) - 1)
SIX, FOURTEEN, TWENTY_EIGHT = U64(6), U64(14), U64(28)


def new_forecast() -> np.record:
    return np.zeros(1, FORECAST)[0]


@inline
def never_burning(live):
    """Cells with no bomb in their row (A, H) and none in their column (A, V): no known bomb ever reaches them."""
    rows = live[0] | live[1]
    has_bomb = ((rows & ROWS_LOW) + ROWS_LOW | rows) & ROWS_TOP
    rows = (has_bomb << ONE) - (has_bomb >> SIX)
    columns = live[0] | live[2]
    columns |= columns >> SEVEN
    columns |= columns >> FOURTEEN
    columns |= columns >> TWENTY_EIGHT
    columns = (columns & ROW) * COLUMN
    return OPEN_A & ~(rows | columns), OPEN_H & ~rows, OPEN_V & ~columns


@inline
def gets_away(state, map_, cell, haven, items, avoided):
    """Whether a player standing on the cell survives the known bombs, none of which ever reaches the `haven`.

    `items` stop fires; the player doesn't enter `avoided` cells before they burn.
    """
    reach = single(cell)
    blocked, boxes = read(state.blocked), read(state.boxes)
    live = occupied(state.bombs)
    row = U64(state.turn)
    while live != ZERO:
        if not is_empty(common(reach, haven)):
            return True
        row &= SEVEN
        if state.bombs[row] != ZERO:
            fire, live, _hits = explode(state.bombs, due_in(live, row), live, union(blocked, items), boxes)
            reach = without(reach, fire)
            if is_empty(reach):
                return False
            reach = flood(reach, union(blocked, avoided))
            avoided = without(avoided, fire)
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
        else:
            reach = flood(reach, union(blocked, avoided))
        row += ONE
    return True


@kernel
def can_get_away(state, map_, cell, haven):
    """Whether a player standing on the cell can survive the known bombs, if nobody picks up items."""
    return gets_away(state, map_, cell, haven, read(state.items), NOTHING)


@kernel
def can_surely_get_away(state, map_, cell, haven):
    """can_get_away for a player that picks up the items it walks over, so that they no longer stop fire.

    Either the way leads over no item, or it would work with no items on the board.
    """
    items = read(state.items)
    while not gets_away(state, map_, cell, haven, items, items):
        if is_empty(items):
            return False
        items = NOTHING
    return True


@inline
def haven_of(state):
    return never_burning(live_bombs(read(state.blocked), read(state.boxes)))


@inline
def is_cell_survivable(state, map_, cell):
    """Whether a player standing on the cell can survive the known bombs."""
    return can_get_away(state, map_, cell, haven_of(state))


@entry
@inline
def is_survivable(state, map_, player):
    """Whether the player lives and can survive the known bombs."""
    me = U64(state.players[player])
    return me != ZERO and is_cell_survivable(state, map_, cell_of(me))


@entry
@inline
def is_surely_survivable(state, map_, player):
    """is_survivable that doesn't count on items that the player would pick up."""
    me = U64(state.players[player])
    return me != ZERO and can_surely_get_away(state, map_, cell_of(me), haven_of(state))


@entry
def hits_ahead(state, map_, player):
    """Boxes that the player's known bombs will destroy: byte k is the round k from now, if nobody acts."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = occupied(state.bombs)
    ahead = ZERO
    rounds = ZERO
    while live != ZERO:
        row = row_in(state, rounds)
        if state.bombs[row] != ZERO:
            fire, live, hits = explode(state.bombs, due_in(live, row), live, union(blocked, items), boxes)
            ahead |= hits_of(hits, player) << (rounds << THREE)
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
        rounds += ONE
    return ahead


@entry
def fill_forecast(state, map_, forecast):
    """Fill the Forecast: the explosions of each coming round if nobody acts."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = occupied(state.bombs)
    rounds = 0
    while live != ZERO:
        row = row_in(state, rounds)
        fire = NOTHING
        hits = ZERO
        write(forecast.blocked[rounds], blocked)
        if state.bombs[row] != ZERO:
            fire, live, hits = explode(state.bombs, due_in(live, row), live, union(blocked, items), boxes)
            blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
        write(forecast.fire[rounds], fire)
        forecast.hits[rounds] = hits
        rounds += 1
    forecast.rounds = rounds


@inline
def survivable_in(forecast):
    """From a Forecast, the cells from which a player can survive it, as three words (boxes included)."""
    safe = ALL_CELLS
    for k in range(forecast.rounds - 1, -1, -1):
        open_ = without(safe, read(forecast.blocked[k]))
        safe = without(union(safe, spread(open_)), read(forecast.fire[k]))
    return common(safe, ALL_CELLS)


@entry
def survivable_cells(state, map_, forecast):
    """All cells (but boxes) on which a player could be now and survive the known bombs."""
    fill_forecast(state, map_, forecast)
    return without(survivable_in(forecast), read(state.boxes))


@inline
def joint(player, action, rival, reply):
    """The actions of two players, everybody else staying, as `step` takes them."""
    return pack(player, action) | pack(rival, reply)


@inline
def escape_from(firsts, room, map_, victim, killer, reply, hint):
    """An answer (first * 10 + second action) that survives the killer's second action, or -1.

    `firsts` holds the states after each first action of the victim, dead where it isn't allowed. The answer that
    worked last time is tried first: it usually works again.
    """
    for turn in range(-1, ACTIONS * ACTIONS):
        answer = hint if turn < 0 else turn
        first, second = answer // ACTIONS, answer % ACTIONS
        if has_bit(legal_actions(firsts[first], victim), second):
            room[0] = firsts[first]
            play_round(room[0], map_, joint(victim, second, killer, reply))
            if is_survivable(room[0], map_, victim):
                return answer
    return -1


@entry
def is_lost_to(state, map_, victim, killer, victim_firsts, killer_firsts, killer_seconds, scratch):
    """Whether the killer has two actions, fixed in advance, that no two actions of the victim survive.

    Only actions of the given sets (ten bits) count. All others stay. Exhaustive. `scratch` holds
    KILL_SCRATCH states.
    """
    mine = legal_actions(state, victim) & victim_firsts
    replies = legal_actions(state, killer) & killer_firsts
    firsts, room = scratch[:ACTIONS], scratch[ACTIONS:]
    hint = 0
    for first_reply in range(ACTIONS):
        if not has_bit(replies, first_reply):
            continue
        for first in range(ACTIONS):
            firsts[first] = state
            if has_bit(mine, first):
                play_round(firsts[first], map_, joint(victim, first, killer, first_reply))
            else:
                firsts[first].players[victim] = 0
        for reply in range(ACTIONS):
            if not has_bit(killer_seconds, reply):
                continue
            hint = escape_from(firsts, room, map_, victim, killer, reply, hint)
            if hint < 0:
                return True
    return False


@entry
@inline
def is_lost(state, map_, victim, killer, victim_firsts, killer_firsts, scratch):
    """is_lost_to with any second action of the killer."""
    return is_lost_to(state, map_, victim, killer, victim_firsts, killer_firsts, ALL_ACTIONS, scratch)


@entry
@inline
def can_kill(state, map_, player, rival, scratch):
    """Whether the opponent can trap the player within two rounds, whatever the player does."""
    return is_lost(state, map_, player, rival, ALL_ACTIONS, ALL_ACTIONS, scratch)
