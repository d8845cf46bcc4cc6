"""chokudai: how many states each first move got into the queues, and its best state in the deepest one."""

import numpy as np

from engine.rules import ACTIONS
from hsctl.analysis.explain.findings import (
    Findings,
    Terms,
    Value,
    line_of,
    plans_of,
    read_search,
    roots_of,
    rules_of_careful,
)
from search.agent import Decision
from search.chokudai.agent import ChokudaiAgent
from search.common.evaluate import evaluate_terms

EARLY_TERM = "early"


@read_search.register
def read_chokudai(agent: ChokudaiAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is that of its best state in the deepest queue that it reached."""
    count = int(agent.sweep.count)
    roots, depths = families_of(agent, count)
    deepest = int(depths.max(initial=0))
    kept = [int(np.count_nonzero(depths == depth)) for depth in range(1, deepest + 1)]
    states, bests = {}, {}
    for action in range(ACTIONS):
        own = np.flatnonzero(roots == action)
        states[action] = [int(np.count_nonzero(depths[own] == depth)) for depth in range(1, deepest + 1)]
        if own.size:
            depth = int(depths[own].max())
            place = int(max(own[depths[own] == depth], key=lambda number: agent.queues.score[number]))
            bests[action] = Value(float(agent.queues.score[place]), depth, terms_of(agent, place, player))
    first_moves = roots_of(agent, state, player, bests, states, rules_of_careful(agent, state, player))
    line = line_of(agent, state, player, decision.plan)
    return Findings(first_moves, line, plans_of(agent), kept=kept)


def families_of(agent: ChokudaiAgent, count: int) -> tuple[np.ndarray, np.ndarray]:
    """[state], its first move and its depth; the root, which is the first, has neither. Parents precede children."""
    roots, depths = np.full(count, -1), np.zeros(count, np.int64)
    parents, actions = agent.queues.parent[:count].tolist(), agent.queues.action[:count].tolist()
    for number in range(1, count):
        above = parents[number]
        roots[number] = roots[above] if above else actions[number]
        depths[number] = depths[above] + 1
    return roots, depths


def terms_of(agent: ChokudaiAgent, number: int, player: int) -> Terms:
    """The terms of a state's score."""
    terms = evaluate_terms(agent.queues.states[number], agent.map, player, agent.weights)
    return {**terms, EARLY_TERM: float(agent.queues.bonus[number])}
