"""The state machine of algorithm 1: Evade, else Attack, else Explore, and what each of them does by rules alone.

    Evade     a dangerous bomb around reaches the cell of any of the five moves: to the nearest cell that no dangerous
              bomb reaches; search if the first step stays in reach, or if there is no such cell
    Attack    a bomb is left and a rival is within 6: walk there; within 4 search (by rules: bomb when beside)
    Explore   to the nearest item or cell whose bomb hits a box that no other does; bomb there; else to the cell
              visited least

A bomb is dropped only where the no-suicide rule allows it (danger.py), and together with the first step away from it.
"""

from typing import NamedTuple

import numpy as np

from engine.blast import blast
from engine.board import NEIGHBOURS, ONE, OPEN_CELLS, U64, ZERO, cell_number, distance, has_bit
from engine.cells import NOTHING, common, has, is_empty, read, single, union, without
from engine.jit import entry, inline
from engine.rules import BOMB, FIVE, can_drop, legal_actions
from engine.state import FUSE, MAX_PLAYERS, MAX_TURNS, cell_of, range_of, record, stock_of
from search.hybrid.danger import (
    Danger,
    bombs_around,
    escapes,
    foresee,
    is_shut_off,
    last_dangerous,
    make_danger,
    obstacles_of,
)
from search.hybrid.params import HybridParams
from search.hybrid.paths import NO_WAY, first_step, free_cells, reachable

CELL_NUMBERS = np.array([cell_number(x, y) for x, y in OPEN_CELLS], np.uint64)
NOBODY = -1
NOT_VISITED = 255  # what the trail holds for turns without a cell

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
    "stands on a safe cell beside the danger and waits",
    "the first step to the nearest safe cell is still in reach of a bomb",
    "there is no way to a safe cell",
    "walks to the rival",
    "the rival is close",
    "there is no way to the rival, so it explores",
    "walks to the nearest item or box to bomb",
    "bombs a box",
    "stands where it will bomb a box and waits for a bomb",
    "nothing to bomb or fetch: walks to the cell it visited least",
)

# What the conditions compare with.
RULES = record(
    [
        ("attack", np.int64),
        ("close", np.int64),
        ("danger", np.float64),
        ("danger_each", np.float64),
        ("ticks", np.float64),  # a turn, for danger
        ("mates", np.uint64),  # players that are not rivals, four bits
        ("soon", np.int64),  # timers of bombs that make it evade; 0: those around do
    ]
)

# What the machine found, and why.
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
        ("distance", np.int64),  # to the rival
    ]
)


class Workspace(NamedTuple):
    """What the machine works on, and remembers."""

    danger: Danger
    trail: np.ndarray  # [turn], the own cell
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
    """Which of the five moves end on a cell of the fire; a blocked one ends on the own cell."""
    found = ZERO
    for move in range(5):
        to = U64(NEIGHBOURS[cell, move])
        if has(fire, cell if has(state.blocked, to) else to):
            found |= ONE << U64(move)
    return found


@inline
def find_rival(state, player, mates, cell, machine):
    """The nearest rival; the first of equals."""
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
    """The cells within reach that the player stood on least often."""
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
    """Returns whether there is anything to do."""
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
        can_bomb = can_drop(state, me) != ZERO
        move, reason = (BOMB + best, BOMBS_BOX) if can_bomb else (0, WAITS)
    machine.action, machine.steps = move, steps
    if machine.reason != NO_WAY_TO_RIVAL:
        machine.reason = reason


@entry
def consider(state, map_, player, rules, workspace, machine):
    """Algorithm 1: fill in the machine's state, why, its action by rules, and whether a search is to decide."""
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
