"""The state machine of algorithm 1: Evade, else Attack, else Explore, and the rules of each.

    Evade     a dangerous bomb around reaches the cell of any of the five moves: to the nearest cell that no dangerous
              bomb reaches; search if the first step stays in reach, or if there is no such cell
    Attack    a bomb is left and an opponent is within 6: walk there; within 4 search (by rules: bomb when adjacent)
    Explore   to the nearest item or cell whose bomb hits a box that no other does; bomb there; else to the cell
              visited least

A bomb is dropped only where the no-suicide rule allows it, and together with the first step away from it.
"""

from typing import NamedTuple

import numpy as np

from engine.blast import blast
from engine.board import (
    CELLS,
    HEIGHT,
    NEIGHBOURS,
    ONE,
    OPEN_CELLS,
    PADDING_A,
    PADDING_H,
    PADDING_V,
    U64,
    WIDTH,
    ZERO,
    cell_number,
    distance,
    has_bit,
    words_of,
)
from engine.cells import (
    ALL_CELLS,
    NOTHING,
    common,
    flood,
    has,
    is_empty,
    read,
    single,
    union,
    with_two_neighbours,
    without,
    write,
)
from engine.jit import entry, inline, kernel
from engine.rules import BOMB, FIVE, can_drop, legal_actions, legal_moves
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS, bomb_in, cell_of, range_of, record, stock_of
from engine.survival import FORECAST, fill_forecast
from search.hybrid.params import HybridParams

# Ways over the board: the first step of a shortest way to the nearest of many goals.
#
# Every step costs one, so Dijkstra's frontier is a set of cells and the queue a series of waves. They run from the
# goals, all at once, until one reaches the player; the wave before it gives the step:
#
#     3 2 1 G        the player on 3 is three steps from the nearest goal G,
#     4 # 2 1        and the first step is to the 2 next to it


NO_WAY = -1


@inline
def free_cells(blocked):
    """The cells that players can walk on."""
    return without(ALL_CELLS, blocked)


@kernel
def first_step(cell, goals, blocked):
    """(move, steps) of a shortest way from the cell to the nearest goal; (0, 0) on one, NO_WAY twice if there is none.

    A goal may be blocked itself (a player on a bomb); then the last step is impossible.
    """
    before, reach = goals, goals
    blocked = without(blocked, single(cell))  # the player may be on a bomb
    steps = 0
    while not has(reach, cell):
        before, reach = reach, flood(reach, blocked)
        steps += 1
        if before == reach:
            return NO_WAY, NO_WAY
    if steps == 0:
        return 0, 0
    for move in range(1, 5):
        if has(before, U64(NEIGHBOURS[cell, move])):
            return move, steps
    return NO_WAY, NO_WAY


@kernel
def reachable(cell, blocked):
    """All cells that can be walked to, including the player's."""
    reach = single(cell)
    while True:
        grown = flood(reach, blocked)
        if grown == reach:
            return reach
        reach = grown


# Which cells the bombs threaten, how soon, and whether a bomb can be dropped without suicide.
#
# `fires[t]` is all that burns within t turns if nobody acts, chains included. A bomb is dangerous while its ticks are
# below 5 + 2 x bombs around, so all dangerous bombs are those up to some timer, and their fire is one entry.
#
# The no-suicide rule: a bomb is dropped only if, in time, a cell can be reached that no bomb reaches and that has at
# least two free neighbours, so that nobody can shut the agent in. While boxes keep all others away nobody can, and any
# safe cell will do: otherwise a bot in a corner with boxes on both sides would never drop its first bomb.
#
#     . B 0      shut in with boxes 0: the bomb B leaves the cell on the lower left, which has one free neighbour
#     . # .
#     0 . .


class Danger(NamedTuple):
    """The cells that the bombs of a position threaten."""

    fires: np.ndarray  # [timer, word]
    forecast: np.ndarray  # one Forecast
    balls: np.ndarray  # [cell, word], the cells around a cell


def make_balls(radius: int) -> np.ndarray:
    """All open cells at most so far from each cell."""
    balls = np.zeros((256, 3), np.uint64)
    for x, y in OPEN_CELLS:
        balls[CELLS[y, x]] = words_of([to for to in OPEN_CELLS if abs(to[0] - x) + abs(to[1] - y) <= radius])
    return balls


