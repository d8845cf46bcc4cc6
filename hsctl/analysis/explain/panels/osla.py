"""What osla left behind: the values of the first moves, term by term."""

import numpy as np

from hsctl.analysis.explain.read import read, trace_of
from hsctl.analysis.explain.trace import Terms, Trace, Value
from search.agent import Decision
from search.common.evaluate import evaluate_terms
from search.osla.agent import OslaAgent


@read.register
def read_osla(agent: OslaAgent, state: np.record, player: int, decision: Decision) -> Trace:
    bests = {
        action: Value(agent.value_after(state, player, action), 1, terms_after(agent, state, player, action))
        for action in agent.first_moves.legal(state, player)[: decision.nodes]
    }
    return trace_of(agent, state, player, decision, bests)


def terms_after(agent: OslaAgent, state: np.record, player: int, action: int) -> Terms:
    after = agent.first_moves.after(state, agent.map, {player: action})
    return evaluate_terms(after, agent.map, player, agent.weights)
