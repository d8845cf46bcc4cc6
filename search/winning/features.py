"""What a position says about how the game will end: a row of numbers per living player.

All of it is static: what the known bombs will do if nobody acts (the Forecast), what is left after them, who is near
it, who can get away. The race plays on from there, as crudely as can be: each player in turn walks to the bomb spot
that promises most.

Nothing depends on the order of the seats: what two players do at the same time they do on the same board.
"""

from typing import NamedTuple

import numpy as np

from engine.blast import blast, burn_away, hits_of
from engine.board import ONE, U64, ZERO, distance, lowest_bit
from engine.cells import (
    ALL_CELLS,
    NOTHING,
    common,
    count_cells,
    first_cell,
    flood,
    has,
    holds,
    is_empty,
    read,
    single,
    spread,
    union,
    without,
    write,
)
from engine.jit import inline, kernel
from engine.rules import BOMB, can_drop, pack, play_round
from engine.state import BYTE, FUSE, MAX_PLAYERS, STATE, bomb_in, cell_of, range_of, record, row_in, stock_of
from engine.survival import fill_forecast, new_forecast
from search.common.evaluate import placed_bombs

FEATURES = (
    "scored",  # boxes destroyed so far
    "claimed",  # boxes that the own bombs on the board will destroy
    "burns",  # 1: stands where a known bomb will burn
    "doomed",  # 1: the known bombs can't be survived
    "escapes",  # moves of this round after which the known bombs can be survived
    "forced",  # the fewest of those moves that are left if one rival drops a bomb now
    "range",
    "bombs",  # that the player can have on the board at once
    "stock",  # of them not on the board
    "room",  # cells that can be walked to within a fuse
    "nearer",  # boxes left that the player reaches first, shared evenly with those who reach them at the same time
    "closer",  # the same by the distance as if no box stood in the way
    "reach",  # boxes left within reach, less for each step
    "spot",  # what the best bomb spot hits, less for each step
    "range_items",  # within reach, less for each step
    "bomb_items",
    "rival",  # distance to the nearest other
    "race",  # boxes that the race brings
    "early",  # the same, less for each round until they are hit
    "left",  # boxes that the known bombs leave and bombs to come can still take: the same for all
)
(
    SCORED,
    CLAIMED,
    BURNS,
    DOOMED,
    ESCAPES,
    FORCED,
    RANGE,
    BOMBS,
    STOCK,
    ROOM,
    NEARER,
    CLOSER,
    REACH,
    SPOT,
    RANGE_ITEMS,
    BOMB_ITEMS,
    RIVAL,
    RACE,
    EARLY,
    LEFT,
) = range(len(FEATURES))

STEPS = 12  # that a player looks ahead for boxes, spots and items
FAR = 24  # as if no box stood in the way: any cell is nearer
RACE_STEPS = 8  # to the next bomb spot of the race
RACE_ROUNDS = 32
RACE_BOMBS = 16  # of all players together
LATER = 6  # rounds after which a player without a spot looks again
FADE = 0.9  # per step
LONGEST = 64
MOST_HITS = 4.0  # boxes that one bomb can hit
EIGHT, SIXTEEN = U64(8), U64(16)

# What is left once the known bombs have exploded, and the race on it.
PROSPECT = record(
    [
        ("blocked", np.uint64, 3),
        ("boxes", np.uint64, 3),
        ("items", np.uint64, 3),
        ("safe_next", np.uint64, 3),  # where the known bombs can be survived from the next round on
        ("reaches", np.uint64, (MAX_PLAYERS, 3)),
        ("time", np.int64, MAX_PLAYERS),  # of the race: when a player chooses the next spot
        ("cell", np.uint64, MAX_PLAYERS),
        ("stock", np.int64, MAX_PLAYERS),
        ("returns", np.uint64, MAX_PLAYERS),  # bit t: a bomb comes back in round t
        ("hit", np.uint64, 3),
        ("fade", np.float64, LONGEST),
    ]
)


