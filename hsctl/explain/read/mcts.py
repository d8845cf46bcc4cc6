"""What a tree search left behind: visits, means and maxima of its first moves, its depths, its most visited line."""

import numpy as np

from engine.rules import ACTION_NAMES
from hsctl.explain.read.roots import PUNISHABLE, left_out, line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import Trace, Tree, Value, Visit
from search.agent import Decision
from search.common.uct import NO_NODE, Counts
from search.mcts.agent import MctsAgent


def trace_mcts(agent: MctsAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of a decision that this agent just made. A first move's value is the highest of its simulations."""
    tree = agent.tree
    children = visits_below(tree, 0)
    roots = roots_of(
        agent,
        state,
        player,
        {child.action: Value(child.maximum, 1) for child in children},
        rules=dict.fromkeys(left_out(agent, state, player), PUNISHABLE),
    )
    states = play_line(agent, state, player, decision.plan)
    return Trace(
        roots,
        line_of(state, player, decision.plan, states),
        plans_of(agent),
        tree=Tree(int(agent.walk.iterations), int(agent.walk.held), children, count_depths(tree), most_visited(tree)),
    )


def visit_of(tree: Counts, action: int, node: int) -> Visit:
    visits = int(tree.visits[node])
    return Visit(action, ACTION_NAMES[action], visits, float(tree.total[node] / visits), float(tree.best[node]))


def visits_below(tree: Counts, node: int) -> list[Visit]:
    """The children of a node."""
    found = enumerate(tree.child[node].tolist())
    return [visit_of(tree, action, child) for action, child in found if child != NO_NODE]


def count_depths(tree: Counts) -> list[int]:
    """How many nodes of the tree are at each depth, the root's first."""
    counts = []
    level = np.array([0])
    while level.size:
        counts.append(int(level.size))
        children = tree.child[level].ravel()
        level = children[children != NO_NODE]
    return counts


def most_visited(tree: Counts) -> list[Visit]:
    """From the root always to the child visited most."""
    line: list[Visit] = []
    node = 0
    while children := visits_below(tree, node):
        line.append(max(children, key=lambda child: child.visits))
        node = int(tree.child[node, line[-1].action])
    return line
