"""Goal after goal, depth first: walk to one, drop its bomb, look for the next from there."""

from typing import NamedTuple

import numpy as np

from engine.blast import blast
from engine.board import NEIGHBOURS, OPEN_CELLS, U64, ZERO, cell_number, distance, has_bit
from engine.cells import NOTHING, common, count_cells, flood, has, read, single, union, without, write
from engine.jit import entry, inline, kernel
from engine.rules import BOMB, legal_actions, pack, play_round
from engine.state import FUSE, STATE, bomb_in, cell_of, range_of, record, stock_of
from engine.survival import FORECAST, fill_forecast, is_survivable
from search.common.evaluate import owned_bombs
from search.seeker.params import SeekerParams

# The way to a goal: A* over cells and rounds.
#
# A step is a round, so a way costs its rounds, and the Manhattan distance never overestimates it. The known
# fires make it more than a matter of cells: one may be deadly in a round and free in the next, and waiting is a step
# too.


NO_WAY = -1
CELL_BITS, ROUND_BITS = 8, 6
CELL, ROUND = (1 << CELL_BITS) - 1, (1 << ROUND_BITS) - 1
LONGEST = ROUND  # rounds of a way


class Ways(NamedTuple):
    """The memory of a search for a way."""

    forecasts: np.ndarray  # [1], the explosions of the known bombs
    blocked: np.ndarray  # [FUSE + 1, 3], for moves of that round; the last when all is over
    queue: np.ndarray  # a binary heap of (cost << 14 | rounds left << 8 | cell)
    came: np.ndarray  # [round, cell], the move that led there + 1, 0 = none did
    moves: np.ndarray  # [round], the way that was found


def make_ways() -> Ways:
    return Ways(
        forecasts=np.zeros(1, FORECAST),
        blocked=np.zeros((FUSE + 1, 3), np.uint64),
        queue=np.zeros((LONGEST + 1) * len(OPEN_CELLS) + 1, np.int64),
        came=np.zeros((LONGEST + 1, 256), np.uint8),
        moves=np.zeros(LONGEST + 1, np.int64),
    )


@inline
def look_ahead(ways, state, map_):
    """Foresee the fires and the blocked cells of each round."""
    forecast = ways.forecasts[0]
    fill_forecast(state, map_, forecast)
    for k in range(forecast.rounds):
        write(ways.blocked[k], read(forecast.blocked[k]))
    last = forecast.rounds
    if last == 0:
        write(ways.blocked[0], read(state.blocked))
    else:
        write(ways.blocked[last], without(read(forecast.blocked[last - 1]), read(forecast.fire[last - 1])))


@inline
def burns(ways, cell, rounds):
    """Whether a player on the cell burns in that round."""
    forecast = ways.forecasts[0]
    return rounds < forecast.rounds and has(forecast.fire[rounds], cell)


@inline
def push(queue, size, key):
    """Add a key to the heap; returns its new size."""
    at = size
    while at > 0 and queue[(at - 1) >> 1] > key:
        queue[at] = queue[(at - 1) >> 1]
        at = (at - 1) >> 1
    queue[at] = key
    return size + 1


@inline
def drop_first(queue, size):
    """Take the smallest key, which is the first, off the heap; returns its new size."""
    size -= 1
    key, at = queue[size], 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and queue[below + 1] < queue[below]:
            below += 1
        if queue[below] >= key:
            break
        queue[at] = queue[below]
        at = below
    queue[at] = key
    return size


@inline
def key_of(cell, goal, rounds):
    """Least cost first; then nearest to the goal."""
    cost = rounds + distance(cell, goal)
    return (cost << (CELL_BITS + ROUND_BITS)) | ((LONGEST - rounds) << CELL_BITS) | np.int64(cell)


