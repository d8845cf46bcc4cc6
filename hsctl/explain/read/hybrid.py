"""What `hybrid` left behind: the state of its machine and why, and the scores of its search if there was one."""

import numpy as np

from engine.board import MOVES
from engine.position import player_of
from engine.rules import ACTION_NAMES
from hsctl.explain.read.mcts import count_depths, most_visited, visits_below
from hsctl.explain.read.roots import line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import Machine, Trace, Tree, Value
from search.agent import Decision
from search.common.first_moves import members
from search.hybrid.agent import HybridAgent
from search.hybrid.machine import NOBODY, REASONS, STATES
from search.hybrid.scores import score_of

SUICIDE, DEADLY = "suicide", "deadly"


def trace_hybrid(agent: HybridAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of a decision that this agent just made. A first move's value is the mean of its scores.

    The line is shown with the others standing still: the target of an attack moves at random.
    """
    tree = tree_of(agent) if agent.is_searching else None
    values = {child.action: Value(child.mean, 1) for child in tree.children} if tree else {}
    states = play_line(agent, state, player, decision.plan)
    return Trace(
        roots_of(agent, state, player, values, rules=left_out(agent, values)),
        line_of(state, player, decision.plan, states),
        plans_of(agent),
        tree=tree,
        machine=machine_of(agent, state, player),
    )


def tree_of(agent: HybridAgent) -> Tree:
    nodes, search = agent.nodes, agent.search
    return Tree(
        int(search.iterations), int(search.held), visits_below(nodes, 0), count_depths(nodes), most_visited(nodes)
    )


def left_out(agent: HybridAgent, values: dict[int, Value]) -> dict[int, str]:
    """Why first moves were not searched: bombs that would be suicide, and moves that were tried and found deadly."""
    if not agent.is_searching:
        return {}
    allowed, untried = (members(int(words)) for words in (agent.search.allowed, agent.nodes.untried[0]))
    rules = {action: SUICIDE for action in range(len(ACTION_NAMES)) if action not in allowed}
    return rules | {action: DEADLY for action in allowed if action not in values and action not in untried}


def machine_of(agent: HybridAgent, state: np.record, player: int) -> Machine:
    machine, me = agent.machine, player_of(state, player)
    assert me is not None
    has_enemy = int(machine.target) != NOBODY
    search = agent.params.search
    return Machine(
        state=STATES[int(machine.state)],
        why=REASONS[int(machine.reason)],
        decided_by=(f"fmcs {agent.params.select}" if search == "fmcs" else search) if agent.is_searching else "rules",
        rules=ACTION_NAMES[int(machine.action)],
        bombs_around=int(machine.around),
        danger_below=float(machine.threshold),
        in_reach=[MOVES[move] for move in members(int(machine.in_reach))],
        bombs_left=me.bombs_left,
        enemy=int(machine.target) if has_enemy else None,
        distance=int(machine.distance) if has_enemy else None,
        score=score_now(agent, state, player) if agent.is_searching else None,
    )


def score_now(agent: HybridAgent, state: np.record, player: int) -> float:
    return float(score_of(state, player, int(agent.search.target), agent.search, agent.nodes.areas))
