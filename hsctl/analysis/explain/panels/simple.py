"""What simple left behind: the values of the first moves that it compared."""

import numpy as np

from hsctl.analysis.explain.read import read, trace_of
from hsctl.analysis.explain.trace import Trace, Value
from search.agent import Decision
from search.simple.agent import NO_VALUE, SimpleAgent


@read.register
def read_simple(agent: SimpleAgent, state: np.record, player: int, decision: Decision) -> Trace:
    bests = {action: Value(float(value), 1) for action, value in enumerate(agent.values) if value > NO_VALUE}
    return trace_of(agent, state, player, decision, bests)