@kernel
def find_way(ways, start, goal, not_before, longest):
    """Fill ways.moves with a shortest way that is on the goal in round `not_before` or later, at most `longest`.

    Returns its rounds, or NO_WAY, and how many positions it looked at.
    """
    ways.came[: longest + 1] = 0
    ways.came[0, start] = 1
    size, looked = push(ways.queue, 0, key_of(start, goal, 0)), 0
    while size > 0:
        first = ways.queue[0]
        size = drop_first(ways.queue, size)
        cell, rounds = U64(first & CELL), LONGEST - ((first >> CELL_BITS) & ROUND)
        if burns(ways, cell, rounds):
            continue
        if cell == goal and rounds >= not_before:
            trace_back(ways, cell, rounds)
            return rounds, looked
        if rounds == longest:
            continue
        blocked = ways.blocked[min(rounds, ways.forecasts[0].rounds)]
        for move in range(BOMB):
            to = U64(NEIGHBOURS[cell, move])
            if (move == 0 or not has(blocked, to)) and ways.came[rounds + 1, to] == 0:
                ways.came[rounds + 1, to] = move + 1
                size = push(ways.queue, size, key_of(to, goal, rounds + 1))
                looked += 1
    return NO_WAY, looked


@inline
def trace_back(ways, cell, rounds):
    """Fill in the moves that led to a cell in a round."""
    for k in range(rounds, 0, -1):
        move = ways.came[k, cell] - 1
        ways.moves[k - 1] = move
        if move != 0:  # left and right, up and down undo each other
            cell = U64(NEIGHBOURS[cell, ((move - 1) ^ 1) + 1])


# The goals in a state and their worth.


CELL_NUMBERS = np.array([cell_number(x, y) for x, y in OPEN_CELLS], np.uint64)
FEW_BOMBS = 2
NOW, NEVER = 0, 99

WORTH = record([(name, np.float64) for name in ("box", "hidden", "bomb", "spare", "range_", "decay")])


class Goals(NamedTuple):
    """The goals of each state of a plan, best first."""

    cell: np.ndarray  # [level, goal]
    worth: np.ndarray  # [level, goal], once reached
    promise: np.ndarray  # [level, goal], the same, less for each step to it
    drops: np.ndarray  # [level, goal], whether a bomb is to be dropped there
    found: np.ndarray  # [level], how many
    tried: np.ndarray  # [level]


def make_goals(levels: int, most: int) -> Goals:
    shape = (levels, most)
    return Goals(
        cell=np.zeros(shape, np.uint64),
        worth=np.zeros(shape),
        promise=np.zeros(shape),
        drops=np.zeros(shape, np.bool_),
        found=np.zeros(levels, np.int64),
        tried=np.zeros(levels, np.int64),
    )


def make_worth(params: SeekerParams) -> np.record:
    worth = np.zeros(1, WORTH)[0]
    for name in WORTH.names or ():
        worth[name] = getattr(params, name.rstrip("_"))
    return worth


@inline
def bomb_worth(state, map_, cell, bomb_range, unclaimed, worth):
    """The worth of a bomb on the cell: boxes that no known bomb will destroy, more if they hold a bomb item."""
    obstacles = union(read(state.blocked), read(state.items))
    hit = common(blast(cell, bomb_range, obstacles), unclaimed)
    return worth.box * count_cells(hit) + worth.hidden * count_cells(common(hit, read(map_.bomb_items)))


@inline
def item_worth(state, map_, player, cell, worth):
    """The worth of the item on the cell."""
    if has(map_.range_items, cell):
        return worth.range_
    return worth.bomb if owned_bombs(state, player) < FEW_BOMBS else worth.spare


@inline
def insert_goal(goals, level, cell, worth, promise, drops):
    """Keep the goal among the best of its state, in order."""
    most = goals.cell.shape[1]
    at = goals.found[level]
    if at == most:
        if promise <= goals.promise[level, most - 1]:
            return
        at = most - 1
    else:
        goals.found[level] += 1
    while at > 0 and goals.promise[level, at - 1] < promise:
        goals.cell[level, at], goals.worth[level, at] = goals.cell[level, at - 1], goals.worth[level, at - 1]
        goals.promise[level, at], goals.drops[level, at] = goals.promise[level, at - 1], goals.drops[level, at - 1]
        at -= 1
    goals.cell[level, at], goals.worth[level, at] = cell, worth
    goals.promise[level, at], goals.drops[level, at] = promise, drops