def make_areas(radius: int) -> np.ndarray:
    """How many tiles, walls among them, are at most so far from each cell."""
    tiles = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    areas = np.zeros(256)
    for x, y in OPEN_CELLS:
        areas[CELLS[y, x]] = sum(abs(to[0] - x) + abs(to[1] - y) <= radius for to in tiles)
    return areas


def make_danger(near: int) -> Danger:
    return Danger(np.zeros((FUSE + 1, 3), np.uint64), np.zeros(1, FORECAST), make_balls(near))


@inline
def obstacles_of(state):
    """The cells that stop fire."""
    return union(read(state.blocked), read(state.items))


@kernel
def foresee(state, map_, danger):
    """Fill in the fires by round."""
    forecast = danger.forecast[0]
    fill_forecast(state, map_, forecast)
    fire = NOTHING
    write(danger.fires[0], fire)
    for timer in range(1, FUSE + 1):
        if timer <= forecast.rounds:
            fire = union(fire, read(forecast.fire[timer - 1]))
        write(danger.fires[timer], fire)


@inline
def bombs_around(state, cell, balls):
    """How many bombs are around the cell, and all cells that are around any bomb."""
    count, cells = 0, NOTHING
    for row in range(FUSE):
        for owner in range(MAX_PLAYERS):
            bomb = bomb_in(state.bombs[row], owner)
            if bomb != ZERO:
                count += 1 if has(balls[cell], cell_of(bomb)) else 0
                cells = union(cells, read(balls[cell_of(bomb)]))
    return count, cells


@inline
def last_dangerous(threshold, ticks):
    """The highest timer of a dangerous bomb, with so many ticks a turn; 0 if none is."""
    timer = 0
    while timer < FUSE and (timer + 1) * ticks < threshold:
        timer += 1
    return timer


@inline
def steps_left(danger, cell):
    """Moves until a bomb dropped on the cell explodes: its own fuse, or that of the bomb that sets it off."""
    for timer in range(1, FUSE + 1):
        if has(danger.fires[timer], cell):
            return timer - 1
    return FUSE


@kernel
def is_shut_off(state, player):
    """Whether boxes keep all others away from the player."""
    reach = reachable(cell_of(state.players[player]), union(read(state.boxes), (PADDING_A, PADDING_H, PADDING_V)))
    for other in range(MAX_PLAYERS):
        if other != player and state.players[other] != 0 and has(reach, cell_of(state.players[other])):
            return False
    return True


@kernel
def escapes(state, danger, cell, bomb_range, is_alone):
    """(moves, best): after which moves, five bits, a bomb dropped on the cell is no suicide, and the quickest of them.

    `best` is -1 if there is none.
    """
    obstacles = obstacles_of(state)
    fire = union(read(danger.fires[FUSE]), blast(cell, bomb_range, obstacles))
    blocked = union(read(state.blocked), single(cell))
    free = free_cells(blocked)
    havens = without(free if is_alone else with_two_neighbours(free), fire)
    left = steps_left(danger, cell)
    legal = legal_moves(state, cell)
    moves, best, fewest = ZERO, -1, FUSE + 1
    for move in range(5):
        if not has_bit(legal, move):
            continue
        reach = single(cell if move == 0 else U64(NEIGHBOURS[cell, move]))
        for steps in range(1, left + 1):
            if not is_empty(common(reach, havens)):
                moves |= ONE << U64(move)
                if steps < fewest:
                    best, fewest = move, steps
                break
            reach = flood(reach, blocked)
    return moves, best


CELL_NUMBERS = np.array([cell_number(x, y) for x, y in OPEN_CELLS], np.uint64)
NOBODY = -1
NOT_VISITED = 255  # the trail's entry for turns without a cell

EXPLORE, ATTACK, EVADE = range(3)
STATES = ("explore", "attack", "evade")