class FeatureMemory(NamedTuple):
    """What the features are worked out in."""

    forecast: np.record
    prospect: np.record
    states: np.ndarray  # room for a state
    features: np.ndarray  # [player, feature]


def new_feature_memory() -> FeatureMemory:
    prospect = np.zeros(1, PROSPECT)[0]
    factor = 1.0
    for steps in range(LONGEST):  # by products, not by a power: the same on any machine
        prospect["fade"][steps] = factor
        factor *= FADE
    return FeatureMemory(new_forecast(), prospect, np.zeros(1, STATE), np.zeros((MAX_PLAYERS, len(FEATURES))))


@inline
def fill_safe(forecast, prospect):
    """The cells from which the known bombs can be survived now; those of the next round are kept in the prospect."""
    safe = ALL_CELLS
    write(prospect.safe_next, safe)
    for k in range(forecast.rounds - 1, -1, -1):
        write(prospect.safe_next, safe)
        open_ = without(safe, read(forecast.blocked[k]))
        safe = common(without(union(safe, spread(open_)), read(forecast.fire[k])), ALL_CELLS)
    return safe


@inline
def fill_prospect(state, map_, forecast, prospect):
    """What the known bombs leave; returns all that burns."""
    blocked, boxes, items, fires = read(state.blocked), read(state.boxes), read(state.items), NOTHING
    for k in range(forecast.rounds):
        fire = read(forecast.fire[k])
        fires = union(fires, fire)
        blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    write(prospect.blocked, blocked)
    write(prospect.boxes, boxes)
    write(prospect.items, items)
    return fires


@inline
def moves_of(state, player):
    """Where the player can be after this round."""
    return flood(single(cell_of(state.players[player])), read(state.blocked))


@inline
def is_burning(state, player, forecast):
    """Whether the player dies in this round."""
    return forecast.rounds > 0 and has(forecast.fire[0], cell_of(state.players[player]))


@inline
def fill_own(state, memory, safe, fires, left):
    """What concerns one player at a time."""
    forecast, features = memory.forecast, memory.features
    for player in range(MAX_PLAYERS):
        row, me = features[player], U64(state.players[player])
        row[:] = 0.0
        row[SCORED] = state.scored[player]
        for k in range(forecast.rounds):
            row[CLAIMED] += np.float64(hits_of(forecast.hits[k], player))
        if me == ZERO:
            continue
        cell = cell_of(me)
        row[LEFT] = left
        row[BURNS] = holds(fires, cell)
        row[DOOMED] = not holds(safe, cell)
        if not is_burning(state, player, forecast):
            row[ESCAPES] = count_cells(common(moves_of(state, player), read(memory.prospect.safe_next)))
        row[FORCED] = row[ESCAPES]
        row[RANGE] = np.float64(range_of(me))
        row[STOCK] = np.float64(stock_of(me))
        row[BOMBS] = row[STOCK] + np.float64(placed_bombs(state, player))
        reach = single(cell)
        for _ in range(FUSE):
            reach = flood(reach, read(state.blocked))
        row[ROOM] = count_cells(reach)


@kernel
def fill_forced(state, map_, rounds_left, memory):
    """The moves that each player is left if one other drops a bomb now."""
    room, prospect = memory.states[0], memory.prospect
    for rival in range(MAX_PLAYERS):
        me = U64(state.players[rival])
        if me == ZERO or can_drop(state, me) == ZERO:
            continue
        memory.states[0] = state
        play_round(room, map_, pack(rival, BOMB))
        fill_forecast(room, map_, memory.forecast)
        memory.forecast.rounds = min(memory.forecast.rounds, rounds_left - 1)
        safe = fill_safe(memory.forecast, prospect)
        for player in range(MAX_PLAYERS):
            row = memory.features[player]
            if player != rival and row[FORCED] > 0.0:
                left = np.float64(count_cells(common(moves_of(state, player), safe)))
                row[FORCED] = min(row[FORCED], left)


