"""Reading what a search left behind: `read` knows how by the agent's class, each file of panels/ teaches it one.

    @read.register
    def read_duel(agent: DuelAgent, state: np.record, player: int, decision: Decision) -> Trace: ...

An agent of the user's own that is made of one of these is read as that one.
"""

from collections.abc import Mapping
from functools import singledispatch

import numpy as np

from hsctl.explain.lines import line_of, plans_of
from hsctl.explain.roots import roots_of
from hsctl.explain.trace import Panel, Trace, Value
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
    """What is told of every agent, with the best that was found below first moves and why others were left out."""
    return Trace(
        roots_of(agent, state, player, bests, rules=rules),
        line_of(agent, state, player, decision.plan),
        plans_of(agent),
        panels,
    )