(
    TO_SAFETY,
    IS_SAFE,
    STEP_IN_REACH,
    NO_SAFETY,
    TO_RIVAL,
    RIVAL_CLOSE,
    NO_WAY_TO_RIVAL,
    TO_GOAL,
    BOMBS_BOX,
    WAITS,
    TO_LEAST_VISITED,
) = range(11)
REASONS = (  # [reason], as explain's document has them
    "walks to the nearest safe cell",
    "waits on a safe cell next to the danger",
    "the first step to the nearest safe cell is still in reach of a bomb",
    "there is no way to a safe cell",
    "walks to the opponent",
    "the opponent is close",
    "there is no way to the opponent, so it explores",
    "walks to the nearest item or box to bomb",
    "bombs a box",
    "waits for a bomb where it will bomb a box",
    "nothing to bomb or fetch: walks to the cell it visited least",
)

# The thresholds of the conditions.
RULES = record(
    [
        ("attack", np.int64),
        ("close", np.int64),
        ("danger", np.float64),
        ("danger_each", np.float64),
        ("ticks", np.float64),  # a turn, for danger
        ("mates", np.uint64),  # players that are not opponents, four bits
        ("soon", np.int64),  # timers of bombs that make it evade; 0: those around do
    ]
)

# The machine's findings and reasons.
MACHINE = record(
    [
        ("state", np.int64),
        ("reason", np.int64),
        ("action", np.int64),  # by rules alone
        ("searches", np.int64),  # whether the search is to decide instead
        ("allowed", np.uint64),  # first actions that are no suicide, ten bits
        ("around", np.int64),  # bombs
        ("threshold", np.float64),  # ticks below which they are dangerous
        ("dangerous", np.int64),  # the highest timer that is
        ("in_reach", np.uint64),  # moves onto cells that a dangerous bomb around reaches, five bits
        ("steps", np.int64),  # to the goal; NO_WAY if there is none
        ("rival", np.int64),  # the nearest
        ("distance", np.int64),  # to the opponent
    ]
)


class Workspace(NamedTuple):
    """The machine's working memory."""

    danger: Danger
    trail: np.ndarray  # [turn], the player's cell
    visits: np.ndarray  # [cell]


def make_workspace(params: HybridParams) -> Workspace:
    return Workspace(make_danger(params.around), np.full(MAX_TURNS + 1, NOT_VISITED, np.uint8), np.zeros(256, np.int64))


def make_rules(params: HybridParams) -> np.record:
    rules = np.zeros(1, RULES)[0]
    for name in ("attack", "close", "danger", "danger_each"):
        rules[name] = getattr(params, name)
    rules.ticks = params.fuse / FUSE
    rules.soon = min(FUSE, int(params.around / rules.ticks)) if params.near == "ticks" else 0
    return rules


@inline
def moves_in_reach(state, cell, fire):
    """The moves, of five, that end in the fire; a blocked one ends on the player's cell."""
    found = ZERO
    for move in range(5):
        to = U64(NEIGHBOURS[cell, move])
        if has(fire, cell if has(state.blocked, to) else to):
            found |= ONE << U64(move)
    return found


@inline
def find_rival(state, player, mates, cell, machine):
    """The nearest opponent; the first of equals."""
    machine.rival, machine.distance = NOBODY, NO_WAY
    for other in range(MAX_PLAYERS):
        if other != player and state.players[other] != 0 and not has_bit(mates, other):
            apart = distance(cell, cell_of(state.players[other]))
            if machine.rival == NOBODY or apart < machine.distance:
                machine.rival, machine.distance = other, apart


@inline
def allowed_actions(state, player, danger, is_alone):
    """Legal first actions, and the quickest escape after a bomb (-1: none); bombs only where they are no suicide."""
    me = U64(state.players[player])
    moves, best = escapes(state, danger, cell_of(me), range_of(me), is_alone)
    return legal_actions(state, player) & (U64(31) | moves << FIVE), best


@inline
def bomb_spots(state, cell, bomb_range, danger, is_alone):
    """The cells whose bomb would hit a box that no bomb on the board reaches, and be no suicide."""
    obstacles = obstacles_of(state)
    unclaimed = without(read(state.boxes), read(danger.fires[FUSE]))
    spots = NOTHING
    for k in range(CELL_NUMBERS.size):
        spot = CELL_NUMBERS[k]
        if has(state.blocked, spot) and spot != cell:
            continue
        if not is_empty(common(blast(spot, bomb_range, obstacles), unclaimed)):
            _moves, best = escapes(state, danger, spot, bomb_range, is_alone)
            if best >= 0:
                spots = union(spots, single(spot))
    return spots


