"""What mcts left behind: its tree."""

import numpy as np

from hsctl.analysis.explain.panels.tree import tree_of
from hsctl.analysis.explain.read import read, trace_of
from hsctl.analysis.explain.roots import PUNISHABLE, left_out
from hsctl.analysis.explain.trace import Trace, Value
from search.agent import Decision
from search.mcts.agent import MctsAgent


@read.register
def read_mcts(agent: MctsAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """A first move's value is the highest of its simulations."""
    tree = tree_of(agent.tree, int(agent.walk.iterations), int(agent.walk.tree_size))
    bests = {child.action: Value(child.maximum, 1) for child in tree.children}
    rules = dict.fromkeys(left_out(agent, state, player), PUNISHABLE)
    return trace_of(agent, state, player, decision, bests, tree, rules=rules)