@inline
def share_boxes(state, memory, feature, steps, is_open):
    """Give each box left to those who reach it first; `is_open`: boxes are in nobody's way."""
    prospect, features = memory.prospect, memory.features
    left, blocked = read(prospect.boxes), NOTHING if is_open else read(prospect.blocked)
    for player in range(MAX_PLAYERS):
        me = U64(state.players[player])
        write(prospect.reaches[player], NOTHING if me == ZERO else single(cell_of(me)))
    for _ in range(steps):
        once, twice, thrice, four = NOTHING, NOTHING, NOTHING, NOTHING
        for player in range(MAX_PLAYERS):
            touched = common(spread(read(prospect.reaches[player])), left)
            four = union(four, common(thrice, touched))
            thrice = union(thrice, common(twice, touched))
            twice = union(twice, common(once, touched))
            once = union(once, touched)
        for player in range(MAX_PLAYERS):
            reach = read(prospect.reaches[player])
            touched = common(spread(reach), left)
            if not is_empty(touched):
                alone, two = count_cells(without(touched, twice)), count_cells(without(touched, thrice))
                three, all_ = count_cells(without(touched, four)), count_cells(touched)
                features[player, feature] += alone + (two - alone) / 2.0 + (three - two) / 3.0 + (all_ - three) / 4.0
            write(prospect.reaches[player], common(flood(reach, blocked), ALL_CELLS))
        left = without(left, once)
        if is_empty(left):
            break


@inline
def fill_reach(state, map_, memory):
    """What each player has within reach on the board that the known bombs leave."""
    prospect = memory.prospect
    blocked, items, boxes = read(prospect.blocked), read(prospect.items), read(prospect.boxes)
    obstacles = union(blocked, items)
    ranges, bombs = common(items, read(map_.range_items)), common(items, read(map_.bomb_items))
    for player in range(MAX_PLAYERS):
        me, row = U64(state.players[player]), memory.features[player]
        if me == ZERO:
            continue
        done, reach = NOTHING, single(cell_of(me))
        seen = NOTHING
        for step in range(STEPS):
            fresh, factor = without(reach, done), prospect.fade[step]
            if is_empty(fresh):
                break
            touched = common(spread(fresh), without(boxes, seen))
            seen = union(seen, touched)
            row[REACH] += factor * count_cells(touched)
            row[RANGE_ITEMS] += factor * count_cells(common(fresh, ranges))
            row[BOMB_ITEMS] += factor * count_cells(common(fresh, bombs))
            best = best_spot(fresh, range_of(me), obstacles, boxes)
            row[SPOT] = max(row[SPOT], factor * np.float64(best & BYTE))
            done = reach
            reach = flood(reach, blocked)


@inline
def best_spot(cells, bomb_range, obstacles, boxes):
    """The cell on which a bomb would hit most of the boxes, and how many: cell * 256 + boxes."""
    best = ZERO
    while not is_empty(cells):
        cell = first_cell(cells)
        cells = without(cells, single(cell))
        hits = U64(count_cells(common(blast(cell, bomb_range, obstacles), boxes)))
        if hits > best & BYTE:
            best = cell << EIGHT | hits
    return best


@inline
def start_race(state, prospect):
    for player in range(MAX_PLAYERS):
        me = U64(state.players[player])
        prospect.time[player] = 0 if me != ZERO else RACE_ROUNDS
        prospect.cell[player] = cell_of(me)
        prospect.stock[player] = stock_of(me)
        prospect.returns[player] = ZERO
        for k in range(FUSE):
            if bomb_in(state.bombs[row_in(state, k)], player) != ZERO:
                prospect.returns[player] |= ONE << U64(k + 1)