@inline
def least_visited(cell, blocked, workspace):
    """The cells within reach that the player visited least."""
    for k in range(workspace.visits.size):
        workspace.visits[k] = 0
    for turn in range(workspace.trail.size):
        workspace.visits[workspace.trail[turn]] += 1
    reach = reachable(cell, blocked)
    least = workspace.trail.size
    cells = NOTHING
    for k in range(CELL_NUMBERS.size):
        to = CELL_NUMBERS[k]
        if has(reach, to) and workspace.visits[to] <= least:
            cells = union(cells, single(to)) if workspace.visits[to] == least else single(to)
            least = workspace.visits[to]
    return cells


@inline
def evade(state, cell, workspace, machine):
    machine.state = EVADE
    fire = read(workspace.danger.fires[machine.dangerous])
    safe = without(union(free_cells(read(state.blocked)), single(cell)), fire)
    move, steps = first_step(cell, safe, read(state.blocked))
    machine.steps = steps
    machine.action = max(move, 0)
    if move == NO_WAY:
        machine.searches, machine.reason = 1, NO_SAFETY
    elif has_bit(machine.in_reach, move):
        machine.searches, machine.reason = 1, STEP_IN_REACH
    else:
        machine.reason = IS_SAFE if move == 0 else TO_SAFETY


@inline
def attack(state, cell, rules, machine, best):
    """Set the action of Attack; returns whether there is one."""
    machine.state = ATTACK
    goal = single(cell_of(state.players[machine.rival]))
    move, steps = first_step(cell, goal, read(state.blocked))
    machine.steps = steps
    is_open = move > 0 and not has(state.blocked, U64(NEIGHBOURS[cell, move]))
    machine.action = move if is_open else 0
    if machine.distance <= rules.close:
        machine.searches, machine.reason = 1, RIVAL_CLOSE
        if machine.distance <= 1 and has_bit(machine.allowed, BOMB + max(best, 0)):
            machine.action = BOMB + best
        return True
    machine.reason = TO_RIVAL if move != NO_WAY else NO_WAY_TO_RIVAL
    return move != NO_WAY


@inline
def explore(state, cell, me, workspace, machine, best, is_alone):
    blocked = read(state.blocked)
    spots = bomb_spots(state, cell, range_of(me), workspace.danger, is_alone)
    goals = union(read(state.items), spots)
    move, steps = first_step(cell, goals, blocked)
    reason = TO_GOAL
    if move == NO_WAY:
        move, steps = first_step(cell, least_visited(cell, blocked, workspace), blocked)
        reason = TO_LEAST_VISITED
    elif move == 0:
        can_bomb = best >= 0 and can_drop(state, me) != ZERO  # not on an item, where it can't escape
        move, reason = (BOMB + best, BOMBS_BOX) if can_bomb else (0, WAITS)
    machine.action, machine.steps = move, steps
    if machine.reason != NO_WAY_TO_RIVAL:
        machine.reason = reason


@entry
def consider(state, map_, player, rules, workspace, machine):
    """Algorithm 1: fill in the machine's state, why, its action by rules, and whether a search should decide."""
    me = U64(state.players[player])
    cell = cell_of(me)
    foresee(state, map_, workspace.danger)
    machine.around, around = bombs_around(state, cell, workspace.danger.balls)
    machine.threshold = rules.danger + rules.danger_each * machine.around
    machine.dangerous = last_dangerous(machine.threshold, rules.ticks)
    fire = common(read(workspace.danger.fires[machine.dangerous]), around)
    if rules.soon > 0:
        fire = read(workspace.danger.fires[rules.soon])
    machine.in_reach = moves_in_reach(state, cell, fire)
    is_alone = is_shut_off(state, player)
    machine.allowed, best = allowed_actions(state, player, workspace.danger, is_alone)
    machine.searches = 0
    machine.reason = TO_GOAL
    machine.state = EXPLORE
    find_rival(state, player, rules.mates, cell, machine)
    if machine.in_reach != ZERO:
        evade(state, cell, workspace, machine)
        return
    is_near = machine.rival != NOBODY and machine.distance <= rules.attack
    if is_near and stock_of(me) > ZERO and attack(state, cell, rules, machine, best):
        return
    explore(state, cell, me, workspace, machine, best, is_alone)