@inline
def list_goals(goals, ways, level, state, map_, player, worth, horizon):
    """Fill in the goals of a state, whose fires are known already: of the cells that can be walked to when all is over.

    A goal's promise depends on the steps to it, ignoring fires.
    """
    forecast, me = ways.forecasts[0], state.players[player]
    unclaimed = read(state.boxes)
    for k in range(forecast.rounds):
        unclaimed = without(unclaimed, read(forecast.fire[k]))
    goals.found[level], goals.tried[level] = 0, 0
    reach, found, factor = single(cell_of(me)), NOTHING, 1.0
    for _ in range(horizon + 1):
        for k in range(CELL_NUMBERS.size):
            cell = CELL_NUMBERS[k]
            if not has(reach, cell) or has(found, cell) or has(state.boxes, cell):
                continue
            there = bomb_worth(state, map_, cell, range_of(me), unclaimed, worth)
            drops = there > 0.0
            if has(state.items, cell):
                there += item_worth(state, map_, player, cell, worth)
            if there > 0.0:
                insert_goal(goals, level, cell, there, factor * there, drops)
        found, factor = reach, factor * worth.decay
        reach = flood(reach, read(ways.blocked[forecast.rounds]))
        if found == reach:
            break


@inline
def next_bomb(ways, state, player):
    """From which round on the player has a bomb to drop: NOW, after one of theirs has exploded, or NEVER."""
    if stock_of(state.players[player]) != ZERO:
        return NOW
    soonest = NEVER
    for row in range(state.bombs.size):
        bomb = bomb_in(state.bombs[row], player)
        if bomb != ZERO:
            for k in range(ways.forecasts[0].rounds):
                if burns(ways, cell_of(bomb), k):
                    soonest = min(soonest, k + 1)
                    break
    return soonest


NO_VALUE = -1.0


class Plans(NamedTuple):
    """The plan under way: a level is a goal."""

    states: np.ndarray  # [level]
    rounds: np.ndarray  # [level], since the root
    value: np.ndarray  # [level], of the goals so far
    line: np.ndarray  # [round], the actions so far
    best: np.ndarray  # [round], those of the best plan
    goals: Goals
    ways: Ways
    other_actions: np.ndarray  # [round], packed, of the other players


SEEKING = record(
    [
        ("player", np.int64),
        ("nodes", np.int64),  # positions that A* looked at, and calls of step
        ("horizon", np.int64),
        ("level", np.int64),
        ("branch", np.int64),  # goals of a state that are tried
        ("was_cut", np.bool_),  # whether a state had more
        ("roots", np.uint64),  # first actions that may be tried, ten bits
        ("best_value", np.float64),
        ("best_rounds", np.int64),
        ("finished", np.bool_),
    ]
)


def make_plans(horizon: int, most: int, other_actions: np.ndarray) -> Plans:
    levels = horizon + 2  # each goal takes a round or more
    return Plans(
        states=np.zeros(levels, STATE),
        rounds=np.zeros(levels, np.int64),
        value=np.zeros(levels),
        line=np.zeros(LONGEST + 1, np.int64),
        best=np.zeros(LONGEST + 1, np.int64),
        goals=make_goals(levels, most),
        ways=make_ways(),
        other_actions=other_actions,
    )


@inline
def play(plans, seeking, map_, level, rounds, action):
    """One more round of the way to the state of a level; whether the player can still survive."""
    state, player = plans.states[level], seeking.player
    if not has_bit(legal_actions(state, player), action):
        return False
    play_round(state, map_, plans.other_actions[rounds] | pack(player, action))
    plans.line[rounds] = action
    seeking.nodes += 1
    return is_survivable(state, map_, player)


