"""What agents without a search left behind: the values of the first moves, where they had any."""

import numpy as np

from hsctl.explain.read.roots import line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import Trace, Value
from search.agent import Agent, Decision
from search.common.evaluate import evaluate_terms
from search.osla.agent import OslaAgent
from search.simple.agent import SimpleAgent
from search.simple.rules import NO_VALUE


def trace_simple(agent: Agent, state: np.record, player: int, decision: Decision) -> Trace:
    """First moves and the line, which is mostly one action."""
    roots = roots_of(agent, state, player, values_of(agent, state, player, decision))
    states = play_line(agent, state, player, decision.plan)
    return Trace(roots, line_of(state, player, decision.plan, states), plans_of(agent))


def values_of(agent: Agent, state: np.record, player: int, decision: Decision) -> dict[int, Value]:
    """What the agent thought of each first move that it looked at."""
    if isinstance(agent, OslaAgent):
        return {
            action: Value(agent.value_after(state, player, action), 1, terms_after(agent, state, player, action))
            for action in agent.first_moves.legal(state, player)[: decision.nodes]
        }
    if isinstance(agent, SimpleAgent):
        return {action: Value(float(value), 1) for action, value in enumerate(agent.values) if value > NO_VALUE}
    return {}


def terms_after(agent: OslaAgent, state: np.record, player: int, action: int) -> dict[str, float]:
    after = agent.first_moves.after(state, agent.map, {player: action})
    return evaluate_terms(after, agent.map, player, agent.weights)
