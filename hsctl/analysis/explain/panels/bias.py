"""What bias left behind: its tree, with what equation 3 adds up for each first move."""

from dataclasses import replace

import numpy as np

from hsctl.analysis.explain.panels.tree import tree_of
from hsctl.analysis.explain.read import read, trace_of
from hsctl.analysis.explain.trace import Terms, Trace, Value
from search.agent import Decision
from search.bias.agent import BiasAgent
from search.bias.tree import ROOT, bias, exploitation
from search.common.uct import exploration, logarithm, mean_of


@read.register
def read_bias(agent: BiasAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """A first move's value is the mean of its simulations.

    The line is shown with the others standing still, since nobody is predicted.
    """
    tree = tree_of(agent.tree, int(agent.walk.iterations), int(agent.walk.tree_size))
    tree = replace(tree, children=[replace(child, terms=terms_of(agent, child.action)) for child in tree.children])
    bests = {child.action: Value(child.mean, 1) for child in tree.children}
    return trace_of(agent, state, player, decision, bests, tree)


def terms_of(agent: BiasAgent, action: int) -> Terms:
    """What the next walk would compare: mean (and what scaling makes of it), exploration and bias of a first move."""
    tree = agent.tree
    child = int(tree.child[ROOT, action])
    log = logarithm(tree.logarithms, tree.visits[ROOT])
    mean = float(mean_of(tree, child))
    scaling = {"scaling": float(exploitation(tree, ROOT, child, True)) - mean} if agent.params.normalise else {}
    return {
        "mean": mean,
        **scaling,
        "exploration": float(exploration(agent.params.c, log, tree.visits[child])),
        "bias": float(bias(tree.h[child], tree.visits[child])),
    }
