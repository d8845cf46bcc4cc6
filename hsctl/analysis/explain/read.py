"""Reading what a search left behind: `read` goes by the agent's class, and each file of panels/ adds one.

    @read.register
    def read_duel(agent: DuelAgent, state: np.record, player: int, decision: Decision) -> Trace: ...

A subclass of an agent is read like the agent; whatever has no reader is told by its decision alone.
"""

from collections.abc import Mapping
from functools import singledispatch

import numpy as np

from hsctl.analysis.explain.lines import line_of, plans_of
from hsctl.analysis.explain.roots import roots_of
from hsctl.analysis.explain.trace import Panel, Trace, Value
from search.agent import Agent, Decision


@singledispatch
def read(agent: Agent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of the agent's last decision, which was this one on this state."""
    return trace_of(agent, state, player, decision, {})


def trace_of(
    agent: Agent,
    state: np.record,
    player: int,
    decision: Decision,
    bests: Mapping[int, Value],
    *panels: Panel,
    rules: Mapping[int, str] | None = None,
) -> Trace:
    """What is told of every agent; `bests` were found below the first moves, `rules` say why some were left out."""
    return Trace(
        roots_of(agent, state, player, bests, rules=rules),
        line_of(agent, state, player, decision.plan),
        plans_of(agent),
        panels,
    )
