"""What the traces of all agents have in common: the ten first moves, and lines of actions played again."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from engine.position import player_of
from engine.rules import ACTION_BITS, ACTION_NAMES, ACTIONS, BOMB, legal_actions, play_round
from engine.state import MAX_PLAYERS, copy_state
from hsctl.explain.read.trace import Root, Step, Value
from search.agent import Agent
from search.common.first_moves import FirstMoves, members
from search.common.planning import ALL_ROOTS, PlanningAgent

# Why a first move was not searched.
BLOCKED, NO_BOMB, ON_BOMB = "blocked", "no bomb left", "on a bomb"
UNSURVIVABLE, NOT_KILLING, NO_SACRIFICE, PUNISHABLE = "unsurvivable", "not killing", "no sacrifice", "punishable"
RISKY = "risky"  # lost if the adversary acts at the same moment


def roots_of(
    agent: Agent,
    state: np.record,
    player: int,
    bests: Mapping[int, Value],
    states: Mapping[int, list[int]] | None = None,
    rules: Mapping[int, str] | None = None,
) -> list[Root]:
    """All ten first moves: what is certain about each, and what the search found below it.

    `states`: how many states of each layer descend from a move; `rules`: why legal moves were left out.
    """
    moves, enemies = FirstMoves(), enemies_of(agent, state, player)
    legal = int(legal_actions(state, player))
    survivable = moves.survivable(state, agent.map, player)
    punishable = {enemy: moves.punishable(state, agent.map, player, enemy) for enemy in enemies}
    killing = {enemy: moves.killing(state, agent.map, player, enemy) for enemy in enemies}
    return [
        Root(
            action=action,
            name=ACTION_NAMES[action],
            legal=is_legal,
            survivable=action in members(survivable),
            killable_by=[enemy for enemy in enemies if action in members(punishable[enemy] & survivable)],
            kills=[enemy for enemy in enemies if action in members(killing[enemy])],
            pruned=(rules or {}).get(action) if is_legal else why_illegal(state, player, action),
            best=bests.get(action),
            states=(states or {}).get(action, []),
        )
        for action in range(ACTIONS)
        for is_legal in [action in members(legal)]
    ]


def enemies_of(agent: Agent, state: np.record, player: int) -> list[int]:
    """The living others but the agent's mates."""
    return [at for at in range(MAX_PLAYERS) if state.players[at] and at != player and at not in agent.mates]


def why_illegal(state: np.record, player: int, action: int) -> str:
    """What stands against an action that is not legal."""
    me = player_of(state, player)
    if me is None or action % BOMB not in members(int(legal_actions(state, player))):
        return BLOCKED
    return ON_BOMB if me.bombs_left else NO_BOMB


def left_out(agent: PlanningAgent, state: np.record, player: int) -> list[int]:
    """The legal first moves that the agent did not search."""
    roots = agent.thinking.roots
    return [] if roots == ALL_ROOTS else members(int(legal_actions(state, player)) & ~roots)


def rules_of_first_moves(agent: PlanningAgent, state: np.record, player: int) -> dict[int, str]:
    """Which rule of first_moves.py left out each of the legal moves that were not searched."""
    moves, enemies = FirstMoves(), enemies_of(agent, state, player)
    if len(enemies) == 1 and moves.sacrifices(state, agent.map, player, enemies[0]):
        return dict.fromkeys(left_out(agent, state, player), NO_SACRIFICE)
    survivable = members(moves.survivable(state, agent.map, player))
    return {action: NOT_KILLING if action in survivable else UNSURVIVABLE for action in left_out(agent, state, player)}


# Lines


def plans_of(agent: Agent) -> dict[int, list[int]]:
    """The predicted plans of the opponents, by player."""
    return dict(agent.thinking.plans) if isinstance(agent, PlanningAgent) else {}


def others_at(agent: Agent, turns: int) -> int:
    """Packed actions of the other players so many turns from now, as the search had them."""
    if isinstance(agent, PlanningAgent) and turns < agent.others.size:
        return int(agent.others[turns])
    return 0


def play_line(agent: Agent, state: np.record, player: int, actions: Iterable[int]) -> list[np.record]:
    """The states that the actions lead to one after the other, the others doing what was predicted of them."""
    states = [state]
    for turns, action in enumerate(actions):
        after = copy_state(states[-1])
        play_round(after, agent.map, np.uint64(others_at(agent, turns) | action << int(ACTION_BITS) * player))
        states.append(after)
    return states[1:]


def line_of(state: np.record, player: int, actions: Sequence[int], states: Sequence[np.record]) -> list[Step]:
    """The actions with their turns and the cells they lead to, as long as the player lives."""
    steps = []
    for turn, (action, after) in enumerate(zip(actions, states, strict=True), int(state.turn)):
        me = player_of(after, player)
        if me is None:
            break
        steps.append(Step(turn, action, ACTION_NAMES[action], me.x, me.y))
    return steps
