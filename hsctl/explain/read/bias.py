"""What `bias` left behind: its tree, with what equation 3 adds up for each first move."""

from dataclasses import replace

import numpy as np

from hsctl.explain.read.mcts import count_depths, most_visited, visits_below
from hsctl.explain.read.roots import line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import Terms, Trace, Tree, Value
from search.agent import Decision
from search.bias.agent import BiasAgent
from search.bias.tree import ROOT, bias
from search.common.logarithm import logarithm
from search.common.uct import exploration, mean_of


def trace_bias(agent: BiasAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of a decision that this agent just made. A first move's value is the mean of its simulations.

    The line is shown with the others standing still, since nobody is predicted.
    """
    tree, walk = agent.tree, agent.walk
    children = [replace(visit, terms=terms_of(agent, visit.action)) for visit in visits_below(tree, ROOT)]
    roots = roots_of(agent, state, player, {child.action: Value(child.mean, 1) for child in children})
    states = play_line(agent, state, player, decision.plan)
    return Trace(
        roots,
        line_of(state, player, decision.plan, states),
        plans_of(agent),
        tree=Tree(int(walk.iterations), int(walk.held), children, count_depths(tree), most_visited(tree)),
    )


def terms_of(agent: BiasAgent, action: int) -> Terms:
    """What the next walk would compare: mean, exploration and bias of a first move."""
    tree = agent.tree
    child = int(tree.child[ROOT, action])
    log = logarithm(tree.logarithms, tree.visits[ROOT])
    return {
        "mean": float(mean_of(tree, child)),
        "exploration": float(exploration(agent.params.c, log, tree.visits[child])),
        "bias": float(bias(tree.h[child], tree.visits[child])),
    }
