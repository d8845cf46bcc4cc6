"""Lines of actions played again, the others doing what was predicted of them."""

from collections.abc import Iterable, Sequence

import numpy as np

from engine.position import player_of
from engine.rules import ACTION_NAMES, pack, play_round
from engine.state import copy_state
from hsctl.analysis.explain.trace import Step
from search.agent import Agent
from search.common.planning import PlanningAgent


def plans_of(agent: Agent) -> dict[int, list[int]]:
    """What the others were predicted to do, by player."""
    return dict(agent.thinking.plans) if isinstance(agent, PlanningAgent) else {}


def others_at(agent: Agent, turns: int) -> int:
    """Packed actions of the other players so many turns from now, as the search had them."""
    if isinstance(agent, PlanningAgent) and turns < agent.other_actions.size:
        return int(agent.other_actions[turns])
    return 0


def play_line(agent: Agent, state: np.record, player: int, actions: Iterable[int]) -> list[np.record]:
    """The states that the actions lead to one after the other."""
    states = [state]
    for turns, action in enumerate(actions):
        after = copy_state(states[-1])
        play_round(after, agent.map, np.uint64(others_at(agent, turns)) | pack(player, action))
        states.append(after)
    return states[1:]


def action_at(plan: Sequence[int], turns: int) -> int:
    """What a plan does so many turns from now; after its end nothing."""
    return plan[turns] if turns < len(plan) else 0


def steps_of(state: np.record, player: int, actions: Sequence[int], states: Sequence[np.record]) -> list[Step]:
    """The actions with their turns and the cells they lead to, as long as the player lives."""
    steps = []
    for turn, (action, after) in enumerate(zip(actions, states, strict=True), int(state.turn)):
        me = player_of(after, player)
        if me is None:
            break
        steps.append(Step(turn, action, ACTION_NAMES[action], me.x, me.y))
    return steps


def line_of(agent: Agent, state: np.record, player: int, actions: Sequence[int]) -> list[Step]:
    """A line, played and listed step by step."""
    return steps_of(state, player, actions, play_line(agent, state, player, actions))
