"""The agent `simple`: the action of highest value."""

import numpy as np

from engine.blast import blast
from engine.board import ONE, OPEN_CELLS, U64, ZERO, cell_number, has_bit
from engine.cells import NOTHING, common, count_cells, flood, has, is_empty, read, single, union, without
from engine.compile.plain import plainly
from engine.instructions import occupied
from engine.jit import entry, inline, kernel
from engine.random import next_random
from engine.rules import ACTIONS, BOMB, legal_actions, pack, play_round
from engine.state import FUSE, STATE, cell_of, pack_player, range_of
from engine.survival import fill_forecast, is_survivable, new_forecast
from search.agent import Agent, Budget, Decision
from search.simple.params import SimpleParams

# How `simple` values cells and actions: boxes to bomb, items to fetch, the way there, a way out.


CELL_NUMBERS = np.array([cell_number(x, y) for x, y in OPEN_CELLS], np.uint64)
HORIZON = 24  # steps looked ahead for something worth going to
NO_VALUE = -1.0
TRIED = 1 << 12  # positions that a way out remembers
DEADLY, DOUBTFUL, USELESS = 0.5, 0.375, 0.25  # of it: no way out, one over items, a bomb for nothing


@inline
def boxes_hit(state, cell, bomb_range, unclaimed):
    """How many of the boxes that no known bomb will destroy a bomb on the cell would hit."""
    obstacles = union(read(state.blocked), read(state.items))
    return count_cells(common(blast(cell, bomb_range, obstacles), unclaimed))


@kernel
def finds_way_out(path, moves, tried, map_, player):
    """Whether moves exist that survive all known bombs, others staying. path[0] is the position to leave.

    Exact where `is_survivable` is not: the player takes the items on its way, and they stop no fire any more.
    """
    tried[0] += ONE  # a new search: earlier marks are void
    depth = 0
    moves[0] = 0
    while depth >= 0:
        state = path[depth]
        move = moves[depth]
        moves[depth] += 1
        if move == 0:
            if state.players[player] == ZERO or was_tried(state, tried, depth, player):
                depth -= 1
                continue
            if occupied(state.bombs) == ZERO:
                return True
        if move == BOMB:
            depth -= 1
        elif has_bit(legal_actions(state, player), move):
            path[depth + 1] = state
            play_round(path[depth + 1], map_, pack(player, move))
            moves[depth + 1] = 0
            depth += 1
    return False


@inline
def was_tried(state, tried, depth, player):
    """Whether this search was here before: on this cell, in this round, with these items left."""
    key = tried[0] << U64(16) ^ U64(depth) << U64(8) ^ U64(cell_of(state.players[player]))
    for k in range(3):
        key = next_random(key ^ U64(state.items[k]))
    slot = 1 + key % U64(tried.size - 1)
    if tried[slot] == key:
        return True
    tried[slot] = key
    return False


@inline
def can_bomb_from(states, map_, player, cell):
    """Whether the player, on the cell with a bomb now, could drop it there and get away."""
    after = states[1]
    states[1] = states[0]
    after.players[player] = pack_player(cell, range_of(after.players[player]), 1)
    play_round(after, map_, pack(player, BOMB))
    return is_survivable(after, map_, player)


@inline
def weigh_cells(states, map_, player, unclaimed, box, item, worth):
    """worth[cell] of every cell; returns the set of those above 0."""
    state = states[0]
    bomb_range = range_of(state.players[player])
    some = NOTHING
    for k in range(CELL_NUMBERS.size):
        cell = CELL_NUMBERS[k]
        worth[cell] = box * boxes_hit(state, cell, bomb_range, unclaimed)
        if worth[cell] > 0.0 and (has(state.blocked, cell) or not can_bomb_from(states, map_, player, cell)):
            worth[cell] = 0.0
        if has(state.items, cell):
            worth[cell] = max(worth[cell], item)
        if worth[cell] > 0.0:
            some = union(some, single(cell))
    return some


@inline
def best_of(cells, worth):
    """The highest worth in a set."""
    best = 0.0
    for k in range(CELL_NUMBERS.size):
        cell = CELL_NUMBERS[k]
        if has(cells, cell) and worth[cell] > best:
            best = worth[cell]
    return best