@inline
def walk(plans, seeking, map_, level, steps, drops):
    """Make the state of the level below: the way that was found, then the bomb. Whether that can be done."""
    below, rounds = level + 1, plans.rounds[level]
    plans.states[below] = plans.states[level]
    for k in range(steps):
        if not play(plans, seeking, map_, below, rounds + k, plans.ways.moves[k]):
            return False
    plans.rounds[below] = rounds + steps
    if drops:
        plans.rounds[below] += 1
        return play(plans, seeking, map_, below, rounds + steps, BOMB)
    return True


@inline
def try_goal(plans, seeking, map_, worth, level):
    """Go for the next goal of a level; whether there is a state below it now."""
    goals, state = plans.goals, plans.states[level]
    at = goals.tried[level]
    goals.tried[level] += 1
    drops, rounds = goals.drops[level, at], plans.rounds[level]
    ready = next_bomb(plans.ways, state, seeking.player) if drops else NOW
    longest = seeking.horizon - rounds - np.int64(drops)
    if ready == NEVER or longest < ready:
        return False
    home = cell_of(state.players[seeking.player])
    steps, looked = find_way(plans.ways, home, goals.cell[level, at], ready, longest)
    seeking.nodes += looked
    if steps == NO_WAY or not walk(plans, seeking, map_, level, steps, drops):
        return False
    if not has_bit(seeking.roots, plans.line[0]) or plans.rounds[level + 1] == rounds:
        return False
    gain = goals.worth[level, at]
    for _ in range(plans.rounds[level + 1]):
        gain *= worth.decay
    plans.value[level + 1] = plans.value[level] + gain
    return True


@inline
def note_best(plans, seeking, level):
    """Remember the plan if it is the best so far."""
    if plans.value[level] > seeking.best_value:
        seeking.best_value = plans.value[level]
        seeking.best_rounds = plans.rounds[level]
        for k in range(seeking.best_rounds):
            plans.best[k] = plans.line[k]


@entry
def begin(plans, seeking, state, map_, worth, roots):
    """Start afresh from a state; `roots` are the first actions to try, 0 = all."""
    plans.states[0] = state
    plans.rounds[0], plans.value[0] = 0, 0.0
    seeking.nodes, seeking.level, seeking.branch = 0, 0, 1
    seeking.was_cut = False
    seeking.roots = roots if roots != ZERO else ~ZERO
    seeking.best_value, seeking.best_rounds = NO_VALUE, 0
    seeking.finished = seeking.horizon == 0
    look_ahead(plans.ways, state, map_)
    list_goals(plans.goals, plans.ways, 0, state, map_, seeking.player, worth, seeking.horizon)


@inline
def go_back(plans, seeking, map_):
    """The goals of a level are done: on with those of the level above, or once more from the root with more of each."""
    level = seeking.level
    if level > 0:
        seeking.level -= 1
    else:
        seeking.finished = not seeking.was_cut
        seeking.branch += 1
        seeking.was_cut = False
        plans.goals.tried[0] = 0
    look_ahead(plans.ways, plans.states[seeking.level], map_)


@inline
def go_on(plans, seeking, map_, worth):
    """The next goal of a search that isn't finished, or back to the level above."""
    goals, level = plans.goals, seeking.level
    count, tried = goals.found[level], goals.tried[level]
    if tried == min(count, seeking.branch):
        seeking.was_cut |= tried < count
        go_back(plans, seeking, map_)
    elif try_goal(plans, seeking, map_, worth, level):
        note_best(plans, seeking, level + 1)
        seeking.level += 1
        look_ahead(plans.ways, plans.states[level + 1], map_)
        left = seeking.horizon - plans.rounds[level + 1]
        list_goals(goals, plans.ways, level + 1, plans.states[level + 1], map_, seeking.player, worth, left)


@entry
def advance(plans, seeking, map_, worth, limit):
    """Try plans until all are tried or `limit` nodes are spent (checked before each goal)."""
    while not seeking.finished and seeking.nodes < limit:
        go_on(plans, seeking, map_, worth)


@entry
def advance_once(plans, seeking, map_, worth):
    """One goal, for callers that look at each of them."""
    go_on(plans, seeking, map_, worth)