@inline
def take_back(prospect, player, now):
    """Bombs that have come back to the player by now; returns the rounds until the next, if there is none to drop."""
    back = prospect.returns[player] & ((ONE << U64(now + 1)) - ONE)
    while back != ZERO:
        prospect.stock[player] += 1
        back &= back - ONE
    prospect.returns[player] &= ~((ONE << U64(now + 1)) - ONE)
    if prospect.stock[player] > 0:
        return 0
    return np.int64(lowest_bit(prospect.returns[player])) - now if prospect.returns[player] != ZERO else RACE_ROUNDS


@inline
def choose_spot(prospect, player, bomb_range, wait, obstacles, boxes):
    """The spot that promises most: steps * 65536 + cell * 256 + boxes; 0 if there is none."""
    chosen, most, done, reach = ZERO, 0.0, NOTHING, single(prospect.cell[player])
    for step in range(RACE_STEPS + 1):
        factor = prospect.fade[max(step, wait)]
        if factor * MOST_HITS <= most:
            break
        best = best_spot(without(reach, done), bomb_range, obstacles, boxes)
        if factor * np.float64(best & BYTE) > most:
            most = factor * np.float64(best & BYTE)
            chosen = U64(max(step, wait)) << SIXTEEN | best
        done = reach
        reach = common(flood(reach, boxes), ALL_CELLS)
    return chosen


@kernel
def fill_race(state, memory, rounds_left):
    """Boxes that each player gets if all go on from spot to spot, on the board that the known bombs leave."""
    prospect, features = memory.prospect, memory.features
    boxes, items = read(prospect.boxes), read(prospect.items)
    start_race(state, prospect)
    dropped = 0
    for now in range(min(RACE_ROUNDS, rounds_left - FUSE)):
        if is_empty(boxes) or dropped >= RACE_BOMBS:
            break
        hit = NOTHING
        for player in range(MAX_PLAYERS):
            if prospect.time[player] != now:
                continue
            wait = take_back(prospect, player, now)
            if wait > FUSE:
                prospect.time[player] = RACE_ROUNDS
                continue
            bomb_range = range_of(state.players[player])
            chosen = choose_spot(prospect, player, bomb_range, wait, union(boxes, items), boxes)
            if chosen == ZERO:
                prospect.time[player] = now + LATER
                continue
            drop = now + np.int64(chosen >> SIXTEEN)
            cell = chosen >> EIGHT & BYTE
            fire = common(blast(cell, bomb_range, union(boxes, items)), boxes)
            features[player, RACE] += np.float64(chosen & BYTE)
            features[player, EARLY] += prospect.fade[drop] * np.float64(chosen & BYTE)
            hit = union(hit, fire)
            dropped += 1
            prospect.cell[player] = cell
            prospect.stock[player] -= 1
            prospect.returns[player] |= ONE << U64(drop + FUSE)
            prospect.time[player] = drop + 1
        boxes = without(boxes, hit)


@inline
def fill_distances(state, features):
    for player in range(MAX_PLAYERS):
        nearest = FAR
        if state.players[player] == 0:
            continue
        for other in range(MAX_PLAYERS):
            if other != player and state.players[other] != 0:
                between = distance(cell_of(state.players[player]), cell_of(state.players[other]))
                nearest = min(nearest, between)
        features[player, RIVAL] = nearest


@kernel
def fill_features(state, map_, rounds_left, memory):
    """Fill in the features of all players; the dead have only boxes. `rounds_left`: rounds until the game ends."""
    forecast = memory.forecast
    fill_forecast(state, map_, forecast)
    forecast.rounds = min(forecast.rounds, rounds_left)
    safe = fill_safe(forecast, memory.prospect)
    fires = fill_prospect(state, map_, forecast, memory.prospect)
    left = min(count_cells(read(memory.prospect.boxes)), max(0, rounds_left - FUSE))
    fill_own(state, memory, safe, fires, left)
    fill_distances(state, memory.features)
    share_boxes(state, memory, NEARER, STEPS, False)
    share_boxes(state, memory, CLOSER, FAR, True)
    fill_reach(state, map_, memory)
    fill_race(state, memory, rounds_left)
    fill_forced(state, map_, rounds_left, memory)