@inline
def best_reachable(state, cell, some, worth, decay):
    """The best worth that can be walked to from the cell, discounted per step."""
    reach = single(cell)
    best, factor = 0.0, 1.0
    left = some
    for _ in range(HORIZON):
        found = common(reach, left)
        if not is_empty(found):
            best = max(best, factor * best_of(found, worth))
            left = without(left, found)
        factor *= decay
        reach = flood(reach, read(state.blocked))
    return best


@inline
def judge_actions(states, path, moves, tried, map_, player, sure, values):
    """Fill values[action]: NO_VALUE for illegal ones, below 0 for deadly ones, else 0. Returns how many are legal."""
    state = states[0]
    legal = legal_actions(state, player)
    nodes = 0
    for action in range(ACTIONS):
        values[action] = NO_VALUE
        if has_bit(legal, action):
            path[0] = state
            play_round(path[0], map_, pack(player, action))
            nodes += 1
            lives = is_survivable(path[0], map_, player)
            values[action] = 0.0 if lives else NO_VALUE * DEADLY
            if sure:
                doubt = NO_VALUE * (DOUBTFUL if lives else DEADLY)
                values[action] = 0.0 if finds_way_out(path, moves, tried, map_, player) else doubt
    return nodes


@inline
def can_drop(values):
    """Whether some way to drop a bomb now can be survived."""
    some = False
    for action in range(BOMB, ACTIONS):
        some |= values[action] == 0.0
    return some


@entry
def value_actions(states, path, moves, tried, map_, player, box, item, decay, sure, forecast, worth, values):
    """Fill values[action] (NO_VALUE for illegal, below 0 for deadly ones). states[0] is given, the rest is scratch."""
    state, after = states[0], states[1]
    me = U64(state.players[player])
    fill_forecast(state, map_, forecast)
    unclaimed = read(state.boxes)
    for k in range(forecast.rounds):
        unclaimed = without(unclaimed, read(forecast.fire[k]))
    some = weigh_cells(states, map_, player, unclaimed, box, item, worth)
    nodes = judge_actions(states, path, moves, tried, map_, player, sure, values)
    if sure and values[BOMB] != NO_VALUE and not can_drop(values):
        worth[cell_of(me)] = 0.0  # don't wait here for a bomb that can't be dropped
    for action in range(ACTIONS):
        if values[action] != 0.0:
            continue
        states[1] = state
        play_round(after, map_, pack(player, action))
        cell = cell_of(after.players[player])
        drops = action >= BOMB
        hits = boxes_hit(state, cell_of(me), range_of(me), unclaimed) if drops else 0
        if drops and hits == 0:
            values[action] = NO_VALUE * USELESS
            continue
        taken = item if has(state.items, cell) and cell != cell_of(me) else 0.0
        values[action] = box * hits + taken + decay * best_reachable(after, cell, some, worth, decay)
    return nodes


class SimpleAgent(Agent):
    largest_piece = ACTIONS  # all of them at once

    def __init__(self, params: SimpleParams) -> None:
        super().__init__(params)
        self.weights = (params.box, params.item, params.decay, params.sure)
        self.value_actions = value_actions
        self.states = np.zeros(2, STATE)
        self.path = np.zeros(2 + FUSE, STATE)  # [round]
        self.moves = np.zeros(2 + FUSE, np.int64)  # [round]
        self.tried = np.zeros(TRIED, np.uint64)
        self.forecast = new_forecast()
        self.worth = np.zeros(256)  # [cell]
        self.values = np.zeros(ACTIONS)

    def decide(self, state: np.record, player: int, budget: Budget) -> Decision:
        self.states[0] = state
        scratch = (self.states, self.path, self.moves, self.tried)
        nodes = self.value_actions(*scratch, self.map, player, *self.weights, self.forecast, self.worth, self.values)
        action = int(self.values.argmax())
        return Decision(action, (action,), float(self.values[action]), nodes, {"actions": nodes}, 1)

    def play_plainly(self) -> bool:
        """It takes about 20 ms."""
        self.value_actions = plainly(value_actions)
        return True
