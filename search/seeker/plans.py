"""Goal after goal, depth first: walk to one, drop its bomb, look for the next from there."""

from typing import NamedTuple

import numpy as np

from engine.board import ZERO, has_bit
from engine.jit import entry, inline
from engine.rules import BOMB, legal_actions, pack, play_round
from engine.state import STATE, cell_of, record
from engine.survival import is_survivable
from search.seeker.goals import NEVER, NOW, Goals, list_goals, make_goals, next_bomb
from search.seeker.paths import LONGEST, NO_WAY, Ways, find_way, look_ahead, make_ways

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


@entry
def advance(plans, seeking, map_, worth, limit):
    """Try plans until all are tried or `limit` nodes are spent (checked before each goal)."""
    goals = plans.goals
    while not seeking.finished and seeking.nodes < limit:
        level = seeking.level
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
